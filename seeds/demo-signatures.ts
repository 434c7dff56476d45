import { addMonths } from '../src/resources/policies/signatures/signature-rules.ts';
import { DAY_MS, formatDate, toDay, workdaysAfter } from './demo-days.ts';
import type { Random } from './demo-people.ts';
import type { Assignment, DemoPolicy, DemoSignature, DemoVersion } from './demo-policies.ts';
import type { Character, Trainee } from './demo-training.ts';

/** Milliseconds after midnight (UTC) at which the service itself asks for signatures. */
const ASKING_MS = 5 * 60_000 + 2318;
const MINUTE_MS = 60_000;

/** The actions of a learner on a policy. Times are in milliseconds since 1970. */
export interface Signing {
  firstAssignedAt: number;
  asked: { assignedAt: number; at: number; remindedAt?: number | undefined };
  /** True if the assignment ended. */
  isEnded: boolean;
  sent: DemoVersion;
  visit?: Deed;
  signed?: Deed & { offline: boolean };
}

interface Deed {
  at: number;
  version: DemoVersion;
}

/** A policy with the signature settings that apply to it. */
export interface Asking {
  policy: DemoPolicy;
  signature: DemoSignature | undefined;
}

/**
 * Creates the history of a policy for one learner: requests, reminders and repeated requests, as the service would make
 * them.
 * @returns undefined if the policy is not assigned to the learner, or if the assignment ended without a signature
 */
export function simulateSigning(
  random: Random,
  { policy, signature }: Asking,
  { row }: Trainee,
  character: Character,
  isMember: (group: string) => boolean,
): Signing | undefined {
  const assignedAt = assignmentTime(random, policy, row.created_at, isMember);
  const ended = policy.ended && (policy.ended.groups?.some(isMember) ?? true) ? Date.parse(policy.ended.at) : Infinity;
  const end = Math.min((character.lastDay + 1) * DAY_MS, ended);
  if (assignedAt === undefined || assignedAt >= end) return undefined;

  const asked: Signing['asked'] = { assignedAt, at: assignedAt };
  const signing: Signing = {
    firstAssignedAt: assignedAt,
    asked,
    isEnded: ended !== Infinity,
    sent: versionAt(policy, assignedAt),
  };
  for (;;) {
    const interruption = Math.min(nextAsking(policy, signature, signing) ?? Infinity, end);
    answer(random, policy, { signing, from: asked.at, until: interruption, character });
    for (const time of (policy.reminded ?? []).map((date) => Date.parse(date))) {
      const isOpen = (signing.signed?.at ?? 0) < asked.at || signing.signed!.at > time;
      if (time <= asked.at || time >= interruption || !isOpen) continue;
      asked.remindedAt = time;
      signing.sent = versionAt(policy, time);
      const waits = (signing.signed?.at ?? 0) < asked.at;
      if (waits) answer(random, policy, { signing, from: time, until: interruption, character });
    }
    const next = nextAsking(policy, signature, signing);
    if (next === undefined || next >= end) break;
    asked.at = next;
    asked.remindedAt = undefined;
    signing.sent = versionAt(policy, next);
  }
  return signing.isEnded && !signing.signed ? undefined : signing;
}

/**
 * Returns the time at which the learner is assigned the policy. A learner who joined after the policy was assigned gets
 * it within two weeks of joining.
 */
function assignmentTime(
  random: Random,
  { assigned = [] }: DemoPolicy,
  joined: Date,
  isMember: (group: string) => boolean,
): number | undefined {
  const meant = assigned.find(({ groups }: Assignment) => groups?.some(isMember) ?? true);
  if (!meant) return undefined;
  const time = Date.parse(meant.at);
  if (joined.getTime() < time) return time;
  return timeAtWork(random, workdaysAfter(toDay(joined), 1 + Math.floor(random() * 8)));
}

/** Returns the time at which the learner is asked next, unless they sign the policy before that. */
function nextAsking(
  { versions = [] }: DemoPolicy,
  signature: DemoSignature | undefined,
  { asked, signed }: Signing,
): number | undefined {
  const last = asked.at;
  const times = versions
    .filter(({ resend }) => resend)
    .map(({ publishedAt }) => Date.parse(publishedAt))
    .filter((time) => time > last);
  const day = signature && nextDay(signature, versions[0]!, last, signed?.at);
  if (day !== undefined) times.push(Date.parse(day) + ASKING_MS);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Returns the next day on which the settings of a policy require a new signature. */
function nextDay(
  { type, startDate, intervalLength, intervalUnit }: DemoSignature,
  first: DemoVersion,
  asked: number,
  signed: number | undefined,
): string | undefined {
  const months = intervalLength && intervalLength * (intervalUnit === 'years' ? 12 : 1);
  if (type === 'lastSignature') {
    const inForce = signed !== undefined && signed >= asked;
    return inForce && months ? addMonths(formatDate(toDay(signed)), months) : undefined;
  }
  if (type === 'none' || (type === 'newUsers' && signed !== undefined)) return undefined;
  const firstDay = startDate ?? first.publishedAt.slice(0, 10);
  const today = formatDate(toDay(asked));
  for (let step = 0; ; step += 1) {
    const day = addMonths(firstDay, step * (months ?? 0));
    if (day > today) return day;
    if (!months) return undefined;
  }
}

/** Adds the reaction of a learner. Most sign within days, some only open the policy, some do nothing in time. */
function answer(
  random: Random,
  policy: DemoPolicy,
  { signing, from, until, character }: { signing: Signing; from: number; until: number; character: Character },
): void {
  const roll = random() * (0.8 + 0.4 * character.laxness);
  const onPaper = random() < (policy.paper ?? 0);
  const [earliest, latest] = roll < 0.4 ? [0, 2] : roll < 0.65 ? [2, 9] : [8, 30];
  const delay = earliest + Math.floor(random() * (latest - earliest + 1));
  const planned = timeAtWork(random, workdaysAfter(toDay(from), delay));
  const visit = planned > from ? planned : timeAtWork(random, workdaysAfter(toDay(from), 1));
  const at = visit + MINUTE_MS + Math.floor(random() * 14 * MINUTE_MS);
  if (roll > 0.9) return;
  if (!onPaper && visit < until) signing.visit = { at: visit, version: versionAt(policy, visit) };
  if (roll > 0.78 || at >= until) return;
  signing.signed = { at, version: versionAt(policy, at), offline: onPaper };
}

function versionAt({ versions = [] }: DemoPolicy, time: number): DemoVersion {
  return versions.findLast(({ publishedAt }) => Date.parse(publishedAt) <= time)!;
}

function timeAtWork(random: Random, day: number): number {
  return day * DAY_MS + (6 * 60 + Math.floor(random() * 10 * 60)) * MINUTE_MS + Math.floor(random() * MINUTE_MS);
}
