import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import securityawarenessprogramservice.Client;

final class Call {
    interface Reader {
        String read() throws Exception;
    }

    /** Reads the field `data` of a response, which the client calls data2. */
    private static Client client;

    public static void main(String[] arguments) {
        Client.Auth auth = new Client.Auth().bearer(System.getenv("SERVICE_KEY"));
        client = new Client(new Client.Config().serverUrl(System.getenv("SERVICE_URL")).auth(auth));
        tell("list", () -> {
            var data = client.listPolicies(null).data2();
            long uncategorised = data.stream().filter(policy -> policy.category() == null).count();
            return data.size() + " policies, " + uncategorised + " uncategorised";
        });
        tell("report", () -> {
            var data = client.getLearningReport(null).data2();
            long ungraded = data.rows().stream().filter(row -> row.grade() == null).count();
            return String.format(Locale.ROOT, "%d rows, %d ungraded, %d passed, %.2f",
                data.rows().size(), ungraded, data.summary().passedCount(), data.summary().averageScore());
        });
        tell("missing", () -> {
            var error = errorOf("nobody");
            return error.code() + ", " + error.details().size() + " details";
        });
        tell("bulk", () -> {
            var rows = List.of(item(System.getenv("EMAIL")), item("ada@gmail.com"));
            var data = client.createLearners(new Client.CreateLearnersInput(rows)).data2();
            return data.success() + ", " + data.errors().stream()
                .map(error -> error.index() + " " + error.code()).collect(Collectors.joining(", "));
        });
        tell("upload", () -> {
            // The client takes the bytes of a file as text.
            byte[] pdf = Files.readAllBytes(Path.of(System.getenv("PDF_FILE")));
            String text = new String(pdf, StandardCharsets.ISO_8859_1);
            return client.uploadPolicyFile(new Client.UploadPolicyFileInput(text)).data2().sha256();
        });
        tell("deletion", () -> {
            var ids = List.of(System.getenv("LEARNER_ID"));
            return String.valueOf(client.deleteLearners(new Client.DeleteLearnersInput(ids)).data2());
        });
        tell("newer", () -> {
            return errorOf("newer").code() + ", " + client.listSimulations(null).data2().get(0).status();
        });
    }

    private static Client.LearnerCreationItem item(String email) {
        return new Client.LearnerCreationItem(email, "Ada", "Byron", /* omitted: LearnerCreationItem */);
    }

    private static Client.ErrorDetail errorOf(String learnerId) {
        try {
            client.getLearner(learnerId, null);
        } catch (Client.ApiException failure) {
            return Client.ErrorResponse.fromJson(failure.body).error();
        }
        throw new IllegalStateException("there is such a learner");
    }

    /** Makes a call and prints its result or its error. */
    private static void tell(String name, Reader call) {
        String words;
        try {
            words = call.read();
        } catch (Exception error) {
            words = "! " + error;
        }
        System.out.println(name + ": " + words.replaceAll("\\s+", " "));
    }
}
