import uuid
from tell import LEARNER_ID, PDF_FILE, ROWS, SERVICE_KEY, SERVICE_URL, bulk, missing, newer, policies, report, tell
from client import AuthenticatedClient
from client.api.learners import create_learners, delete_learners, get_learner
from client.api.policies import list_policies, upload_policy_file
from client.api.reports import get_learning_report
from client.api.simulations import list_simulations
from client.models import CreateLearnersInput, DeleteLearnersInput, LearnerCreationItem, UploadPolicyFileInput
from client.types import File

client = AuthenticatedClient(base_url=SERVICE_URL, token=SERVICE_KEY)


def upload():
    with open(PDF_FILE, "rb") as pdf:
        body = UploadPolicyFileInput(file=File(payload=pdf, file_name="acceptable-use.pdf", mime_type="application/pdf"))
        return upload_policy_file.sync(client=client, body=body).data.sha256


rows = CreateLearnersInput(learners=[LearnerCreationItem(**row) for row in ROWS])
learner = DeleteLearnersInput(learner_ids=[uuid.UUID(LEARNER_ID)])
tell("list", lambda: policies(list_policies.sync(client=client).data))
tell("report", lambda: report(get_learning_report.sync(client=client).data))
tell("missing", lambda: missing(get_learner.sync("nobody", client=client).error))
tell("bulk", lambda: bulk(create_learners.sync(client=client, body=rows).data))
tell("upload", upload)
tell("deletion", lambda: str(delete_learners.sync(client=client, body=learner).data).lower())
tell("newer", lambda: newer(get_learner.sync("newer", client=client).error, list_simulations.sync(client=client).data))
