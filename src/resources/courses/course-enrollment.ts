import type { TenantWriter } from '../../db/tenant.ts';
import { type Judge, type PairOutcome, pairOutcome } from '../learners/learner-pairs.ts';
import { lockLearnerStates } from '../learners/learner-repository.ts';
import { findCourseIds } from './course-repository.ts';
import {
  type CourseFailureCode,
  courseFailureMessages,
  judgeEnrollment,
  judgeReminder,
  judgeRemoval,
  type PairFacts,
  requireFewPairs,
} from './course-rules.ts';
import {
  findEnrollments,
  insertEnrollments,
  type Pairs,
  remindOfEnrollments,
  removeEnrollments,
} from './enrollment-repository.ts';

export type CourseOutcome = PairOutcome<'courseId', CourseFailureCode>;

/** Enrols each learner in each course, and queues one message for each learner who is new to one. */
export function enroll(tenant: TenantWriter, pairs: Pairs): Promise<CourseOutcome> {
  return decide(tenant, pairs, async (tx, facts) => {
    await insertEnrollments(tx, pairs);
    return judgeEnrollment(facts);
  });
}

/** Queues one message for each learner who has not finished one of the courses. */
export function remind(tenant: TenantWriter, pairs: Pairs): Promise<CourseOutcome> {
  return decide(tenant, pairs, async (tx, facts) => {
    await remindOfEnrollments(tx, pairs);
    return judgeReminder(facts, await findEnrollments(tx, pairs));
  });
}

/** Removes each learner from each course that is not finished. */
export function unenroll(tenant: TenantWriter, pairs: Pairs): Promise<CourseOutcome> {
  return decide(tenant, pairs, async (tx, facts) => {
    const removed = await removeEnrollments(tx, pairs);
    return judgeRemoval(facts, removed, await findEnrollments(tx, pairs));
  });
}

/** Acts in one transaction in which the learners stay as they are, and says what became of each pair. */
async function decide(
  tenant: TenantWriter,
  pairs: Pairs,
  act: (tx: TenantWriter, facts: PairFacts) => Promise<Judge<CourseFailureCode>>,
): Promise<CourseOutcome> {
  requireFewPairs(pairs.courseIds, pairs.learnerIds, 'body/courseIds');
  const judge = await tenant.transaction(async (tx) => {
    const inactive = await lockLearnerStates(tx, pairs.learnerIds);
    return act(tx, { inactive, courseIds: await findCourseIds(tx, pairs.courseIds) });
  });
  const asked = { learnerIds: pairs.learnerIds, targetIds: pairs.courseIds };
  return pairOutcome(asked, 'courseId', judge, courseFailureMessages);
}
