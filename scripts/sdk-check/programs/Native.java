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
        client.updateBaseUri(System.getenv("SERVICE_URL"));
        String key = "Bearer " + System.getenv("SERVICE_KEY");
        client.setRequestInterceptor(request -> request.setHeader("Authorization", key));
        new OpenApiGenerator(
            new LearnersApi(client), new PoliciesApi(client), new ReportsApi(client), new SimulationsApi(client),
            failure -> client.getObjectMapper()
                .readValue(((ApiException) failure).getResponseBody(), ErrorResponse.class));
    }
}
