import com.fasterxml.jackson.annotation.JsonInclude;
import feign.FeignException;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.LearnersApi;
import org.openapitools.client.api.PoliciesApi;
import org.openapitools.client.api.ReportsApi;
import org.openapitools.client.api.SimulationsApi;
import org.openapitools.client.model.ErrorResponse;

final class Call {
    public static void main(String[] arguments) {
        ApiClient client = new ApiClient("tenantKey");
        client.setBasePath(System.getenv("SERVICE_URL"));
        client.setBearerToken(System.getenv("SERVICE_KEY"));
        // By default the client sends null for each omitted field.
        client.getObjectMapper().setSerializationInclusion(JsonInclude.Include.NON_NULL);
        new OpenApiGenerator(
            client.buildClient(LearnersApi.class), client.buildClient(PoliciesApi.class),
            client.buildClient(ReportsApi.class), client.buildClient(SimulationsApi.class),
            failure -> client.getObjectMapper()
                .readValue(((FeignException) failure).contentUTF8(), ErrorResponse.class));
    }
}
