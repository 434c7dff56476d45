import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.LearnersApi;
import org.openapitools.client.api.PoliciesApi;
import org.openapitools.client.api.ReportsApi;
import org.openapitools.client.api.SimulationsApi;
import org.openapitools.client.model.ErrorResponse;

final class Call {
    public static void main(String[] arguments) {
        ApiClient client = new ApiClient();
        client.setBasePath(System.getenv("SERVICE_URL"));
        client.setBearerToken(System.getenv("SERVICE_KEY"));
        new OpenApiGenerator(
            new LearnersApi(client), new PoliciesApi(client), new ReportsApi(client), new SimulationsApi(client),
            failure -> ErrorResponse.fromJson(((ApiException) failure).getResponseBody()));
        // OkHttp's threads outlive the calls by a minute.
        System.exit(0);
    }
}
