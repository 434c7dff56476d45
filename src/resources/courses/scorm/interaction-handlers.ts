import type { Handler } from '../../../contract/contract.ts';
import { sql } from '../../../db/sql.ts';
import { pointQuery } from '../../../db/statement.ts';
import { requireLearner } from '../../learners/shared/known-learners.ts';
import { getCourse } from '../course-repository.ts';
import type { Pair } from '../results/result-event-rules.ts';
import { readInteractions } from './interaction-rules.ts';

const reported = pointQuery<Pair, { attemptId: string; elements: string | null }>(
  'scorm_interactions',
  (p) => sql`
    select attempt_id as "attemptId", state ->> 'elements' as elements from package_progress
     where company_id = ${p.companyId} and learner_id = ${p.learnerId} and course_id = ${p.courseId}`,
);

export const getCourseInteractions: Handler<'getCourseInteractions'> = async ({ learnerId, courseId }, tenant) => {
  await requireLearner(tenant, learnerId);
  await getCourse(tenant, courseId);
  const found = await tenant.queryOne(reported, { learnerId, courseId });
  const interactions = readInteractions(found?.elements ?? null);
  return { learnerId, courseId, attemptId: found?.attemptId ?? null, interactions };
};
