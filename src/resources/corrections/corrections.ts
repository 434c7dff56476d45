// Corrections: recorded facts are voided, replaced or restored, never changed or deleted.
//
// A correction names a record by its `eventId`. So far, the records are course results. `correctRecords` runs in the
// transaction of its caller:
//
// 1. Find the records, and those that have the ids of replacements.
// 2. Keep the courses from being deleted, and lock the learners of the records in the order of their ids. Calls about
//    one learner, and calls that record results of a learner, wait for each other.
// 3. Judge each item: made, in effect already, or a failure with a code (correction-rules.ts).
// 4. Insert the replacements. If another call has used one of the ids for another learner, continue from step 3.
// 5. Void and restore the records, and derive the attempts again (src/resources/courses/results/correct-results.ts).
// 6. Store the corrections with their reasons, and write a `record.corrected` event for each.
//
// Guarantees:
// - The attempts are those of the records that count, as if the voided ones had never been recorded. What remains from
//   before are the ids of attempts, the times of their mails, and the grades of scores that did not change. A restored
//   record has the grade that it was recorded with.
// - A correction that is sent again changes nothing.
// - A voided record that its sender sends again stays voided.
//
// Not for: milestones of simulations, which an admin withdraws (src/resources/simulations/events/withdraw-milestone.ts).
import { v7 as uuidv7 } from 'uuid';
import type { Schemas } from '../../contract/contract.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { findCourses } from '../courses/course-keys.ts';
import { correctResults } from '../courses/results/correct-results.ts';
import { findFacts, insertFacts } from '../courses/results/result-event-repository.ts';
import { distinctPairs, formatPair, type Pair } from '../courses/results/result-event-rules.ts';
import { writeEvents } from '../events/log/write-events.ts';
import { lockLearnerStates } from '../learners/shared/learner-locks.ts';
import { type JudgedCorrections, judgeCorrections } from './correction-rules.ts';
import { findCorrectableResults, insertCorrections, type StoredCorrection } from './correction-repository.ts';

type Inputs = readonly Schemas['CorrectionInput'][];

/** Corrects records in the caller's transaction. Returns the outcome of each correction. */
export async function correctRecords(tenant: TenantWriter, inputs: Inputs): Promise<Schemas['CorrectedRecords']> {
  const learnerIds = await lockLearnersOf(tenant, inputs);
  const judged = await judgeAndInsert(tenant, inputs);
  if (judged.corrections.length === 0) return judged.outcome;
  tenant.addTargets('learnerId', learnerIds);
  const attemptIds = await correctResults(tenant, judged);
  const corrections = judged.corrections.map((correction): StoredCorrection => {
    const attemptId = correction.action === 'restore' ? null : (attemptIds.get(correction.eventId) ?? null);
    return { ...correction, id: uuidv7(), attemptId };
  });
  await insertCorrections(tenant, corrections);
  await writeEvents(
    tenant,
    corrections.map(({ id: correctionId, kind, eventId, learnerId, action, replacementEventId }) => {
      return { type: 'record.corrected', data: { correctionId, kind, eventId, learnerId, action, replacementEventId } };
    }),
  );
  return judged.outcome;
}

/** Locks the courses and learners of the records to correct. Returns the ids of the learners. */
async function lockLearnersOf(tenant: TenantWriter, inputs: Inputs): Promise<string[]> {
  const found = await findCorrectableResults(tenant, distinct(inputs.map(({ eventId }) => eventId)));
  const records = [...found.values()];
  await findCourses(tenant, distinct(records.map(({ courseId }) => courseId)));
  const learnerIds = distinct(records.map(({ learnerId }) => learnerId));
  await lockLearnerStates(tenant, learnerIds);
  return learnerIds;
}

async function judgeAndInsert(tenant: TenantWriter, inputs: Inputs): Promise<JudgedCorrections> {
  const eventIds = distinct(inputs.flatMap(({ eventId, replacement }) => [eventId, replacement?.eventId ?? eventId]));
  const ownIds = new Set<string>();
  for (;;) {
    const found = await findCorrectableResults(tenant, eventIds);
    const recorded = new Map([...found].filter(([eventId]) => !ownIds.has(eventId)));
    const facts = await findFacts(tenant, distinctPairs(recorded.values()));
    const countResults = (pair: Pair) => {
      return (facts.get(formatPair(pair)) ?? []).filter(({ eventId }) => !ownIds.has(eventId)).length;
    };
    const judged = judgeCorrections(inputs, { now: new Date(), recorded, countResults });
    const added = judged.replacements;
    for (const eventId of (await insertFacts(tenant, added)).keys()) ownIds.add(eventId);
    if (added.every(({ eventId }) => ownIds.has(eventId))) return judged;
  }
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
