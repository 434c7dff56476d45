import { isbot } from 'isbot';
import type { Schemas } from '../../contract.ts';

/** What was seen of a message, as its sender tells it. */
export interface SeenEvent {
  eventId: string;
  learnerId: string;
  type: Schemas['SimulationEventType'];
  /** ISO 8601 in UTC with milliseconds, so that texts sort as times do. */
  occurredAt: string;
  evidence: Schemas['SimulationEvidence'];
}

/** What events of the same address say of one: see `crowdSignals`. They are kept once they are found. */
export type Signal = 'many_recipients' | 'hidden_link';

export interface Judgement {
  verdict: Schemas['InteractionVerdict'];
  /** Why; empty when nothing speaks for either. */
  reasons: string[];
}

/** As near as events of one address must be to speak about each other. */
export const CROWD_WINDOW_MS = 10 * 60_000;
const BURST_MS = 10_000;
const BURST_RECIPIENTS = 3;
/** A gateway follows links when it delivers; nobody reads so fast. */
const DELIVERY_MS = 5_000;
/** A mail team looks at what was reported to it. */
const AFTER_REPORT_MS = 10 * 60_000;
const UNHURRIED_MS = 60_000;

const INTERACTIONS: ReadonlySet<string> = new Set(['opened', 'visited', 'compromised']);

/** Whether an event is something that a person or a machine did with the message. */
export function isInteraction({ type }: Pick<SeenEvent, 'type'>): boolean {
  return INTERACTIONS.has(type);
}

/**
 * Finds events whose address gives them away: it touched the messages of several recipients within ten seconds with the
 * same user agent, or followed a link that no person sees. More events never take a signal away, so that it makes no
 * difference in which order they arrive.
 * @param events those of one address in one simulation
 */
export function crowdSignals(events: readonly SeenEvent[]): Map<string, Set<Signal>> {
  const found = new Map<string, Set<Signal>>();
  const note = (signal: Signal) => (event: SeenEvent) => {
    found.set(event.eventId, (found.get(event.eventId) ?? new Set()).add(signal));
  };
  const touches = events.filter(isInteraction).toSorted((a, b) => (a.occurredAt < b.occurredAt ? -1 : 1));
  for (const sameAgent of Map.groupBy(touches, ({ evidence }) => evidence.userAgent ?? '').values()) {
    touchesInBursts(sameAgent).forEach(note('many_recipients'));
  }
  touchesAroundHidden(touches).forEach(note('hidden_link'));
  return found;
}

/** Those that stand among three recipients or more within ten seconds. Events are in the order of time. */
function touchesInBursts(touches: readonly SeenEvent[]): SeenEvent[] {
  const inBursts: SeenEvent[] = [];
  const counts = new Map<string, number>();
  let [start, taken] = [0, 0];
  touches.forEach((last, end) => {
    counts.set(last.learnerId, (counts.get(last.learnerId) ?? 0) + 1);
    for (; msBetween(touches[start]!, last) > BURST_MS; start++) {
      const { learnerId } = touches[start]!;
      const left = counts.get(learnerId)! - 1;
      if (left === 0) counts.delete(learnerId);
      else counts.set(learnerId, left);
    }
    if (counts.size < BURST_RECIPIENTS) return;
    for (taken = Math.max(taken, start); taken <= end; taken++) inBursts.push(touches[taken]!);
  });
  return inBursts;
}

/** Those within ten minutes of one that followed a hidden link. Events are in the order of time. */
function touchesAroundHidden(touches: readonly SeenEvent[]): Set<SeenEvent> {
  return new Set([...touchesAfterHidden(touches), ...touchesAfterHidden(touches.toReversed())]);
}

function touchesAfterHidden(touches: readonly SeenEvent[]): SeenEvent[] {
  let hidden: SeenEvent | undefined;
  return touches.filter((touch) => {
    if (touch.evidence.hiddenLink) hidden = touch;
    return hidden !== undefined && Math.abs(msBetween(hidden, touch)) <= CROWD_WINDOW_MS;
  });
}

/** What speaks of an event beside itself. */
export interface Surroundings {
  signals: ReadonlySet<Signal>;
  /** When the recipient's message was first sent, and first reported. */
  sentAt: string | undefined;
  reportedAt: string | undefined;
}

/**
 * Takes an interaction for that of a person or of a machine. Somebody who used a pointer or a keyboard is a person, and
 * nothing else makes one of a doubtful event. Whatever is no interaction was told by the sender, and is not judged.
 */
export function judge(event: SeenEvent, surroundings: Surroundings): Judgement {
  if (!isInteraction(event)) return { verdict: 'unsure', reasons: [] };
  if (event.evidence.input) return { verdict: 'human', reasons: ['input'] };
  const reasons = machineReasons(event, surroundings);
  if (reasons.length > 0) return { verdict: 'automated', reasons };
  return isUnhurried(event, surroundings)
    ? { verdict: 'human', reasons: ['unhurried'] }
    : { verdict: 'unsure', reasons: [] };
}

function machineReasons({ evidence, occurredAt }: SeenEvent, { signals, sentAt, reportedAt }: Surroundings): string[] {
  const isTraced = evidence.address !== undefined || evidence.userAgent !== undefined;
  const within = (from: string | undefined, ms: number): boolean => {
    if (from === undefined || occurredAt < from) return false;
    return Date.parse(occurredAt) - Date.parse(from) <= ms;
  };
  return [
    ...(evidence.hiddenLink && !signals.has('hidden_link') ? ['hidden_link'] : []),
    ...(evidence.method === 'HEAD' ? ['head_request'] : []),
    ...(isbot(evidence.userAgent) ? ['robot'] : []),
    // Without a trace it may be a sender that stores times by the minute.
    ...(isTraced && within(sentAt, DELIVERY_MS) ? ['seconds_after_delivery'] : []),
    ...(within(reportedAt, AFTER_REPORT_MS) ? ['after_own_report'] : []),
    ...signals,
  ].toSorted();
}

/** A visit that came late, from a place that is known, and that its sender does not take for a machine's. */
function isUnhurried({ type, evidence, occurredAt }: SeenEvent, { sentAt }: Surroundings): boolean {
  if (type === 'opened' || evidence.verdict === 'automated') return false;
  if (evidence.address === undefined || evidence.userAgent === undefined) return false;
  return sentAt !== undefined && Date.parse(occurredAt) - Date.parse(sentAt) >= UNHURRIED_MS;
}

function msBetween(a: SeenEvent, b: SeenEvent): number {
  return Date.parse(b.occurredAt) - Date.parse(a.occurredAt);
}
