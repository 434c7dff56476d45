import { client } from './client/client.gen.js';
import {
  createLearners,
  deleteLearners,
  getLearner,
  getLearningReport,
  listPolicies,
  listSimulations,
  uploadPolicyFile,
} from './client/sdk.gen.js';
import { bulk, LEARNER_ID, list, missing, newer, pdf, report, rows, SERVICE_KEY, SERVICE_URL, tell } from './tell.js';

client.setConfig({ baseUrl: SERVICE_URL!, auth: () => SERVICE_KEY! });
const throwOnError = true;

async function failureOf(learnerId: string) {
  const { error } = await getLearner({ path: { learnerId } });
  return error!;
}

await tell({
  list: async () => list((await listPolicies({ throwOnError })).data.data),
  report: async () => report((await getLearningReport({ throwOnError })).data.data),
  missing: async () => missing(await failureOf('nobody')),
  bulk: async () => bulk((await createLearners({ body: { learners: rows }, throwOnError })).data.data),
  upload: async () => (await uploadPolicyFile({ body: { file: await pdf() }, throwOnError })).data.data.sha256,
  deletion: async () => String((await deleteLearners({ body: { learnerIds: [LEARNER_ID!] }, throwOnError })).data.data),
  newer: async () => newer(await failureOf('newer'), (await listSimulations({ throwOnError })).data.data),
});
