import {
  createLearners,
  deleteLearners,
  getLearner,
  getLearningReport,
  listPolicies,
  listSimulations,
  uploadPolicyFile,
} from './client.js';
import { bulk, LEARNER_ID, list, missing, newer, pdf, report, rows, SERVICE_KEY, tell } from './tell.js';

const options = { headers: { authorization: `Bearer ${SERVICE_KEY}` } };

async function failureOf(learnerId: string) {
  const answer = await getLearner(learnerId, undefined, options);
  if (answer.status === 200) throw new Error('there is such a learner');
  return answer.data;
}

/** @throws if the response is an error */
function dataOf<T>(answer: { status: 200; data: { data: T } } | { status: unknown; data: object }): T {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.data));
  return (answer as { data: { data: T } }).data.data;
}

await tell({
  list: async () => list(dataOf(await listPolicies(undefined, options))),
  report: async () => report(dataOf(await getLearningReport(undefined, options))),
  missing: async () => missing(await failureOf('nobody')),
  bulk: async () => bulk(dataOf(await createLearners({ learners: rows }, options))),
  upload: async () => dataOf(await uploadPolicyFile({ file: await pdf() }, options)).sha256,
  deletion: async () => String(dataOf(await deleteLearners({ learnerIds: [LEARNER_ID!] }, options))),
  newer: async () => newer(await failureOf('newer'), dataOf(await listSimulations(undefined, options))),
});
