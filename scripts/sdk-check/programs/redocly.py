from tell import LEARNER_ID, PDF_FILE, ROWS, SERVICE_KEY, SERVICE_URL, bulk, missing, newer, policies, report, tell
from client import ApiError, Client, CreateLearnersInput, DeleteLearnersInput, ErrorResponse
from client import LearnerCreationItem, UploadPolicyFileInput, decode

client = Client(SERVICE_URL, auth={"bearer": SERVICE_KEY})


def error_of(learner_id):
    try:
        client.get_learner(learner_id)
    except ApiError as error:
        return decode(ErrorResponse, error.body).error


def upload():
    with open(PDF_FILE, "rb") as pdf:
        return client.upload_policy_file(UploadPolicyFileInput(file=pdf.read())).data.sha256


rows = CreateLearnersInput(learners=[LearnerCreationItem(**row) for row in ROWS])
learner = DeleteLearnersInput(learner_ids=[LEARNER_ID])
tell("list", lambda: policies(client.list_policies().data))
tell("report", lambda: report(client.get_learning_report().data))
tell("missing", lambda: missing(error_of("nobody")))
tell("bulk", lambda: bulk(client.create_learners(rows).data))
tell("upload", upload)
tell("deletion", lambda: str(client.delete_learners(learner).data).lower())
tell("newer", lambda: newer(error_of("newer"), client.list_simulations().data))
