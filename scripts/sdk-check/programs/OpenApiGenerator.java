import java.io.File;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.openapitools.client.api.LearnersApi;
import org.openapitools.client.api.PoliciesApi;
import org.openapitools.client.api.ReportsApi;
import org.openapitools.client.api.SimulationsApi;
import org.openapitools.client.model.CreateLearnersInput;
import org.openapitools.client.model.DeleteLearnersInput;
import org.openapitools.client.model.ErrorDetail;
import org.openapitools.client.model.ErrorResponse;
import org.openapitools.client.model.LearnerCreationItem;

/** The calls of openapi-generator's Java clients, which differ in their setup and their exceptions. */
final class OpenApiGenerator {
    interface Call {
        String read() throws Exception;
    }

    interface Reader {
        ErrorResponse read(Exception failure) throws Exception;
    }

    private final LearnersApi learners;
    private final Reader reader;

    OpenApiGenerator(
            LearnersApi learners, PoliciesApi policies, ReportsApi reports, SimulationsApi simulations, Reader reader) {
        this.learners = learners;
        this.reader = reader;
        tell("list", () -> {
            var data = policies.listPolicies(/* omitted: listPolicies */).getData();
            long uncategorised = data.stream().filter(policy -> policy.getCategory() == null).count();
            return data.size() + " policies, " + uncategorised + " uncategorised";
        });
        tell("report", () -> {
            var data = reports.getLearningReport(/* omitted: getLearningReport */).getData();
            long ungraded = data.getRows().stream().filter(row -> row.getGrade() == null).count();
            var summary = data.getSummary();
            return String.format(Locale.ROOT, "%d rows, %d ungraded, %d passed, %.2f",
                data.getRows().size(), ungraded, summary.getPassedCount(), summary.getAverageScore());
        });
        tell("missing", () -> {
            ErrorDetail error = errorOf("nobody");
            return error.getCode() + ", " + error.getDetails().size() + " details";
        });
        tell("bulk", () -> {
            var rows = List.of(item(System.getenv("EMAIL")), item("ada@gmail.com"));
            var data = learners.createLearners(new CreateLearnersInput().learners(rows), /* omitted: createLearners */).getData();
            return data.getSuccess() + ", " + data.getErrors().stream()
                .map(error -> error.getIndex() + " " + error.getCode()).collect(Collectors.joining(", "));
        });
        tell("upload", () -> policies.uploadPolicyFile(new File(System.getenv("PDF_FILE")), /* omitted: uploadPolicyFile */).getData().getSha256());
        tell("deletion", () -> {
            var ids = Set.of(UUID.fromString(System.getenv("LEARNER_ID")));
            return String.valueOf(learners.deleteLearners(new DeleteLearnersInput().learnerIds(ids), /* omitted: deleteLearners */).getData());
        });
        tell("newer", () -> {
            var data = simulations.listSimulations(/* omitted: listSimulations */).getData();
            return errorOf("newer").getCode() + ", " + data.get(0).getStatus();
        });
    }

    private static LearnerCreationItem item(String email) {
        return new LearnerCreationItem().email(email).firstName("Ada").lastName("Byron");
    }

    private ErrorDetail errorOf(String learnerId) throws Exception {
        try {
            // Feign has another getLearner, with the query parameters in a map.
            learners.getLearner(learnerId, null, (String) null);
        } catch (Exception failure) {
            return reader.read(failure).getError();
        }
        throw new IllegalStateException("there is such a learner");
    }

    /** Makes a call and prints its result or its error. */
    private static void tell(String name, Call call) {
        String words;
        try {
            words = call.read();
        } catch (Exception error) {
            words = "! " + error;
        }
        System.out.println(name + ": " + words.replaceAll("\\s+", " "));
    }
}
