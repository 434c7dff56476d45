import type { TenantWriter } from '../../../db/tenant.ts';
import type { NetworkSet } from '../../../net/ip-networks.ts';
import { crowdSignals, isLoad, judge, type SeenEvent, type Signal } from './interaction-rules.ts';
import { findEventsAround, findEventsOfLearners, saveJudgements, type StoredEvent } from './judged-event-repository.ts';
import { type DerivedMilestones, findMilestones, saveMilestones } from './milestone-repository.ts';
import {
  areSame,
  isCounted,
  isTakenBack,
  mergeMilestones,
  type Milestones,
  computeMilestones,
} from './milestone-rules.ts';
import { type Companions, gatherCompanions } from './recipient-signs.ts';
import { formatRecipientKey } from './simulation-event-rules.ts';

/** Events that have gained a signal from new events: all their signals, by event id, and their learners. */
export interface Signalled {
  signals: Map<string, Set<Signal>>;
  learnerIds: string[];
}

/** Finds the signals that events have gained from new events near them. */
export async function findSignals(
  tenant: TenantWriter,
  simulationId: string,
  events: readonly SeenEvent[],
): Promise<Signalled> {
  const signals = new Map<string, Set<Signal>>();
  const learnerIds: string[] = [];
  for (const around of (await findEventsAround(tenant, simulationId, events)).values()) {
    const newSignals = crowdSignals(around);
    for (const event of around) {
      const all = new Set([...event.signals, ...(newSignals.get(event.eventId) ?? [])]);
      if (all.size === event.signals.length) continue;
      signals.set(event.eventId, all);
      learnerIds.push(event.learnerId);
    }
  }
  return { signals, learnerIds };
}

/** Changed events of a simulation, and the settings for judging them. */
export interface EventChange {
  /** Events that count now and did not count before. */
  events: readonly SeenEvent[];
  /** Events that no longer count, with their last judgements. */
  removed?: readonly StoredEvent[];
  signalled: Signalled;
  isOwnPage: boolean;
  /** Networks of the company's scanners. */
  scanners: NetworkSet;
  /** Milestone that an admin withdraws. */
  withdrawn?: keyof Milestones;
  /** Reasons to store with revoked milestones, by `formatRecipientKey`. */
  reasons?: ReadonlyMap<string, string>;
}

/** Judges all events of the affected recipients again, and stores their milestones. The simulation must be locked. */
export async function deriveMilestones(tenant: TenantWriter, simulationId: string, change: EventChange): Promise<void> {
  const { events, removed = [], signalled, withdrawn, reasons } = change;
  const changedIds = [...events, ...removed].map(({ learnerId }) => learnerId);
  const learnerIds = [...new Set([...changedIds, ...signalled.learnerIds])];
  const stored = await findMilestones(tenant, simulationId, learnerIds);
  const byLearner = await findEventsOfLearners(tenant, simulationId, learnerIds);
  const newIds = new Set(events.map(({ eventId }) => eventId));
  const removedByLearner = Map.groupBy(removed, ({ learnerId }) => learnerId);
  const changedEvents: StoredEvent[] = [];
  const derived: DerivedMilestones[] = [];
  for (const [learnerId, reached] of stored) {
    const seen = byLearner.get(learnerId) ?? [];
    const judged = judgeAll(seen, change);
    changedEvents.push(...judged.filter((event, index) => hasNewVerdict(event, seen[index]!)));
    const kept = seen.filter(({ eventId }) => !newIds.has(eventId));
    const before = computeMilestones([...kept, ...(removedByLearner.get(learnerId) ?? [])]);
    // A withdrawal also removes a milestone that did not come from events.
    const was = withdrawn ? { ...reached, [withdrawn]: before[withdrawn] } : reached;
    const merged = mergeMilestones(was, before, computeMilestones(judged));
    if (areSame(reached, merged)) continue;
    const withdrawnBecause = reasons?.get(formatRecipientKey({ simulationId, learnerId })) ?? null;
    derived.push({ ...merged, learnerId, isTakenBack: isTakenBack(reached, merged), withdrawnBecause });
  }
  await saveJudgements(tenant, simulationId, changedEvents);
  await saveMilestones(tenant, simulationId, derived);
}

/** Judges all events of one recipient. */
function judgeAll(events: readonly StoredEvent[], { signalled, isOwnPage, scanners }: EventChange): StoredEvent[] {
  const getSignals = (event: StoredEvent) => signalled.signals.get(event.eventId) ?? new Set(event.signals);
  const { sent: sentAt, reported: reportedAt } = firstTimes(
    events.filter((event) => !getSignals(event).has('withdrawn')),
  );
  const isScanner = (address: string) => scanners.has(address);
  const judgeOne = (event: StoredEvent, companions?: Companions) =>
    judge(event, {
      ...{ signals: getSignals(event), sentAt, reportedAt, isOwnPage, isScanner },
      ...(companions && { companions }),
    });
  const loads = events.filter((event) => isLoad(event) || event.evidence.input);
  const compromises = events.filter((event) => {
    return event.type === 'compromised' && isCounted({ ...event, ...judgeOne(event) });
  });
  const companions = gatherCompanions(events, { loads, compromises });
  return events.map((event) => {
    return { ...event, signals: [...getSignals(event)].toSorted(), ...judgeOne(event, companions) };
  });
}

function firstTimes(events: readonly StoredEvent[]): Partial<Record<keyof Milestones, string>> {
  const first: Partial<Record<keyof Milestones, string>> = {};
  for (const { type, occurredAt } of events) {
    if (first[type] === undefined || occurredAt < first[type]) first[type] = occurredAt;
  }
  return first;
}

function hasNewVerdict(now: StoredEvent, before: StoredEvent): boolean {
  const serializeContent = ({ verdict, reasons, signals }: StoredEvent) => JSON.stringify([verdict, reasons, signals]);
  return serializeContent(now) !== serializeContent(before);
}
