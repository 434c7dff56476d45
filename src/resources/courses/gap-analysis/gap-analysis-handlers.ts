import type { Handler, Schemas } from '../../../contract/contract.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { requireLearner } from '../../learners/shared/known-learners.ts';
import type { PairCall } from '../../learners/shared/learner-assignments.ts';
import type { PairOutcome } from '../../learners/shared/learner-pairs.ts';
import type { CourseLibrary } from '../authored/course-library.ts';
import { enrollments } from '../course-enrollments.ts';
import { getGapAnalysisId } from '../course-repository.ts';
import { type CourseFailureCode, failureMessages } from '../course-rules.ts';
import { findProposals } from './follow-up.ts';

/** Creates the handlers of operations on the gap analysis. */
export function createGapAnalysisHandlers(library: CourseLibrary) {
  const getLearnerGapAnalysisProposals: Handler<'getLearnerGapAnalysisProposals'> = async ({ learnerId }, tenant) => {
    await requireLearner(tenant, learnerId);
    const { proposals, ...attempt } = await findProposals(tenant, learnerId, library);
    return {
      ...attempt,
      proposals: proposals.map(({ id, name, score, status }) => ({ courseId: id, name, score, status })),
    };
  };
  return {
    createGapAnalysisEnrollments,
    sendGapAnalysisReminders,
    removeGapAnalysisEnrollments,
    getLearnerGapAnalysisProposals,
  };
}

const createGapAnalysisEnrollments: Handler<'createGapAnalysisEnrollments'> = async ({ body }, tenant) => {
  return ofGapAnalysis(await enrollments.add(tenant, await gapAnalysisPairs(tenant, body)));
};

const sendGapAnalysisReminders: Handler<'sendGapAnalysisReminders'> = async ({ body }, tenant) => {
  return ofGapAnalysis(await enrollments.remind(tenant, await gapAnalysisPairs(tenant, body)));
};

const removeGapAnalysisEnrollments: Handler<'removeGapAnalysisEnrollments'> = async ({ body }, tenant) => {
  const call = await gapAnalysisPairs(tenant, body, '; the result is kept');
  const { completedIds, failures } = ofGapAnalysis(await enrollments.remove(tenant, call));
  return { removedIds: completedIds, skipped: failures };
};

/** Pairs the learners with the gap analysis of the catalogue. @throws not_found if the catalogue has none */
async function gapAnalysisPairs(
  tenant: TenantWriter,
  { learnerIds }: Schemas['CreateGapAnalysisEnrollmentsInput'],
  note = '',
): Promise<PairCall<CourseFailureCode>> {
  const targetIds = [await getGapAnalysisId(tenant)];
  return { learnerIds, targetIds, failureMessages: failureMessages('the gap analysis', note) };
}

/** Removes the course from a response about the gap analysis, because the catalogue has only one. */
function ofGapAnalysis({ success, completed, unchanged, failures }: PairOutcome<'courseId', CourseFailureCode>) {
  return {
    success,
    completedIds: completed.map(({ learnerId }) => learnerId),
    unchangedIds: unchanged.map(({ learnerId }) => learnerId),
    failures: failures.map(({ learnerId, code, message }) => ({ learnerId, code, message })),
  };
}
