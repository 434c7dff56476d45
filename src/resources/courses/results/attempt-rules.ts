/** A fact about a learner and a course: a reported result, or an enrolment that was open before the first result. */
export interface Fact {
  eventId: string;
  /** Reported start of a result, or the time from which an enrolment counts. */
  startedAt: string | null;
  finishedAt: string | null;
  score: number | null;
  /** Grade of a finish; null if unknown. */
  passed: boolean | null;
  /** Whether the sender stated the grade or the pass mark; otherwise the course's pass mark decided the grade. */
  isStated: boolean;
  /** Day of the enrolment; null for a result. */
  enrolledOn: string | null;
  /** Day of the start; null if the learner had not started, or the result has no start. */
  startedOn: string | null;
  finishedOn: string | null;
}

export interface Attempt {
  /** Id of the stored attempt; null for a new attempt. */
  attemptId: string | null;
  attempt: number;
  enrollDate: string;
  startDate: string | null;
  finishDate: string | null;
  score: number | null;
  /** Grade; null if the attempt is open, or its grade is unknown. */
  passed: boolean | null;
  /**
   * Id of the result that finished the attempt; null while the attempt is open, or if it was not finished by a result.
   */
  finishEventId: string | null;
}

export interface StoredAttempt extends Attempt {
  attemptId: string;
  isDerived: boolean;
  /** Start of the enrolment day in the company's former or current time zone, in ISO 8601 with milliseconds. */
  enrollDayStart: string;
  /** End of the finish day in the company's time zone, in ISO 8601 with milliseconds. */
  finishDayEnd: string | null;
}

/** The attempt that a finish belongs to, even if the facts have changed. */
interface Origin {
  attemptId: string;
  finishEventId: string | null;
}

/** A finish, and the facts of the attempt that it ends. */
interface End {
  at: string;
  finishDate: string;
  score: number | null;
  passed: boolean | null;
  facts: Fact[];
  origin: Origin | undefined;
  /** The attempt, if it was not finished by a result. Results do not change such an attempt. */
  kept: StoredAttempt | undefined;
}

/** The facts before a correction, and ids that connect them with the facts after it. */
export interface FactCorrection {
  /** The facts before the correction. */
  former: readonly Fact[];
  /** Ids of the replaced facts, by the ids of the facts that replace them. */
  replacedIds: ReadonlyMap<string, string>;
  /** Ids of the attempts that restored facts had finished, by the ids of the facts. */
  restoredAttemptIds: ReadonlyMap<string, string>;
}

/** Input for deriving attempts. */
export interface Existing {
  /** Stored attempts, ordered by number. */
  stored: readonly StoredAttempt[];
  facts: readonly Fact[];
  /** Ids of the new facts. */
  newIds: ReadonlySet<string>;
  /** Set only if facts were corrected, not added. */
  correction?: FactCorrection;
}

/**
 * Derives the attempts of a learner at a course, oldest first, by the rules in `course-results.ts`. Finishes with the
 * same time and score are one attempt, unless their senders stated different grades. A finish without a grade adds
 * nothing to a finish on the same day, unless a start lies between them, because many programs report "completed" next
 * to "passed".
 *
 * After a correction, a finish that had facts of a stored attempt keeps that attempt's id. Facts whose finish was
 * voided count as new, so that the enrolment is open again, as a new attempt.
 */
export function deriveAttempts({ stored, facts, newIds, correction }: Existing): Attempt[] {
  const finishers = new Map(stored.map((attempt) => [attempt.finishEventId, attempt]));
  const former = correction && assignStarts(listEnds(stored, correction.former, [finishers]), correction.former);
  const origins = correction
    ? [findReplaced(finishers, correction), findOrigins(former!.ends, correction)]
    : [finishers];
  const { ends, pending } = assignStarts(listEnds(stored, facts, origins), facts);
  const endedIds = new Set(former?.ends.flatMap((end) => end.facts.map(({ eventId }) => eventId)));
  const isNew = ({ eventId }: Fact) => newIds.has(eventId) || endedIds.has(eventId);
  const newest = stored.at(-1);
  // An open attempt that was derived from facts ceases to exist without them.
  const hasLostFacts = former !== undefined && former.pending.length > 0 && pending.length === 0;
  const open = newest?.finishDate === null && !hasLostFacts ? newest : undefined;
  const heir = open && !pending.some((fact) => !isNew(fact)) ? findHeir(ends) : undefined;
  if (heir) heir.origin = open;
  const finished = ends.map((end, index) => ({ ...finishedAttempt(end), attempt: index + 1 }));
  const before = heir ? undefined : open;
  // A removed enrolment is not restored until another start is reported.
  if (!before && !pending.some(isNew)) return finished;
  return [...finished, { ...openAttempt(pending, before), attempt: finished.length + 1 }];
}

type Origins = ReadonlyMap<string | null, Origin>;

/** Finds the attempts by the facts that finished them, and by the replacements of those facts. */
function findReplaced(finishers: Origins, { replacedIds }: FactCorrection): Origins {
  const origins = new Map(finishers);
  for (const [eventId, replacedId] of replacedIds) {
    const origin = finishers.get(replacedId);
    if (origin) origins.set(eventId, origin);
  }
  return origins;
}

/** Finds the former attempt of each fact. */
function findOrigins(formerEnds: readonly End[], { replacedIds, restoredAttemptIds }: FactCorrection): Origins {
  const origins = new Map<string, Origin>();
  for (const { origin, facts, kept } of formerEnds) {
    if (origin && !kept) for (const { eventId } of facts) origins.set(eventId, origin);
  }
  for (const [eventId, replacedId] of replacedIds) {
    const origin = origins.get(replacedId);
    if (origin) origins.set(eventId, origin);
  }
  for (const [eventId, attemptId] of restoredAttemptIds) origins.set(eventId, { attemptId, finishEventId: eventId });
  return origins;
}

/** Assigns each start to the first finish after it. `pending` contains the starts after all finishes. */
function assignStarts(ends: End[], facts: readonly Fact[]): { ends: End[]; pending: Fact[] } {
  const pending: Fact[] = [];
  for (const fact of facts) {
    if (fact.finishedAt !== null) continue;
    (ends.find(({ at }) => at >= fact.startedAt!)?.facts ?? pending).push(fact);
  }
  return { ends, pending };
}

/** Returns an open enrolment as a fact; undefined if a result has been recorded since the enrolment. */
export function enrolmentFact(stored: readonly StoredAttempt[], facts: readonly Fact[]): Fact | undefined {
  const newest = stored.at(-1);
  if (!newest || newest.finishDate !== null || newest.isDerived) return undefined;
  const eventId = ` ${newest.attemptId}`;
  if (facts.some((fact) => fact.eventId === eventId)) return undefined;
  // The fact begins after the previous finish, even on the same day.
  const lastEnd = listEnds(stored, facts, []).at(-1)?.at;
  const from = newest.enrollDayStart;
  const startedAt = lastEnd === undefined || lastEnd < from ? from : new Date(Date.parse(lastEnd) + 1).toISOString();
  return {
    ...{ eventId, startedAt, finishedAt: null, score: null, passed: null, isStated: false },
    ...{ enrolledOn: newest.enrollDate, startedOn: newest.startDate, finishedOn: null },
  };
}

/** @param origins maps from facts to their attempts; earlier maps take precedence */
function listEnds(stored: readonly StoredAttempt[], facts: readonly Fact[], origins: readonly Origins[]): End[] {
  const retained = stored.filter(({ finishDate, finishEventId }) => finishDate !== null && finishEventId === null);
  const retainedDays = new Set(retained.map(({ finishDate }) => finishDate));
  const results = facts.filter(({ finishedOn }) => finishedOn !== null && !retainedDays.has(finishedOn));
  const ends: End[] = retained.map((attempt) => ({
    ...{ at: attempt.finishDayEnd!, finishDate: attempt.finishDate!, score: attempt.score },
    ...{ passed: attempt.passed, facts: [], origin: attempt, kept: attempt },
  }));
  const groups = groupFinishes(results, facts);
  const originsByGroup = matchOrigins(groups, origins);
  for (const group of groups) {
    const graded = group.findLast(isGraded);
    const { score = null, passed = null } = graded ?? {};
    const { finishedAt, finishedOn } = group.at(-1)!;
    const origin = originsByGroup.get(group);
    const end = { at: finishedAt!, finishDate: finishedOn!, facts: group };
    ends.push({ ...end, score, passed, origin, kept: undefined });
  }
  return ends.toSorted((a, b) => compare(a.at, b.at) || compareGrades(a, b) || Number(a.passed) - Number(b.passed));
}

/** Finds the attempt of each group of finishes. No attempt is used for more than one group. */
function matchOrigins(groups: readonly Fact[][], origins: readonly Origins[]): Map<Fact[], Origin> {
  const matched = new Map<Fact[], Origin>();
  const usedIds = new Set<string>();
  for (const byId of origins) {
    for (const group of groups) {
      if (matched.has(group)) continue;
      const found = group.flatMap(({ eventId }) => byId.get(eventId) ?? []);
      const origin = found.find(({ attemptId }) => !usedIds.has(attemptId));
      if (!origin) continue;
      usedIds.add(origin.attemptId);
      matched.set(group, origin);
    }
  }
  return matched;
}

/** Groups the finishes by attempt, ordered by time. Within an attempt, at most one time has graded finishes. */
function groupFinishes(finishes: readonly Fact[], facts: readonly Fact[]): Fact[][] {
  const starts = facts.flatMap(({ startedAt }) => startedAt ?? []);
  const groups: Fact[][] = [];
  for (const finish of finishes.toSorted(compareFinishes)) {
    const group = groups.at(-1);
    if (group && isSameAttempt(group, finish, starts)) group.push(finish);
    else groups.push([finish]);
  }
  return groups;
}

function isSameAttempt(group: readonly Fact[], finish: Fact, starts: readonly string[]): boolean {
  const last = group.at(-1)!;
  const [before, at] = [last.finishedAt!, finish.finishedAt!];
  const graded = group.find(isGraded);
  if (graded && isGraded(finish)) {
    const isSameGrade = graded.passed === finish.passed || !(graded.isStated || finish.isStated);
    return graded.finishedAt === at && compareGrades(graded, finish) === 0 && isSameGrade;
  }
  return last.finishedOn === finish.finishedOn && !starts.some((start) => before < start && start <= at);
}

function isGraded({ score, passed }: Pick<Fact, 'score' | 'passed'>): boolean {
  return score !== null || passed !== null;
}

function compareFinishes(a: Fact, b: Fact): number {
  const byGrade = compare(a.finishedAt!, b.finishedAt!) || compareGrades(a, b);
  return byGrade || Number(a.isStated) - Number(b.isStated) || Number(a.passed) - Number(b.passed);
}

/** Sorts finishes without a grade first, then those without a score. */
function compareGrades(a: Pick<Fact, 'score' | 'passed'>, b: Pick<Fact, 'score' | 'passed'>): number {
  const getRank = ({ score, passed }: typeof a) => score ?? (passed === null ? -3 : passed ? -1 : -2);
  return getRank(a) - getRank(b);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Returns the new finish that ends the open enrolment. */
function findHeir(ends: readonly End[]): End | undefined {
  const free = ends.filter(({ origin }) => !origin);
  return free.find(({ facts }) => facts.some(({ finishedAt }) => finishedAt === null)) ?? free.at(-1);
}

function finishedAttempt({ finishDate, score, facts, origin, kept }: End): Omit<Attempt, 'attempt'> {
  if (kept) return kept;
  const startDate = [...startDays(facts), finishDate].reduce(earlier);
  const own = facts.filter(({ finishedAt }) => finishedAt !== null);
  const graded = own.filter(isGraded);
  const finishers = (graded.length > 0 ? graded : own).toSorted((a, b) => compare(a.eventId, b.eventId));
  const finisher = finishers.find(({ eventId }) => eventId === origin?.finishEventId) ?? finishers[0]!;
  return {
    ...{ attemptId: origin?.attemptId ?? null, enrollDate: enrollDay(facts, startDate), startDate },
    ...{ finishDate, score, passed: finisher.passed, finishEventId: finisher.eventId },
  };
}

function openAttempt(facts: readonly Fact[], before: StoredAttempt | undefined): Omit<Attempt, 'attempt'> {
  if (before && facts.length === 0) return before;
  const starts = startDays(facts);
  const startDate = starts.length > 0 ? starts.reduce(earlier) : null;
  return {
    ...{ attemptId: before?.attemptId ?? null, enrollDate: enrollDay(facts, startDate), startDate },
    ...{ finishDate: null, score: null, passed: null, finishEventId: null },
  };
}

/** Returns the latest enrolment day that is not after the start. */
function enrollDay(facts: readonly Fact[], startDate: string | null): string {
  const days = facts.flatMap(({ enrolledOn }) => enrolledOn ?? []);
  const newest = days.toSorted().at(-1);
  if (newest === undefined) return startDate!;
  return startDate === null ? newest : earlier(newest, startDate);
}

function startDays(facts: readonly Fact[]): string[] {
  return facts.flatMap(({ startedOn }) => startedOn ?? []);
}

function earlier(a: string, b: string): string {
  return a < b ? a : b;
}
