import org.openapitools.client.ApiClient;
import org.openapitools.client.model.ErrorResponse;

final class Call {
    public static void main(String[] arguments) {
        ApiClient client = new ApiClient();
        client.setBasePath(System.getenv("SERVICE_URL"));
        client.setBearerToken(System.getenv("SERVICE_KEY"));
        new OpenApiGenerator(client, ErrorResponse::fromJson);
        // Its threads outlive the calls by a minute.
        System.exit(0);
    }
}
