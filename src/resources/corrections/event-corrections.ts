import { invalidField } from '../../contract/errors.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { correctEvents } from '../simulations/events/correct-events.ts';
import {
  countEvents,
  type ExistingSimulations,
  insertEvents,
  lockSimulationsByKeys,
} from '../simulations/events/simulation-event-repository.ts';
import {
  areSameEvents,
  formatRecipientKey,
  type IdentifiedEvent,
  isOfService,
  MAX_EVENTS,
  readReplacement,
} from '../simulations/events/simulation-event-rules.ts';
import type { CorrectionInput, FailureCode, KindRules } from './correction-rules.ts';
import { type CorrectableEvent, findCorrectableEvents } from './correction-repository.ts';
import { distinct, judgeAndInsert, type RecordKind } from './record-kind.ts';

/** Maximum number of simulations in a call; each simulation adds statements to the transaction. */
const MAX_SIMULATIONS = 100;

/**
 * Corrections of simulation events and reported messages. Both are rows of one table. A call therefore locks their
 * simulations in one order, and derives the milestones of each recipient only once.
 */
export const eventCorrections: RecordKind = {
  async lockTargets(tenant, eventIds) {
    const records = [...(await findCorrectableEvents(tenant, eventIds)).values()];
    await lockSimulations(tenant, records);
    return records.map(({ learnerId }) => learnerId);
  },
  async correct(tenant, items) {
    let counts: ReadonlyMap<string, number> | undefined;
    const judged = await judgeAndInsert<IdentifiedEvent, CorrectableEvent>(items, {
      find: (eventIds) => findCorrectableEvents(tenant, eventIds),
      async toRules(recorded) {
        // Counts before inserting replacements, because the rules count the replacements themselves.
        counts ??= await countEvents(tenant, [...recorded.values()]);
        return { recorded, ...createEventRules(new Date(), counts) };
      },
      async insert(replacements) {
        if (replacements.length === 0) return new Set();
        return new Set((await insertEvents(tenant, replacements)).inserted);
      },
    });
    const { completed, failures, corrections, voided, restored, replacements } = judged;
    if (corrections.length === 0) return { completed, failures, corrections: [] };
    const changed = [...voided, ...restored];
    const recipientKeys = new Map(changed.map((event) => [event.eventId, formatRecipientKey(event)]));
    const reasons = new Map(
      corrections.flatMap(({ eventId, reason }) => {
        const key = recipientKeys.get(eventId);
        return key === undefined ? [] : [[key, reason]];
      }),
    );
    const simulations = await lockSimulations(tenant, changed);
    await correctEvents(tenant, { voided, restored, replacements, reasons }, simulations);
    tenant.addTargets('simulationId', distinct(changed.map(({ simulationId }) => simulationId)));
    return {
      ...{ completed, failures },
      corrections: corrections.map((correction) => ({ ...correction, attemptId: null, assignedAt: null })),
    };
  },
};

/** @throws invalid_request if the events belong to too many simulations */
function lockSimulations(tenant: TenantWriter, events: readonly IdentifiedEvent[]): Promise<ExistingSimulations> {
  const simulationIds = distinct(events.map(({ simulationId }) => simulationId));
  if (simulationIds.length > MAX_SIMULATIONS)
    throw invalidField('body/corrections', 'must correct events of at most 100 simulations');
  return lockSimulationsByKeys(
    tenant,
    simulationIds.map((id) => ({ id })),
  );
}

/** @param counts number of each recipient's valid events, by `formatRecipientKey` */
function createEventRules(
  now: Date,
  counts: ReadonlyMap<string, number>,
): Omit<KindRules<IdentifiedEvent, CorrectableEvent>, 'recorded'> {
  const current = new Map(counts);
  return {
    replacementFields: ['type', 'occurredAt'],
    refuse,
    areSame: areSameEvents,
    readReplacement: (input, record) => readReplacement(input, record, now),
    // A record that the same call voids still counts.
    countOne(record) {
      const key = formatRecipientKey(record);
      const count = (current.get(key) ?? 0) + 1;
      current.set(key, count);
      return count <= MAX_EVENTS ? undefined : 'too_many_events';
    },
  };
}

function refuse({ kind, action }: CorrectionInput, record: CorrectableEvent): FailureCode | undefined {
  if (record.kind !== kind) return 'record_not_found';
  // A simulation that the service runs ends once all its messages have been sent.
  if (record.isOwn && record.type === 'sent') return 'sent_by_service';
  return action === 'replace' && isOfService(record.eventId) ? 'not_replaceable' : undefined;
}
