import com.fasterxml.jackson.annotation.JsonInclude;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.LearnersApi;
import org.openapitools.client.api.PoliciesApi;
import org.openapitools.client.api.ReportsApi;
import org.openapitools.client.api.SimulationsApi;
import org.openapitools.client.model.ErrorResponse;
import org.springframework.http.client.BufferingClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClientResponseException;

final class Call {
    public static void main(String[] arguments) {
        // By default the client sends null for each omitted field, and an upload without its length.
        var mapper = ApiClient.createDefaultMapper(null).setSerializationInclusion(JsonInclude.Include.NON_NULL);
        var requests = new BufferingClientHttpRequestFactory(new JdkClientHttpRequestFactory());
        ApiClient client = new ApiClient(ApiClient.buildRestClientBuilder(mapper).requestFactory(requests).build());
        client.setBasePath(System.getenv("SERVICE_URL"));
        client.setBearerToken(System.getenv("SERVICE_KEY"));
        new OpenApiGenerator(
            new LearnersApi(client), new PoliciesApi(client), new ReportsApi(client), new SimulationsApi(client),
            failure -> ((RestClientResponseException) failure).getResponseBodyAs(ErrorResponse.class));
    }
}
