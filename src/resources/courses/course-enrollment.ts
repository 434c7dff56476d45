import type { TenantWriter } from '../../db/tenant.ts';
import { type Judge, type PairOutcome, pairOutcome } from '../learners/learner-pairs.ts';
import { lockLearnerStates } from '../learners/learner-repository.ts';
import { findCourseIds } from './course-repository.ts';
import {
  type CourseFailureCode,
  failureMessages,
  judgeEnrollment,
  judgeReminder,
  judgeRemoval,
  type PairFacts,
  partsOf,
  requireFewPairs,
} from './course-rules.ts';
import * as repository from './enrollment-repository.ts';

export type CourseOutcome = PairOutcome<'courseId', CourseFailureCode>;

/** What is asked: which learners in which courses, and how the answer calls such a course. */
export interface CoursePairs extends repository.Pairs {
  courseName: string;
}

/** Enrols each learner in each course, and queues one message for each learner who is new to one. */
export async function enroll(tenant: TenantWriter, pairs: CoursePairs): Promise<CourseOutcome> {
  const judge = await decide(tenant, pairs, async (tx, facts) => {
    for (const part of partsOf(pairs)) await repository.insertEnrollments(tx, part);
    return judgeEnrollment(facts);
  });
  return outcome(pairs, judge, failureMessages(pairs.courseName));
}

/** Queues one message for each learner who has not finished one of the courses. */
export async function remind(tenant: TenantWriter, pairs: CoursePairs): Promise<CourseOutcome> {
  const judge = await decide(tenant, pairs, async (tx, facts) => {
    for (const part of partsOf(pairs)) await repository.remindOfEnrollments(tx, part);
    return judgeReminder(facts, await inParts(pairs, (part) => repository.findEnrollments(tx, part)));
  });
  return outcome(pairs, judge, failureMessages(pairs.courseName));
}

/** Removes each learner from each course that is not finished. */
export async function unenroll(tenant: TenantWriter, pairs: CoursePairs): Promise<CourseOutcome> {
  const judge = await decide(tenant, pairs, async (tx, facts) => {
    const removed = await inParts(pairs, (part) => repository.removeEnrollments(tx, part));
    return judgeRemoval(facts, removed, await inParts(pairs, (part) => repository.findEnrollments(tx, part)));
  });
  return outcome(pairs, judge, failureMessages(pairs.courseName, { resultIsKept: true }));
}

/** Acts in one transaction in which the learners stay as they are, and returns what judges each pair. */
function decide(
  tenant: TenantWriter,
  { courseIds, learnerIds }: repository.Pairs,
  act: (tx: TenantWriter, facts: PairFacts) => Promise<Judge<CourseFailureCode>>,
): Promise<Judge<CourseFailureCode>> {
  requireFewPairs(courseIds, learnerIds, 'body/courseIds');
  return tenant.transaction(async (tx) => {
    const inactive = await lockLearnerStates(tx, learnerIds);
    return act(tx, { inactive, courseIds: await findCourseIds(tx, courseIds) });
  });
}

/** Reads part by part what there is for each learner. */
async function inParts<T>(
  pairs: repository.Pairs,
  read: (part: repository.Pairs) => Promise<ReadonlyMap<string, T>>,
): Promise<Map<string, T>> {
  const all = new Map<string, T>();
  for (const part of partsOf(pairs)) for (const [learnerId, found] of await read(part)) all.set(learnerId, found);
  return all;
}

function outcome(
  { learnerIds, courseIds }: repository.Pairs,
  judge: Judge<CourseFailureCode>,
  messages: Record<CourseFailureCode, string>,
): CourseOutcome {
  return pairOutcome({ learnerIds, targetIds: courseIds }, 'courseId', judge, messages);
}
