import type { Schemas } from '../../contract.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { invalidField } from '../../errors.ts';
import { isSending } from './address-rules.ts';
import * as repository from './event-repository.ts';
import { type IdentifiedEvent, judgeEvents, recipientOf } from './event-rules.ts';
import { crowdSignals, judge, type SeenEvent, type Signal } from './interaction-rules.ts';
import { findEventsAround, findEventsOfLearners, saveJudgements, type StoredEvent } from './judged-event-repository.ts';
import { type DerivedMilestones, findMilestones, saveMilestones } from './milestone-repository.ts';
import { areSame, isTakenBack, mergeMilestones, type Milestones, milestonesOf } from './milestone-rules.ts';
import { findRecipients, saveAddresses } from './recipient-addresses.ts';

type Inputs = readonly Schemas['SimulationEventInput'][];

/** Each has steps of its own, in a transaction that holds all of them. */
const MAX_SIMULATIONS = 100;

/**
 * Records events in a transaction and derives the milestones of whom they concern. Returns what became of each event.
 * @param areTold another system tells them: what the service runs itself is not open to it
 * @throws invalid_request when they are of too many simulations
 */
export async function recordEvents(
  tenant: TenantWriter,
  inputs: Inputs,
  { areTold = false } = {},
): Promise<Schemas['RecordedEvents']> {
  const simulations = new Set(inputs.map(({ simulation: { id, externalId } }) => id ?? `:${externalId}`));
  if (simulations.size > MAX_SIMULATIONS) throw invalidField('body/events', 'must be of at most 100 simulations');
  const { simulationIdOf, ownIds } = await repository.lockSimulationsByKeys(
    tenant,
    inputs.map(({ simulation }) => simulation),
  );
  const { learnerIdOf, emailKeyOf } = await findRecipients(tenant, inputs, simulationIdOf);
  const eventIds = [...new Set(inputs.map(({ eventId }) => eventId))];
  const recipients = inputs.flatMap((input) => {
    const [simulationId, learnerId] = [simulationIdOf(input.simulation), learnerIdOf(input)];
    return simulationId === undefined || learnerId === undefined ? [] : [{ simulationId, learnerId }];
  });
  for (;;) {
    const recorded = await repository.findRecordedEvents(tenant, eventIds);
    const counts = await repository.countEvents(tenant, recipients);
    const facts = { now: new Date(), simulationIdOf, areTold, ownIds, learnerIdOf, recorded, counts };
    const { added, outcome } = judgeEvents(inputs, facts);
    if (added.length === 0) return outcome;
    const { inserted, newRecipients } = await repository.insertEvents(tenant, added);
    const events = added.filter(({ eventId }) => inserted.has(eventId));
    const emails = new Map(inputs.map(({ eventId, learner }) => [eventId, learner.email?.toLowerCase()]));
    const mailed = events.filter((event) => isSending(event) || newRecipients.has(recipientOf(event)));
    await saveAddresses(
      tenant,
      mailed.map(({ eventId, simulationId, learnerId, occurredAt }) => {
        return { simulationId, learnerId, email: emails.get(eventId) ?? emailKeyOf(learnerId)!, since: occurredAt };
      }),
    );
    await deriveAll(tenant, events);
    // A call about another simulation has used one of the ids meanwhile: what is on record now decides.
    if (inserted.size === added.length) return outcome;
  }
}

async function deriveAll(tenant: TenantWriter, added: readonly IdentifiedEvent[]): Promise<void> {
  for (const [simulationId, events] of Map.groupBy(added, (event) => event.simulationId)) {
    const signalled = await findSignals(tenant, simulationId, events);
    await derive(tenant, simulationId, { events, signalled });
  }
}

/** The signals that events have got by the new ones, by the id of the event; with the learners whom they concern. */
interface Signalled {
  signals: Map<string, Set<Signal>>;
  learnerIds: string[];
}

async function findSignals(
  tenant: TenantWriter,
  simulationId: string,
  events: readonly SeenEvent[],
): Promise<Signalled> {
  const signals = new Map<string, Set<Signal>>();
  const learnerIds: string[] = [];
  for (const around of (await findEventsAround(tenant, simulationId, events)).values()) {
    const found = crowdSignals(around);
    for (const event of around) {
      const all = new Set([...event.signals, ...(found.get(event.eventId) ?? [])]);
      if (all.size === event.signals.length) continue;
      signals.set(event.eventId, all);
      learnerIds.push(event.learnerId);
    }
  }
  return { signals, learnerIds };
}

interface New {
  events: readonly SeenEvent[];
  signalled: Signalled;
}

async function derive(tenant: TenantWriter, simulationId: string, { events, signalled }: New): Promise<void> {
  const learnerIds = [...new Set([...events.map(({ learnerId }) => learnerId), ...signalled.learnerIds])];
  const stored = await findMilestones(tenant, simulationId, learnerIds);
  const byLearner = await findEventsOfLearners(tenant, simulationId, learnerIds);
  const newIds = new Set(events.map(({ eventId }) => eventId));
  const changedEvents: StoredEvent[] = [];
  const derived: DerivedMilestones[] = [];
  for (const [learnerId, seen] of byLearner) {
    const judged = judgeAll(seen, signalled.signals);
    changedEvents.push(...judged.filter((event, index) => isJudgedAnew(event, seen[index]!)));
    const before = milestonesOf(seen.filter(({ eventId }) => !newIds.has(eventId)));
    const was = stored.get(learnerId)!;
    const merged = mergeMilestones(was, before, milestonesOf(judged));
    if (!areSame(was, merged)) derived.push({ ...merged, learnerId, isTakenBack: isTakenBack(was, merged) });
  }
  await saveJudgements(tenant, simulationId, changedEvents);
  await saveMilestones(tenant, simulationId, derived);
}

/** Judges all events of one recipient. */
function judgeAll(events: readonly StoredEvent[], signalled: ReadonlyMap<string, Set<Signal>>): StoredEvent[] {
  const { sent: sentAt, reported: reportedAt } = firstTimes(events);
  return events.map((event) => {
    const signals = signalled.get(event.eventId) ?? new Set(event.signals);
    return { ...event, signals: [...signals].toSorted(), ...judge(event, { signals, sentAt, reportedAt }) };
  });
}

function firstTimes(events: readonly StoredEvent[]): Partial<Record<keyof Milestones, string>> {
  const first: Partial<Record<keyof Milestones, string>> = {};
  for (const { type, occurredAt } of events) {
    if (first[type] === undefined || occurredAt < first[type]) first[type] = occurredAt;
  }
  return first;
}

function isJudgedAnew(now: StoredEvent, before: StoredEvent): boolean {
  const contentOf = ({ verdict, reasons, signals }: StoredEvent) => JSON.stringify([verdict, reasons, signals]);
  return contentOf(now) !== contentOf(before);
}
