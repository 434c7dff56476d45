import uuid
from tell import LEARNER_ID, PDF_FILE, ROWS, SERVICE_KEY, SERVICE_URL, bulk, missing, newer, policies, report, tell
from openapi_client import ApiClient, ApiException, Configuration
from openapi_client import CreateLearnersInput, DeleteLearnersInput, LearnerCreationItem
from openapi_client import LearnersApi, PoliciesApi, ReportsApi, SimulationsApi

client = ApiClient(Configuration(host=SERVICE_URL, access_token=SERVICE_KEY))
learners = LearnersApi(client)


def error_of(learner_id):
    try:
        learners.get_learner(learner_id)
    except ApiException as error:
        return error.data.error


rows = CreateLearnersInput(learners=[LearnerCreationItem(**row) for row in ROWS])
learner = DeleteLearnersInput(learner_ids=[uuid.UUID(LEARNER_ID)])
tell("list", lambda: policies(PoliciesApi(client).list_policies().data))
tell("report", lambda: report(ReportsApi(client).get_learning_report().data))
tell("missing", lambda: missing(error_of("nobody")))
tell("bulk", lambda: bulk(learners.create_learners(rows).data))
tell("upload", lambda: PoliciesApi(client).upload_policy_file(PDF_FILE).data.sha256)
tell("deletion", lambda: str(learners.delete_learners(learner).data).lower())
tell("newer", lambda: newer(error_of("newer"), SimulationsApi(client).list_simulations().data))
