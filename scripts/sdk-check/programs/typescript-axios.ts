import type { AxiosError } from 'axios';
import { Configuration, type ErrorResponse } from './client/index.js';
import { LearnersApi, PoliciesApi, ReportsApi, SimulationsApi } from './client/index.js';
import { bulk, LEARNER_ID, list, missing, newer, pdf, report, rows, SERVICE_KEY, SERVICE_URL, tell } from './tell.js';

const configuration = new Configuration({ basePath: SERVICE_URL!, accessToken: SERVICE_KEY! });
const learners = new LearnersApi(configuration);
const policies = new PoliciesApi(configuration);
const simulations = new SimulationsApi(configuration);

async function failureOf(learnerId: string): Promise<ErrorResponse> {
  return learners.getLearner(learnerId).then(
    () => {
      throw new Error('there is such a learner');
    },
    (error: AxiosError<ErrorResponse>) => error.response!.data,
  );
}

await tell({
  list: async () => list((await policies.listPolicies()).data.data),
  report: async () => report((await new ReportsApi(configuration).getLearningReport()).data.data),
  missing: async () => missing(await failureOf('nobody')),
  bulk: async () => bulk((await learners.createLearners({ learners: rows })).data.data),
  upload: async () => (await policies.uploadPolicyFile(await pdf())).data.data.sha256,
  deletion: async () => String((await learners.deleteLearners({ learnerIds: new Set([LEARNER_ID!]) })).data.data),
  newer: async () => newer(await failureOf('newer'), (await simulations.listSimulations()).data.data),
});
