// Corrections: recorded facts are voided, replaced or restored, never changed or deleted.
//
// A correction names a record by its kind and its `eventId`. Each kind has its own file (`RecordKind`): course results
// (result-corrections.ts), policy signatures (signature-corrections.ts), and simulation events together with reported
// messages (event-corrections.ts). `correctRecords` runs in the transaction of its caller:
//
// 1. Find the records, prevent the deletion of their courses and policies, and lock their simulations.
// 2. Lock the learners of all records in the order of their ids. Corrections of a learner's records and calls that
//    record the learner's facts wait for each other. If a learner was merged in the meantime, continue from step 1.
// 3. For each kind, judge each item: a correction to make, one that is already in effect, or a failure with a code
//    (correction-rules.ts).
// 4. Insert the replacements. If another call has used one of their ids for a different learner, continue from step 3.
// 5. Void and restore the records, and derive again what follows from them: attempts
//    (src/resources/courses/results/correct-results.ts), the latest signature of a learner and a policy
//    (src/resources/policies/signatures/correct-signatures.ts), or the milestones of recipients
//    (src/resources/simulations/events/correct-events.ts).
// 6. Store the corrections with their reasons, and write a `record.corrected` event for each.
//
// Guarantees:
// - Attempts, signed policies and milestones follow from the records that count, as if the voided records had never
//   existed. Attempts keep their ids and the times of their emails, and scores that did not change keep their grades. A
//   restored result has the grade that it was recorded with.
// - A repeated correction changes nothing.
// - If the sender of a voided record sends it again, it stays voided.
//
// Not for: milestones that an admin withdraws, regardless of the events that they came from
// (src/resources/simulations/events/withdraw-milestone.ts). A withdrawn event is still listed and is not restored here.
import { v7 as uuidv7 } from 'uuid';
import type { Schemas } from '../../contract/contract.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { writeEvents } from '../../db/write-events.ts';
import { lockLearnerStates } from '../learners/shared/learner-locks.ts';
import { eventCorrections } from './event-corrections.ts';
import type { CorrectionInput, Item } from './correction-rules.ts';
import { insertCorrections } from './correction-repository.ts';
import { distinct, type MadeCorrection, type RecordKind } from './record-kind.ts';
import { resultCorrections } from './result-corrections.ts';
import { signatureCorrections } from './signature-corrections.ts';

/** Record kinds, in the order in which a call locks their courses, policies and simulations. */
const KINDS: Record<CorrectionInput['kind'], RecordKind> = {
  course_result: resultCorrections,
  policy_signature: signatureCorrections,
  simulation_event: eventCorrections,
  reported_message: eventCorrections,
};

/** Corrects records in the caller's transaction. Returns the outcome of each correction. */
export async function correctRecords(
  tenant: TenantWriter,
  inputs: readonly CorrectionInput[],
): Promise<Schemas['CorrectedRecords']> {
  const items = inputs.map((input, index): Item => ({ index, input }));
  const groups = [...new Set(Object.values(KINDS))]
    .map((kind) => ({ kind, items: items.filter(({ input }) => KINDS[input.kind] === kind) }))
    .filter((group) => group.items.length > 0);
  const learnerIds = await lockLearners(tenant, groups);
  const outcomes = [];
  for (const group of groups) outcomes.push(await group.kind.correct(tenant, group.items));
  const corrections = outcomes.flatMap((outcome) => outcome.corrections).toSorted(byIndex);
  if (corrections.length > 0) {
    tenant.addTargets('learnerId', learnerIds);
    await storeCorrections(tenant, corrections);
  }
  const completed = outcomes.flatMap((outcome) => outcome.completed).toSorted(byIndex);
  const failures = outcomes.flatMap((outcome) => outcome.failures).toSorted(byIndex);
  return { success: failures.length === 0, completed, failures, errors: [] };
}

interface Group {
  kind: RecordKind;
  items: readonly Item[];
}

/**
 * Locks the learners of the records, and everything that the records refer to. If a learner was merged during the wait,
 * also locks the learner who has the records now. Returns the ids of the learners.
 */
async function lockLearners(tenant: TenantWriter, groups: readonly Group[]): Promise<string[]> {
  const locked = new Set<string>();
  for (;;) {
    const learnerIds = new Set<string>();
    for (const { kind, items } of groups) {
      const eventIds = distinct(items.map(({ input }) => input.eventId));
      for (const learnerId of await kind.lockTargets(tenant, eventIds)) learnerIds.add(learnerId);
    }
    if ([...learnerIds].every((learnerId) => locked.has(learnerId))) return [...learnerIds];
    const states = await lockLearnerStates(tenant, [...learnerIds]);
    if (states.size === learnerIds.size) return [...learnerIds];
    for (const learnerId of learnerIds) locked.add(learnerId);
  }
}

/** Stores corrections in order, and writes an event for each. */
async function storeCorrections(tenant: TenantWriter, made: readonly MadeCorrection[]): Promise<void> {
  const corrections = made.map((correction) => ({ ...correction, id: uuidv7() }));
  await insertCorrections(tenant, corrections);
  await writeEvents(
    tenant,
    corrections.map(({ id: correctionId, kind, eventId, learnerId, action, replacementEventId }) => {
      return { type: 'record.corrected', data: { correctionId, kind, eventId, learnerId, action, replacementEventId } };
    }),
  );
}

function byIndex(a: { index: number }, b: { index: number }): number {
  return a.index - b.index;
}
