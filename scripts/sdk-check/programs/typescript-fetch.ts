import { Configuration, type ErrorResponse, ErrorResponseFromJSON, ResponseError } from './client/index.js';
import { LearnersApi, PoliciesApi, ReportsApi, SimulationsApi } from './client/index.js';
import { bulk, LEARNER_ID, list, missing, newer, pdf, report, rows, SERVICE_KEY, SERVICE_URL, tell } from './tell.js';

const configuration = new Configuration({ basePath: SERVICE_URL!, accessToken: SERVICE_KEY! });
const learners = new LearnersApi(configuration);
const policies = new PoliciesApi(configuration);
const simulations = new SimulationsApi(configuration);

async function failureOf(learnerId: string): Promise<ErrorResponse> {
  return learners.getLearner({ learnerId }).then(
    () => {
      throw new Error('there is such a learner');
    },
    async (error: ResponseError) => ErrorResponseFromJSON(await error.response.json()),
  );
}

await tell({
  list: async () => list((await policies.listPolicies()).data),
  report: async () => report((await new ReportsApi(configuration).getLearningReport()).data),
  missing: async () => missing(await failureOf('nobody')),
  bulk: async () => bulk((await learners.createLearners({ createLearnersInput: { learners: rows } })).data),
  upload: async () => (await policies.uploadPolicyFile({ file: await pdf() })).data.sha256,
  deletion: async () =>
    String((await learners.deleteLearners({ deleteLearnersInput: { learnerIds: new Set([LEARNER_ID!]) } })).data),
  newer: async () => newer(await failureOf('newer'), (await simulations.listSimulations()).data),
});
