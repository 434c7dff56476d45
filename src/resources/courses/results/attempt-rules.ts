/** A fact about a learner and a course: a reported result, or an enrolment that was open before the first result. */
export interface Fact {
  eventId: string;
  /** Reported start of a result, or the moment from which an enrolment counts. */
  startedAt: string | null;
  finishedAt: string | null;
  score: number | null;
  /** Reported grade of a finish without a score. */
  passed: boolean | null;
  /** Day of the enrolment and day of its start; both null for a result. */
  enrolledOn: string | null;
  startedOn: string | null;
}

export interface Attempt {
  /** Id of the stored attempt; null for a new attempt. */
  attemptId: string | null;
  attempt: number;
  enrollDate: string;
  startDate: string | null;
  finishDate: string | null;
  score: number | null;
  /** Grade; null for a new attempt with a score, because the pass mark decides. */
  passed: boolean | null;
  /** Id of the result that finished the attempt; null while the attempt is open, or if no result finished it. */
  finishEventId: string | null;
}

export interface StoredAttempt extends Attempt {
  attemptId: string;
  isDerived: boolean;
}

/** A finish, with the facts of its attempt. */
interface End {
  at: string;
  finishDate: string;
  score: number | null;
  passed: boolean | null;
  facts: Fact[];
  stored: StoredAttempt | undefined;
  /** Whether the attempt was finished by something other than a result; results do not change such an attempt. */
  isKept: boolean;
}

/** Input from which attempts are derived. */
export interface Existing {
  /** Stored attempts, in the order of their numbers. */
  stored: readonly StoredAttempt[];
  facts: readonly Fact[];
  /** Ids of the new facts. */
  newIds: ReadonlySet<string>;
}

/**
 * Derives the attempts of a learner at a course, oldest first, by the rules in `course-results.ts`. Finishes with the
 * same moment and score are one attempt. A finish without a grade adds nothing to a finish of the same day, unless a
 * start lies between them: many programs report "completed" next to "passed".
 */
export function deriveAttempts({ stored, facts, newIds }: Existing): Attempt[] {
  const ends = listEnds(stored, facts);
  const pending: Fact[] = [];
  for (const fact of facts) {
    if (fact.finishedAt !== null) continue;
    (ends.find(({ at }) => at >= fact.startedAt!)?.facts ?? pending).push(fact);
  }
  const newest = stored.at(-1);
  const open = newest?.finishDate === null ? newest : undefined;
  const isNew = ({ eventId }: Fact) => newIds.has(eventId);
  const heir = open && !pending.some((fact) => !isNew(fact)) ? findHeir(ends) : undefined;
  if (heir) heir.stored = open;
  const finished = ends.map((end, index) => ({ ...finishedAttempt(end), attempt: index + 1 }));
  const before = heir ? undefined : open;
  // A removed enrolment stays removed until another start is reported.
  if (!before && !pending.some(isNew)) return finished;
  return [...finished, { ...openAttempt(pending, before), attempt: finished.length + 1 }];
}

/** Returns an open enrolment as a fact, if no result has been recorded since the enrolment. */
export function enrolmentFact(stored: readonly StoredAttempt[], facts: readonly Fact[]): Fact | undefined {
  const newest = stored.at(-1);
  if (!newest || newest.finishDate !== null || newest.isDerived) return undefined;
  const eventId = ` ${newest.attemptId}`;
  if (facts.some((fact) => fact.eventId === eventId)) return undefined;
  // The fact begins after the previous finish, even on the same day.
  const lastEnd = listEnds(stored, facts).at(-1)?.at;
  const from = `${newest.enrollDate}T00:00:00.000Z`;
  const startedAt = lastEnd === undefined || lastEnd < from ? from : new Date(Date.parse(lastEnd) + 1).toISOString();
  return {
    ...{ eventId, startedAt, finishedAt: null, score: null, passed: null },
    ...{ enrolledOn: newest.enrollDate, startedOn: newest.startDate },
  };
}

function listEnds(stored: readonly StoredAttempt[], facts: readonly Fact[]): End[] {
  const retained = stored.filter(({ finishDate, finishEventId }) => finishDate !== null && finishEventId === null);
  const retainedDays = new Set(retained.map(({ finishDate }) => finishDate));
  const byFinishId = new Map(stored.map((attempt) => [attempt.finishEventId, attempt]));
  const results = facts.filter(({ finishedAt }) => finishedAt !== null && !retainedDays.has(toDay(finishedAt)));
  const ends: End[] = retained.map((attempt) => ({
    ...{ at: `${attempt.finishDate}T23:59:59.999Z`, finishDate: attempt.finishDate!, score: attempt.score },
    ...{ passed: attempt.passed, facts: [], stored: attempt, isKept: true },
  }));
  for (const group of groupFinishes(results, facts)) {
    const graded = group.findLast(isGraded);
    const { score = null, passed = null } = graded ?? {};
    const at = group.at(-1)!.finishedAt!;
    const id = group.find(({ eventId }) => byFinishId.has(eventId))?.eventId;
    ends.push({
      ...{ at, finishDate: toDay(at), score, passed, facts: group, isKept: false },
      stored: id === undefined ? undefined : byFinishId.get(id),
    });
  }
  return ends.toSorted((a, b) => compare(a.at, b.at) || compareGrades(a, b));
}

/** Groups the finishes by attempt, in the order of their times. At most one moment of each attempt has a grade. */
function groupFinishes(finishes: readonly Fact[], facts: readonly Fact[]): Fact[][] {
  const starts = facts.flatMap(({ startedAt }) => startedAt ?? []);
  const groups: Fact[][] = [];
  for (const finish of finishes.toSorted((a, b) => compare(a.finishedAt!, b.finishedAt!) || compareGrades(a, b))) {
    const group = groups.at(-1);
    if (group && isSameAttempt(group, finish, starts)) group.push(finish);
    else groups.push([finish]);
  }
  return groups;
}

function isSameAttempt(group: readonly Fact[], finish: Fact, starts: readonly string[]): boolean {
  const before = group.at(-1)!.finishedAt!;
  const at = finish.finishedAt!;
  const graded = group.find(isGraded);
  if (graded && isGraded(finish)) return graded.finishedAt === at && compareGrades(graded, finish) === 0;
  return toDay(before) === toDay(at) && !starts.some((start) => before < start && start <= at);
}

function isGraded({ score, passed }: Pick<Fact, 'score' | 'passed'>): boolean {
  return score !== null || passed !== null;
}

/** Orders finishes without a grade first, then those without a score. */
function compareGrades(a: Pick<Fact, 'score' | 'passed'>, b: Pick<Fact, 'score' | 'passed'>): number {
  const getRank = ({ score, passed }: typeof a) => score ?? (passed === null ? -3 : passed ? -1 : -2);
  return getRank(a) - getRank(b);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Returns the new finish that ends the open enrolment. */
function findHeir(ends: readonly End[]): End | undefined {
  const free = ends.filter(({ stored }) => !stored);
  return free.find(({ facts }) => facts.some(({ finishedAt }) => finishedAt === null)) ?? free.at(-1);
}

function finishedAttempt({ finishDate, score, passed, facts, stored, isKept }: End): Omit<Attempt, 'attempt'> {
  if (isKept) return stored!;
  const startDate = [...startDays(facts), finishDate].reduce(earlier);
  const own = facts.filter(({ finishedAt }) => finishedAt !== null);
  const graded = own.filter(isGraded);
  const ids = (graded.length > 0 ? graded : own).map(({ eventId }) => eventId);
  const finishEventId = ids.find((id) => id === stored?.finishEventId) ?? ids.toSorted()[0]!;
  return {
    ...{ attemptId: stored?.attemptId ?? null, enrollDate: enrollDay(facts, startDate), startDate },
    ...{ finishDate, score, passed, finishEventId },
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

/** Returns the latest enrolment day, but no later than the start. */
function enrollDay(facts: readonly Fact[], startDate: string | null): string {
  const days = facts.flatMap(({ enrolledOn }) => enrolledOn ?? []);
  const newest = days.toSorted().at(-1);
  if (newest === undefined) return startDate!;
  return startDate === null ? newest : earlier(newest, startDate);
}

function startDays(facts: readonly Fact[]): string[] {
  return facts.flatMap(({ enrolledOn, startedOn, startedAt }) => {
    if (enrolledOn !== null) return startedOn ?? [];
    return startedAt === null ? [] : toDay(startedAt);
  });
}

function earlier(a: string, b: string): string {
  return a < b ? a : b;
}

function toDay(moment: string): string {
  return moment.slice(0, '2026-03-09'.length);
}
