import { isErrorFromAlias } from '@zodios/core';
import { api, createApiClient } from './client.js';
import { bulk, LEARNER_ID, list, missing, newer, pdf, report, rows, SERVICE_KEY, SERVICE_URL, tell } from './tell.js';

const headers = { authorization: `Bearer ${SERVICE_KEY}` };
const client = createApiClient(SERVICE_URL!, { axiosConfig: { headers } });

async function failureOf(learnerId: string) {
  return client.getLearner({ params: { learnerId } }).then(
    () => {
      throw new Error('there is such a learner');
    },
    (error: Error) => {
      if (isErrorFromAlias(api.api, 'getLearner', error)) return error.response.data;
      throw error;
    },
  );
}

await tell({
  list: async () => list((await client.listPolicies()).data),
  report: async () => report((await client.getLearningReport()).data),
  missing: async () => missing(await failureOf('nobody')),
  bulk: async () => bulk((await client.createLearners({ learners: rows })).data),
  upload: async () => (await client.uploadPolicyFile({ file: await pdf() })).data.sha256,
  deletion: async () => String((await client.deleteLearners({ learnerIds: [LEARNER_ID!] })).data),
  newer: async () => newer(await failureOf('newer'), (await client.listSimulations()).data),
});
