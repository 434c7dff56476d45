import type { Schemas } from '../../../contract/contract.ts';
import type { PersonRecords } from './person-reading.ts';
import type { TimelineMessages } from './timeline-messages.ts';

/** Something that happened to a person. */
export interface TimelineEntry {
  /** A time, or a calendar date if only the day is known. */
  at: string;
  kind: keyof TimelineMessages['kinds'];
  text: string;
}

type Records = Pick<PersonRecords, 'courses' | 'policies' | 'simulations' | 'messages' | 'memberships' | 'names'>;

/**
 * Merges everything that happened to a person into one list, newest first. On a day, entries without a time come last.
 */
export function toTimeline(records: Records, messages: TimelineMessages): TimelineEntry[] {
  const { courses = [], policies = [], simulations = [], memberships = [] } = records;
  const entries = [
    ...courses.flatMap((result) => toCourseEntries(result, messages)),
    ...policies.flatMap((result) => toPolicyEntries(result, records.names, messages)),
    ...simulations.flatMap((result) => toSimulationEntries(result, messages)),
    ...(records.messages ?? []).map((message) => toMessageEntry(message, messages)),
    ...memberships.flatMap((membership) => toMembershipEntries(membership, messages)),
  ];
  return entries.toSorted((a, b) => b.at.localeCompare(a.at));
}

/** Builds entries for the times that are known. */
function listEntries(
  kind: TimelineEntry['kind'],
  all: readonly (readonly [at: string | null | undefined, text: string])[],
): TimelineEntry[] {
  return all.flatMap(([at, text]) => (at ? [{ at, kind, text }] : []));
}

function toCourseEntries(
  { course, enrollDate, startDate, finishDate, score, grade, remindedAt }: Schemas['CourseResult'],
  { courses }: TimelineMessages,
): TimelineEntry[] {
  return listEntries('training', [
    [enrollDate, courses.enrolled(course.name)],
    [startDate, courses.started(course.name)],
    [remindedAt, courses.reminded(course.name)],
    [finishDate, courses.finished(course.name, score, grade && (courses.grades[grade] ?? grade))],
  ]);
}

function toPolicyEntries(
  { policyId, askedAt, remindedAt, visit, signed, signatures }: Schemas['PolicyResult'],
  names: ReadonlyMap<string, string>,
  { policies, aPolicy }: TimelineMessages,
): TimelineEntry[] {
  const name = names.get(policyId) ?? aPolicy;
  const signings = signatures?.map(({ signed: at, policyName, majorVersion, minorVersion, voidedAt }) => {
    const version = `${majorVersion}.${minorVersion}`;
    return [at, (voidedAt === null ? policies.signed : policies.signedVoided)(policyName, version)] as const;
  });
  return listEntries('policy', [
    [askedAt, policies.asked(name)],
    [remindedAt, policies.reminded(name)],
    [visit, policies.opened(name)],
    ...(signings ?? [[signed, policies.signed(name, undefined)] as const]),
  ]);
}

const MILESTONES = { opened: 'open', visited: 'visit', compromised: 'compromise', reported: 'report' } as const;

function toSimulationEntries(result: Schemas['SimulationResult'], messages: TimelineMessages): TimelineEntry[] {
  const { simulation, interactions } = result;
  const { milestones, verdicts, interaction } = messages.simulations;
  const shown = interactions ?? [];
  const reached = Object.entries(MILESTONES).filter(([type]) => !shown.some((one) => one.type === type && one.counted));
  return listEntries('simulation', [
    ...shown.map(({ type, occurredAt, verdict }) => {
      const what = (milestones as Record<string, string>)[type] ?? type;
      return [
        occurredAt,
        interaction(simulation.name, what, (verdicts as Record<string, string>)[verdict] ?? verdict),
      ] as const;
    }),
    ...reached.map(([type, field]) => {
      return [
        result[field],
        interaction(simulation.name, milestones[type as keyof typeof MILESTONES], undefined),
      ] as const;
    }),
  ]);
}

function toMessageEntry({ kind, status, queuedAt, settledAt }: Schemas['LearnerMessage'], { mails }: TimelineMessages) {
  const name = (mails.kinds as Record<string, string>)[kind] ?? kind;
  const state = (mails.states as Record<string, string>)[status] ?? status;
  return { at: settledAt ?? queuedAt, kind: 'message' as const, text: `${name} (${state})` };
}

function toMembershipEntries(
  { groupName, from, to }: Schemas['LearnerMembership'],
  { memberships, aGroup }: TimelineMessages,
): TimelineEntry[] {
  const name = groupName ?? aGroup;
  return listEntries('group', [
    [from, memberships.joined(name)],
    [to, memberships.left(name)],
  ]);
}
