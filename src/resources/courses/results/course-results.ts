// Course results: reported results are facts, and the attempts of a learner at a course are derived from all of them.
//
// A fact is a start, a finish or both, with the `eventId` of its sender (`course_result_events`). Facts come from `POST
// /course-results`, from xAPI, and from the service's own course and package pages. `recordResults` runs in the
// transaction of its caller:
//
// 1. Find the learners and the courses of the inputs.
// 2. Lock the learners in the order of their ids. Calls about the same learner wait for each other, so no call derives
//    attempts without the other's facts.
// 3. Read the recorded facts with the same ids, and all facts of those learners and courses.
// 4. Judge each input: new, recorded already, or a failure with a code (result-event-rules.ts).
// 5. Insert the new facts. If another call has used one of their ids for a different learner, continue from step 3.
// 6. Derive the attempts from all facts of each learner and course (attempt-rules.ts). Write the attempts that have
//    changed.
//
// Deriving. Each finish is an attempt. A start belongs to the first finish after it, or to the open attempt if there is
// none. An enrolment that was open before the first fact becomes a fact itself. `enrollments` holds the newest attempt,
// and `enrollment_attempts` holds the finished attempts before it.
//
// Guarantees:
// - A repeated fact changes nothing. The same id with different content fails with `event_id_reused`.
// - The same facts lead to the same attempts, in whatever order they arrive.
// - A fact keeps its grade. If the sender states neither a grade nor a pass mark, the course's pass mark at the time of
//   recording grades the score.
// - A fact keeps its days, which are computed in the company's time zone when it is recorded. A new time zone does not
//   move them, and a replacement with the same time keeps the day.
// - A recorded grade is kept unless its fact is voided; triggers enforce this (migrations/*_create_enrollments.ts).
// - A fact never changes, and is deleted with its learner. A correction voids or restores it (correct-results.ts).
//
// Failures concern single items; the other items are recorded. For xAPI, one reused id fails the whole call
// (`ReusedEventIds`). A learner can have at most 1,000 facts per course, because deriving attempts reads all of them.
//
// Not for: a learner's answers within an attempt (attempt-state-repository.ts).
import type { Schemas } from '../../../contract/contract.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { type FindLearnerId, findLearnersByKeys } from '../../learners/shared/learner-keys.ts';
import { lockLearnerStates } from '../../learners/shared/learner-locks.ts';
import { findAttempts, type PairAttempts, saveAttempts } from './attempt-repository.ts';
import { deriveAttempts, enrolmentFact, type Fact } from './attempt-rules.ts';
import { findCoursesByKeys, type FindCourseId } from '../course-keys.ts';
import {
  findFacts,
  findRecordedResults,
  type GradedResult,
  insertFacts,
  type NewFact,
  type ResultDays,
  toFact,
  toNewFact,
} from './result-event-repository.ts';
import { distinctPairs, judgeResults, type Pair, formatPair } from './result-event-rules.ts';

type Inputs = readonly Schemas['CourseResultInput'][];

/** Error for results that reuse the ids of other results, in a call that must be recorded completely or not at all. */
export class ReusedEventIds extends Error {
  /** Positions of the results in the call. */
  readonly indexes: number[];

  constructor(indexes: number[]) {
    super('Another result already has this `eventId`.');
    this.indexes = indexes;
  }
}

/** @throws {ReusedEventIds} */
export function requireOwnEventIds({ failures }: Schemas['RecordedCourseResults']): void {
  const reused = failures.filter(({ code }) => code === 'event_id_reused');
  if (reused.length > 0) throw new ReusedEventIds(reused.map(({ index }) => index));
}

/** Records results in the caller's transaction, and derives their attempts. Returns the outcome of each result. */
export async function recordResults(tenant: TenantWriter, inputs: Inputs): Promise<Schemas['RecordedCourseResults']> {
  const findLearnerId = await findLearnersByKeys(
    tenant,
    inputs.map(({ learner }) => learner),
  );
  const findCourseId = await findCoursesByKeys(
    tenant,
    inputs.map(({ course }) => course),
  );
  const pairs = listPairs(inputs, findLearnerId, findCourseId);
  await lockLearnerStates(tenant, distinct(pairs.map(({ learnerId }) => learnerId)));
  const eventIds = distinct(inputs.map(({ eventId }) => eventId));
  for (;;) {
    const recorded = await findRecordedResults(tenant, eventIds);
    const facts = await findFacts(tenant, pairs);
    const countResults = (pair: Pair) => facts.get(formatPair(pair))?.length ?? 0;
    const { added, outcome } = judgeResults(inputs, {
      now: new Date(),
      findLearnerId,
      findCourseId,
      recorded,
      countResults,
    });
    const inserted = await insertFacts(tenant, added);
    const news = added.flatMap((result) => {
      const recordedAs = inserted.get(result.eventId);
      return recordedAs ? { ...result, ...recordedAs } : [];
    });
    await derive(tenant, news, facts);
    // A concurrent call used one of the ids for another learner: judge again, now with the records of that call.
    if (inserted.size === added.length) return outcome;
  }
}

/** Returns the distinct pairs of existing learners and courses. */
function listPairs(inputs: Inputs, findLearnerId: FindLearnerId, findCourseId: FindCourseId): Pair[] {
  return distinctPairs(
    inputs.flatMap(({ learner, course }) => {
      const learnerId = findLearnerId(learner);
      const courseId = findCourseId(course);
      return learnerId === undefined || courseId === undefined ? [] : { learnerId, courseId };
    }),
  );
}

async function derive(
  tenant: TenantWriter,
  news: readonly (GradedResult & ResultDays)[],
  factsByPair: ReadonlyMap<string, Fact[]>,
): Promise<void> {
  if (news.length === 0) return;
  const byPair = Map.groupBy(news, formatPair);
  const storedAttempts = await findAttempts(
    tenant,
    [...byPair.values()].map((results) => results[0]!),
  );
  const enrolments: NewFact[] = [];
  const derived: PairAttempts[] = [];
  for (const [pair, results] of byPair) {
    const { learnerId, courseId } = results[0]!;
    const stored = storedAttempts.get(pair) ?? [];
    const before = factsByPair.get(pair) ?? [];
    const enrolment = enrolmentFact(stored, before);
    if (enrolment) enrolments.push(toNewFact({ ...enrolment, learnerId, courseId }));
    const facts = [...before, ...(enrolment ? [enrolment] : []), ...results.map(toFact)];
    const newIds = new Set(results.map(({ eventId }) => eventId));
    derived.push({ learnerId, courseId, stored, attempts: deriveAttempts({ stored, facts, newIds }) });
  }
  await insertFacts(tenant, enrolments);
  await saveAttempts(tenant, derived);
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
