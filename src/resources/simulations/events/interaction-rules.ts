// Click verdicts: did a person or a machine interact with the message of a simulation?
//
// Mail gateways, link scanners and previews open messages and follow links. Counting these would blame people who did
// nothing. Each opening, visit and compromise therefore gets a verdict with reasons, by the first of these rules that
// applies (`judge`):
//
// 1. The milestone was withdrawn: `unsure` with the reason `withdrawn`. The event never counts.
// 2. Use of a pointer or keyboard on the page: `human`.
// 3. A sign of a machine: `automated`. Signs in the event itself are a hidden link, a HEAD request, a robot, a dead
//    browser or a network of the company's scanners. Signs in its timing are many clicks at once, clicks seconds after
//    delivery, or minutes after the recipient's own report. `many_recipients` and `hidden_link` also come from other
//    events of the same IP address (`crowdSignals`).
// 4. A doubt about a visit: `unsure`, with the doubt as its reason. Doubts are an IP address in a cloud network, a page
//    that never loaded, and a visit just before the recipient's own report or soon after delivery. If the recipient
//    gives data away within ten minutes of the visit, the doubts do not apply.
// 5. A traced visit a minute or more after delivery: `human`.
// 6. Otherwise `unsure`, without a reason.
//
// Verdicts (milestone-rules.ts): `human` counts and `automated` does not. For `unsure`, the sender's verdict decides.
// Without a sender's verdict, the event counts only if no doubt is named. The first event of a kind that counts is the
// milestone.
//
// Deriving (derive-milestones.ts): after a new event, all events of its recipient are judged again, and so are the
// events of other recipients that get a signal from the new event. The simulation is locked during that time. Events
// never remove a signal, so their order of arrival makes no difference. A later event can revoke a milestone, but only
// if it happens within ten minutes of the interaction.
//
// Failures: a person who clicks at once, from a cloud network and without scripts, is not counted. A scanner that waits
// for a minute and runs a browser might be counted. `evidence` and `reasons` are stored and shown, so that an admin can
// withdraw a milestone.
//
// Not for: `scheduled`, `sent` and `reported`, which are accepted as reported.
import { isbot } from 'isbot';
import type { Schemas } from '../../../contract/contract.ts';
import { CLOUD_NETWORKS } from './cloud-networks.ts';
import type { Companions } from './recipient-signs.ts';
import { isDeadBrowser, isProgram } from './user-agents.ts';

/** An event about a message, as its sender reports it. */
export interface SeenEvent {
  eventId: string;
  learnerId: string;
  type: Schemas['SimulationEventType'];
  /** Time of the event, in ISO 8601 and UTC with milliseconds, so that times sort as strings. */
  occurredAt: string;
  evidence: Schemas['SimulationEvidence'];
}

/**
 * A permanent signal for an event, from other events of the same IP address (see `crowdSignals`) or from the withdrawal
 * of the event's milestone.
 */
export type Signal = 'many_recipients' | 'hidden_link' | 'withdrawn';

export interface Judgement {
  verdict: Schemas['InteractionVerdict'];
  /** Reasons for the verdict; empty if nothing points to a person or a machine. */
  reasons: string[];
}

/** Milliseconds within which events from one IP address count as evidence about each other. */
export const CROWD_WINDOW_MS = 10 * 60_000;
const BURST_MS = 10_000;
const BURST_RECIPIENTS = 3;
/** Milliseconds after delivery in which gateways follow links; no person reads that fast. */
const DELIVERY_MS = 5_000;
/**
 * Milliseconds before and after a report during which others touch the message: mail programs scan a message before
 * they report it, and a mail team inspects reported messages.
 */
const AROUND_REPORT_MS = 10 * 60_000;
/** Minimum number of milliseconds that a reader takes; most link scanners are faster. */
const UNHURRIED_MS = 60_000;
/** Milliseconds after delivery within which cloud scanners follow the links of a message. */
const CLOUD_MS = 10 * 60_000;

const INTERACTIONS: ReadonlySet<string> = new Set(['opened', 'visited', 'compromised']);

/** Reports whether an event is something that a person or a machine did with the message. */
export function isInteraction({ type }: Pick<SeenEvent, 'type'>): boolean {
  return INTERACTIONS.has(type);
}

/**
 * Finds events whose IP address behaves like a machine: the address touched the messages of several recipients within
 * ten seconds with the same user agent, or followed a link that no person can see. Further events never remove a
 * signal, so their order of arrival makes no difference.
 * @param events events from one IP address in one simulation
 */
export function crowdSignals(events: readonly SeenEvent[]): Map<string, Set<Signal>> {
  const signals = new Map<string, Set<Signal>>();
  const recordSignal = (signal: Signal) => (event: SeenEvent) => {
    signals.set(event.eventId, (signals.get(event.eventId) ?? new Set()).add(signal));
  };
  const touches = events.filter(isInteraction).toSorted((a, b) => (a.occurredAt < b.occurredAt ? -1 : 1));
  for (const sameAgent of Map.groupBy(touches, ({ evidence }) => evidence.userAgent ?? '').values()) {
    touchesInBursts(sameAgent).forEach(recordSignal('many_recipients'));
  }
  touchesAroundHidden(touches).forEach(recordSignal('hidden_link'));
  return signals;
}

/** Finds touches within ten seconds that reach three or more recipients. Expects the touches ordered by time. */
function touchesInBursts(touches: readonly SeenEvent[]): SeenEvent[] {
  const inBursts: SeenEvent[] = [];
  const counts = new Map<string, number>();
  let [start, nextIndex] = [0, 0];
  touches.forEach((last, end) => {
    counts.set(last.learnerId, (counts.get(last.learnerId) ?? 0) + 1);
    for (; msBetween(touches[start]!, last) > BURST_MS; start++) {
      const { learnerId } = touches[start]!;
      const left = counts.get(learnerId)! - 1;
      if (left === 0) counts.delete(learnerId);
      else counts.set(learnerId, left);
    }
    if (counts.size < BURST_RECIPIENTS) return;
    for (nextIndex = Math.max(nextIndex, start); nextIndex <= end; nextIndex++) inBursts.push(touches[nextIndex]!);
  });
  return inBursts;
}

/** Finds touches within ten minutes of a touch with a hidden link. Expects the touches ordered by time. */
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

/** Context in which an event is judged. */
export interface Surroundings {
  signals: ReadonlySet<Signal>;
  /** Times at which the recipient's message was first sent and first reported. */
  sentAt: string | undefined;
  reportedAt: string | undefined;
  /**
   * Whether the service serves the landing page, and therefore sees what a browser loads and whether the page is used.
   */
  isOwnPage?: boolean;
  /** Reports whether an IP address belongs to the company's scanners. */
  isScanner?: (address: string) => boolean;
  /** Facts from the recipient's other events. */
  companions?: Companions;
}

/**
 * Judges whether a person or a machine made an interaction. For any other event, returns `unsure` without a reason.
 */
export function judge(event: SeenEvent, surroundings: Surroundings): Judgement {
  if (surroundings.signals.has('withdrawn')) return { verdict: 'unsure', reasons: ['withdrawn'] };
  if (!isInteraction(event)) return { verdict: 'unsure', reasons: [] };
  if (event.evidence.input) return { verdict: 'human', reasons: ['input'] };
  const reasons = machineReasons(event, surroundings);
  if (reasons.length > 0) return { verdict: 'automated', reasons };
  const doubts = listDoubts(event, surroundings);
  if (doubts.length > 0) return { verdict: 'unsure', reasons: doubts };
  return isUnhurried(event, surroundings)
    ? { verdict: 'human', reasons: ['unhurried'] }
    : { verdict: 'unsure', reasons: [] };
}

function machineReasons(event: SeenEvent, { signals, sentAt, reportedAt, ...around }: Surroundings): string[] {
  const { evidence, eventId, occurredAt } = event;
  return [
    ...(evidence.hiddenLink && !signals.has('hidden_link') ? ['hidden_link'] : []),
    ...(evidence.method === 'HEAD' ? ['head_request'] : []),
    ...agentReasons(event),
    ...(evidence.address !== undefined && around.isScanner?.(evidence.address) ? ['scanner_network'] : []),
    ...(around.companions?.rapidIds.has(eventId) ? ['many_clicks'] : []),
    // If an event has no trace, its sender might store times only to the minute.
    ...(isTraced(event) && isWithin(sentAt, occurredAt, DELIVERY_MS) ? ['seconds_after_delivery'] : []),
    ...(isWithin(reportedAt, occurredAt, AROUND_REPORT_MS) ? ['after_own_report'] : []),
    ...signals,
  ].toSorted();
}

/**
 * Lists reasons found in the user agent. Mail programs and proxies open messages for people, but do not follow links.
 */
function agentReasons({ type, evidence: { userAgent } }: SeenEvent): string[] {
  if (userAgent === undefined) return [];
  if (type === 'opened') return isbot(userAgent) ? ['robot'] : [];
  return [...(isProgram(userAgent) ? ['robot'] : []), ...(isDeadBrowser(userAgent) ? ['dead_browser'] : [])];
}

/** Lists doubts that a person made a visit; empty if the recipient gave data away soon after the visit. */
function listDoubts(event: SeenEvent, { sentAt, reportedAt, isOwnPage, companions }: Surroundings): string[] {
  const { type, evidence, occurredAt } = event;
  if (type !== 'visited' || companions?.isConfirmed(event)) return [];
  const isInCloud = evidence.address !== undefined && CLOUD_NETWORKS.has(evidence.address);
  const isSoon = isTraced(event) && isWithin(sentAt, occurredAt, UNHURRIED_MS - 1);
  const knowsPage = isOwnPage || evidence.script !== undefined || evidence.styleSheet !== undefined;
  return [
    ...(isInCloud && isWithin(sentAt, occurredAt, CLOUD_MS) ? ['cloud_address'] : []),
    ...(knowsPage && !isLoad(event) && !companions?.isLoaded(event) ? ['page_not_loaded'] : []),
    ...(isWithin(occurredAt, reportedAt, AROUND_REPORT_MS - 1) ? ['before_own_report'] : []),
    ...(isSoon ? ['soon_after_delivery'] : []),
  ];
}

/** Reports whether a page has reported that a browser loaded it completely. */
export function isLoad({ evidence }: Pick<SeenEvent, 'evidence'>): boolean {
  return evidence.script === true && evidence.styleSheet === true;
}

function isTraced({ evidence }: SeenEvent): boolean {
  return evidence.address !== undefined || evidence.userAgent !== undefined;
}

/** Reports whether a time is equal to `from`, or at most `ms` later. */
function isWithin(from: string | undefined, time: string | undefined, ms: number): boolean {
  if (from === undefined || time === undefined || time < from) return false;
  return Date.parse(time) - Date.parse(from) <= ms;
}

/** Reports whether a traced visit came late enough for a human reader, and its sender did not call it automated. */
function isUnhurried({ type, evidence, occurredAt }: SeenEvent, { sentAt }: Surroundings): boolean {
  if (type === 'opened' || evidence.verdict === 'automated') return false;
  if (evidence.address === undefined || evidence.userAgent === undefined) return false;
  return sentAt !== undefined && Date.parse(occurredAt) - Date.parse(sentAt) >= UNHURRIED_MS;
}

function msBetween(a: SeenEvent, b: SeenEvent): number {
  return Date.parse(b.occurredAt) - Date.parse(a.occurredAt);
}
