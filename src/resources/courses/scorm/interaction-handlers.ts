import type { Handler } from '../../../contract/contract.ts';
import { sql } from '../../../db/sql.ts';
import { pointQuery } from '../../../db/statement.ts';
import { requireLearner } from '../../learners/shared/known-learners.ts';
import { getCourse } from '../course-repository.ts';
import type { Pair } from '../results/result-event-rules.ts';
import { listInteractions } from './interaction-rules.ts';
import type { PackageState } from './package-state.ts';

const reported = pointQuery<Pair, { attemptId: string; state: PackageState }>(
  'scorm_interactions',
  (p) => sql`
    select attempt_id as "attemptId", state from package_progress
     where company_id = ${p.companyId} and learner_id = ${p.learnerId} and course_id = ${p.courseId}`,
);

export const getCourseInteractions: Handler<'getCourseInteractions'> = async ({ learnerId, courseId }, tenant) => {
  await requireLearner(tenant, learnerId);
  await getCourse(tenant, courseId);
  const found = await tenant.queryOne(reported, { learnerId, courseId });
  const interactions = found ? await listInteractions(found.state) : [];
  return { learnerId, courseId, attemptId: found?.attemptId ?? null, interactions };
};
