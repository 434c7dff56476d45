import type { TenantWriter } from '../../db/tenant.ts';
import {
  type AskedPairs,
  inParts,
  type Judge,
  type PairOutcome,
  pairOutcome,
  partsOf,
  requireFewPairs,
} from '../people/learner-pairs.ts';
import { lockLearnerStates } from '../people/learner-locks.ts';
import { findCourseIds } from './course-repository.ts';
import {
  type CourseFailureCode,
  failureMessages,
  judgeEnrollment,
  judgeReminder,
  judgeRemoval,
  type PairFacts,
} from './course-rules.ts';
import * as repository from './enrollment-repository.ts';

export type CourseOutcome = PairOutcome<'courseId', CourseFailureCode>;

/** What is asked: which learners in which courses, and how the answer calls such a course. */
export interface CoursePairs extends AskedPairs {
  courseName: string;
}

/** Enrols each learner in each course, and queues one message for each learner who is new to one. */
export async function enroll(tenant: TenantWriter, pairs: CoursePairs): Promise<CourseOutcome> {
  const judge = await decide(tenant, pairs, async (tx, facts) => {
    for (const part of partsOf(pairs)) await repository.insertEnrollments(tx, part);
    return judgeEnrollment(facts);
  });
  return pairOutcome(pairs, 'courseId', judge, failureMessages(pairs.courseName));
}

/** Queues one message for each learner who has not finished one of the courses. */
export async function remind(tenant: TenantWriter, pairs: CoursePairs): Promise<CourseOutcome> {
  const judge = await decide(tenant, pairs, async (tx, facts) => {
    for (const part of partsOf(pairs)) await repository.remindOfEnrollments(tx, part);
    return judgeReminder(facts, await inParts(pairs, (part) => repository.findEnrollments(tx, part)));
  });
  return pairOutcome(pairs, 'courseId', judge, failureMessages(pairs.courseName));
}

/** Removes each learner from each course that is not finished. */
export async function unenroll(tenant: TenantWriter, pairs: CoursePairs): Promise<CourseOutcome> {
  const judge = await decide(tenant, pairs, async (tx, facts) => {
    const removed = await inParts(pairs, (part) => repository.removeEnrollments(tx, part));
    return judgeRemoval(facts, removed, await inParts(pairs, (part) => repository.findEnrollments(tx, part)));
  });
  return pairOutcome(pairs, 'courseId', judge, failureMessages(pairs.courseName, { resultIsKept: true }));
}

/** Acts in one transaction in which the learners stay as they are, and returns what judges each pair. */
function decide(
  tenant: TenantWriter,
  pairs: AskedPairs,
  act: (tx: TenantWriter, facts: PairFacts) => Promise<Judge<CourseFailureCode>>,
): Promise<Judge<CourseFailureCode>> {
  requireFewPairs(pairs, 'body/courseIds');
  return tenant.transaction(async (tx) => {
    const inactive = await lockLearnerStates(tx, pairs.learnerIds);
    return act(tx, { inactive, courseIds: await findCourseIds(tx, pairs.targetIds) });
  });
}
