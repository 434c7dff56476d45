import type { Schemas } from '../../../contract/contract.ts';
import { invalidField } from '../../../contract/errors.ts';
import { CROWD_WINDOW_MS, isInteraction, type Judgement, type SeenEvent } from './interaction-rules.ts';

/** Time at which a recipient reached each milestone, in ISO 8601 and UTC with milliseconds; null if not reached. */
export interface Milestones {
  scheduled: string | null;
  sent: string | null;
  opened: string | null;
  visited: string | null;
  compromised: string | null;
  reported: string | null;
}

export type JudgedEvent = SeenEvent & Pick<Judgement, 'verdict'> & Partial<Pick<Judgement, 'reasons'>>;

const NAMES = ['scheduled', 'sent', 'opened', 'visited', 'compromised', 'reported'] as const;

/**
 * Computes the milestones from events: the first time of each kind, regardless of the order of arrival. Ignores events
 * that do not count. A later milestone implies the earlier ones.
 */
export function computeMilestones(events: readonly JudgedEvent[]): Milestones {
  const milestones = Object.fromEntries(
    NAMES.map((name) => [name, findFirstTime(name, events)]),
  ) as unknown as Milestones;
  return withImplied(milestones);
}

function withImplied(milestones: Milestones): Milestones {
  const visited = earliest(milestones.visited, milestones.compromised);
  const opened = earliest(milestones.opened, visited);
  return { ...milestones, visited, opened, sent: earliest(milestones.sent, opened, milestones.reported) };
}

/**
 * Computes the milestones of a recipient after new events. Stored milestones that did not come from events are kept.
 * @param before the milestones from events as they were judged before
 * @param now the milestones from events as they are judged now
 */
export function mergeMilestones(stored: Milestones, before: Milestones, now: Milestones): Milestones {
  const ofElsewhere = (name: keyof Milestones) => (stored[name] === before[name] ? null : stored[name]);
  const merged = Object.fromEntries(NAMES.map((name) => [name, earliest(ofElsewhere(name), now[name])]));
  return withImplied(merged as unknown as Milestones);
}

/** Reports whether a milestone is no longer reached, or has moved to a later time. */
export function isTakenBack(stored: Milestones, merged: Milestones): boolean {
  return NAMES.some((name) => {
    const [was, is] = [stored[name], merged[name]];
    return was !== null && (is === null || is > was);
  });
}

/** For each milestone, the later milestone that implies it. */
const IMPLIED_BY: Partial<Record<keyof Milestones, keyof Milestones>> = { opened: 'visited', visited: 'compromised' };

/** @throws invalid_request for a milestone that was not reached, or that a later milestone implies */
export function refuseWithdrawal(milestones: Milestones, milestone: keyof Milestones): void {
  if (milestones[milestone] === null) throw invalidField('body/milestone', 'must have been reached by the recipient');
  const implying = IMPLIED_BY[milestone];
  if (implying !== undefined && milestones[implying] !== null) {
    throw invalidField('body/milestone', `is implied by \`${implying}\`; withdraw that milestone first`);
  }
}

export function areSame(a: Milestones, b: Milestones): boolean {
  return NAMES.every((name) => a[name] === b[name]);
}

export type Shown = Pick<Schemas['SimulationRecipient'], 'open' | 'visit' | 'compromise'>;

/** Returns the time after which no later event can revoke the milestones; null if no milestone has been reached. */
export function settledAt({ open, visit, compromise }: Shown): string | null {
  const last = compromise ?? visit ?? open;
  return last === null ? null : new Date(Date.parse(last) + CROWD_WINDOW_MS).toISOString();
}

/**
 * Reports whether an event counts as a milestone. Automated and withdrawn events do not count. If the verdict is
 * `unsure`, the sender's verdict decides; without a sender's verdict, the event counts unless there is a doubt.
 */
export function isCounted(event: JudgedEvent): boolean {
  const { reasons = [], evidence } = event;
  if (reasons.includes('withdrawn')) return false;
  if (!isInteraction(event)) return true;
  const verdict = event.verdict === 'unsure' ? (evidence.verdict ?? 'unsure') : event.verdict;
  return verdict === 'human' || (verdict === 'unsure' && reasons.length === 0);
}

function findFirstTime(name: keyof Milestones, events: readonly JudgedEvent[]): string | null {
  return earliest(
    ...events.filter((event) => event.type === name && isCounted(event)).map(({ occurredAt }) => occurredAt),
  );
}

function earliest(...times: (string | null)[]): string | null {
  return times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null);
}
