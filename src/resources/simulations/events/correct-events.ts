import { sql } from '../../../db/sql.ts';
import { mutation } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { NetworkSet } from '../../../net/ip-networks.ts';
import { deriveMilestones, type Signalled } from './derive-milestones.ts';
import { crowdSignals, type Signal } from './interaction-rules.ts';
import { findEventsAround, type StoredEvent } from './judged-event-repository.ts';
import type { ExistingSimulations } from './simulation-event-repository.ts';
import type { IdentifiedEvent } from './simulation-event-rules.ts';

/** A recorded event with its simulation and its last judgement. */
export type RecordedEvent = IdentifiedEvent & StoredEvent;

/** Changes to recorded events. An event is in at most one of the lists. */
export interface EventCorrections {
  voided: readonly RecordedEvent[];
  restored: readonly RecordedEvent[];
  /** Replacements, which have already been recorded. */
  replacements: readonly IdentifiedEvent[];
  /** Reasons to store with revoked milestones, by `formatRecipientKey`. */
  reasons: ReadonlyMap<string, string>;
}

const setVoided = mutation<{ eventIds: string[]; isVoided: boolean }>(
  'simulation_event_set_voided',
  (p) => sql`
    update simulation_events set voided_at = case when ${p.isVoided} then t.now end
      from (select now() as now) as t
     where company_id = ${p.companyId} and event_id = any(${p.eventIds}::text[])`,
);

async function setEventsVoided(
  tenant: TenantWriter,
  events: readonly RecordedEvent[],
  isVoided: boolean,
): Promise<void> {
  if (events.length === 0) return;
  await tenant.mutate(setVoided, { eventIds: events.map(({ eventId }) => eventId), isVoided });
}

/**
 * Voids and restores events of locked simulations. Derives the milestones of the affected recipients again, from the
 * events that count.
 */
export async function correctEvents(
  tenant: TenantWriter,
  { voided, restored, replacements, reasons }: EventCorrections,
  { ownIds, scannerNetworks }: Pick<ExistingSimulations, 'ownIds' | 'scannerNetworks'>,
): Promise<void> {
  await setEventsVoided(tenant, voided, true);
  await setEventsVoided(tenant, restored, false);
  const scanners = new NetworkSet(scannerNetworks);
  const added = Map.groupBy<string, IdentifiedEvent>([...restored, ...replacements], getSimulationId);
  const removed = Map.groupBy(voided, getSimulationId);
  for (const simulationId of new Set([...added.keys(), ...removed.keys()])) {
    const change = { events: added.get(simulationId) ?? [], removed: removed.get(simulationId) ?? [] };
    const signalled = await findCorrectedSignals(tenant, simulationId, change);
    const isOwnPage = ownIds.has(simulationId);
    await deriveMilestones(tenant, simulationId, { ...change, signalled, isOwnPage, scanners, reasons });
  }
}

function getSimulationId({ simulationId }: IdentifiedEvent): string {
  return simulationId;
}

interface Change {
  events: readonly IdentifiedEvent[];
  removed: readonly IdentifiedEvent[];
}

/**
 * Finds the signals of events near corrected events, as if the voided events had never been recorded. An event loses
 * only signals that the voided events had given it: other signals might come from events of learners who were deleted.
 */
async function findCorrectedSignals(
  tenant: TenantWriter,
  simulationId: string,
  { events, removed }: Change,
): Promise<Signalled> {
  const affected = await findEventsAround(tenant, simulationId, [...events, ...removed]);
  const addedIds = new Set(events.map(({ eventId }) => eventId));
  const signals = new Map<string, Set<Signal>>();
  const learnerIds: string[] = [];
  // The signals of an affected event come from the events around it, which are not necessarily around a corrected
  // event.
  for (const [address, present] of await findEventsAround(tenant, simulationId, [...affected.values()].flat())) {
    const former = [
      ...present.filter(({ eventId }) => !addedIds.has(eventId)),
      ...removed.filter(({ evidence }) => evidence.address === address),
    ];
    const [before, now] = [crowdSignals(former), crowdSignals(present)];
    for (const event of affected.get(address) ?? []) {
      const { eventId, learnerId } = event;
      const base = addedIds.has(eventId) ? new Set<Signal>(event.signals) : before.get(eventId);
      const kept = event.signals.filter((signal) => signal === 'withdrawn' || !base?.has(signal));
      const all = new Set([...kept, ...(now.get(eventId) ?? [])]);
      if (all.size === event.signals.length && event.signals.every((signal) => all.has(signal))) continue;
      signals.set(eventId, all);
      learnerIds.push(learnerId);
    }
  }
  return { signals, learnerIds };
}
