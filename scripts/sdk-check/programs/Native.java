import org.openapitools.client.ApiClient;
import org.openapitools.client.model.ErrorResponse;

final class Call {
    public static void main(String[] arguments) {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("SERVICE_URL"));
        String key = "Bearer " + System.getenv("SERVICE_KEY");
        client.setRequestInterceptor(request -> request.setHeader("Authorization", key));
        new OpenApiGenerator(client, body -> client.getObjectMapper().readValue(body, ErrorResponse.class));
    }
}
