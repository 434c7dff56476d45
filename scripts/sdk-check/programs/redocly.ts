import { type ApiError, createClient, type ErrorResponse, OPERATIONS, type Ops } from './client.js';
import { bulk, LEARNER_ID, list, missing, newer, pdf, report, rows, SERVICE_KEY, SERVICE_URL, tell } from './tell.js';

const client = createClient<Ops>(OPERATIONS, { serverUrl: SERVICE_URL! });
client.auth.bearer(SERVICE_KEY!);

async function failureOf(learnerId: string): Promise<ErrorResponse> {
  return client.getLearner({ path: { learnerId } }).then(
    () => {
      throw new Error('there is such a learner');
    },
    (error: ApiError) => error.body as ErrorResponse,
  );
}

async function upload(): Promise<string> {
  const body = new FormData();
  body.append('file', await pdf());
  return (await client.uploadPolicyFile({ body })).data.sha256;
}

await tell({
  list: async () => list((await client.listPolicies()).data),
  report: async () => report((await client.getLearningReport()).data),
  missing: async () => missing(await failureOf('nobody')),
  bulk: async () => bulk((await client.createLearners({ body: { learners: rows } })).data),
  upload,
  deletion: async () => String((await client.deleteLearners({ body: { learnerIds: [LEARNER_ID!] } })).data),
  newer: async () => newer(await failureOf('newer'), (await client.listSimulations()).data),
});
