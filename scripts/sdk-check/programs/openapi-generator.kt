import java.io.File
import java.util.UUID
import org.openapitools.client.apis.LearnersApi
import org.openapitools.client.apis.PoliciesApi
import org.openapitools.client.apis.ReportsApi
import org.openapitools.client.apis.SimulationsApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.models.CreateLearnersInput
import org.openapitools.client.models.DeleteLearnersInput
import org.openapitools.client.models.ErrorDetail
import org.openapitools.client.models.ErrorResponse
import org.openapitools.client.models.LearnerCreationItem

val url: String = System.getenv("SERVICE_URL")
val learners = LearnersApi(url)
val policies = PoliciesApi(url)

/** Makes a call and prints its result or its error. */
fun tell(name: String, call: () -> String) {
    val words = try { call() } catch (error: Exception) { "! $error" }
    println("$name: ${words.replace(Regex("\\s+"), " ")}")
}

fun errorOf(learnerId: String): ErrorDetail {
    try {
        learners.getLearner(learnerId)
    } catch (failure: ClientException) {
        val body = (failure.response as ClientError<*>).body as String
        return Serializer.moshi.adapter(ErrorResponse::class.java).fromJson(body)!!.error
    }
    throw IllegalStateException("there is such a learner")
}

fun main() {
    ApiClient.accessToken = System.getenv("SERVICE_KEY")
    tell("list") {
        val data = policies.listPolicies().data
        "${data.size} policies, ${data.count { it.category == null }} uncategorised"
    }
    tell("report") {
        val (_, summary, rows) = ReportsApi(url).getLearningReport().data
        val average = String.format(java.util.Locale.ROOT, "%.2f", summary.averageScore)
        "${rows.size} rows, ${rows.count { it.grade == null }} ungraded, ${summary.passedCount} passed, $average"
    }
    tell("missing") {
        val error = errorOf("nobody")
        "${error.code}, ${error.details.size} details"
    }
    tell("bulk") {
        val rows = listOf(System.getenv("EMAIL"), "ada@gmail.com").map { LearnerCreationItem(it, "Ada", "Byron") }
        val data = learners.createLearners(CreateLearnersInput(rows)).data
        "${data.success}, ${data.errors.joinToString(", ") { "${it.index} ${it.code}" }}"
    }
    tell("upload") { policies.uploadPolicyFile(File(System.getenv("PDF_FILE"))).data.sha256 }
    tell("deletion") {
        val ids = setOf(UUID.fromString(System.getenv("LEARNER_ID")))
        learners.deleteLearners(DeleteLearnersInput(ids)).data.toString()
    }
    tell("newer") { "${errorOf("newer").code}, ${SimulationsApi(url).listSimulations().data[0].status}" }
    // The threads of OkHttp outlive the calls by a minute.
    System.exit(0)
}
