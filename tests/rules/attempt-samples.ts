import fc from 'fast-check';
import {
  type Attempt,
  deriveAttempts,
  enrolmentFact,
  type Fact,
  type StoredAttempt,
} from '../../src/resources/courses/results/attempt-rules.ts';

export const at = (day: number, hour = 8) =>
  `2026-03-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`;
export const on = (day: number) => at(day).slice(0, 10);

const fact = (eventId: string, more: Partial<Fact>): Fact => ({
  ...{ eventId, startedAt: null, finishedAt: null, score: null, passed: null, isStated: false },
  enrolledOn: null,
  ...{ startedOn: more.startedAt?.slice(0, 10) ?? null, finishedOn: more.finishedAt?.slice(0, 10) ?? null },
  ...more,
});

/** Adds the start and end of an attempt, in UTC. */
export const withDayEnds = (attempt: Omit<StoredAttempt, 'enrollDayStart' | 'finishDayEnd'>): StoredAttempt => ({
  ...attempt,
  enrollDayStart: `${attempt.enrollDate}T00:00:00.000Z`,
  finishDayEnd: attempt.finishDate && `${attempt.finishDate}T23:59:59.999Z`,
});
export const start = (eventId: string, day: number) => fact(eventId, { startedAt: at(day) });
export const finish = (eventId: string, day: number, score = 90, startDay?: number) =>
  fact(eventId, { finishedAt: at(day, 12), score, startedAt: startDay === undefined ? null : at(startDay) });
/** Creates a finish without a score. */
export const end = (eventId: string, day: number, hour: number, passed: boolean | null = null) =>
  fact(eventId, { finishedAt: at(day, hour), passed });

/** Records facts call by call, as the service does, and returns the stored attempts. */
export function record(calls: Fact[][], begin: StoredAttempt[] = []): StoredAttempt[] {
  let stored = begin;
  let known: Fact[] = [];
  for (const [call, added] of calls.entries()) {
    const enrolment = enrolmentFact(stored, known);
    const facts = [...known, ...(enrolment ? [enrolment] : []), ...added];
    const attempts = deriveAttempts({ stored, facts, newIds: new Set(added.map(({ eventId }) => eventId)) });
    const before = new Map<string | null, Attempt>(stored.map((attempt) => [attempt.attemptId, attempt]));
    for (const { attemptId, finishDate } of stored.filter((attempt) => attempt.finishDate !== null)) {
      expect(attempts.find((attempt) => attempt.attemptId === attemptId)).toMatchObject({ finishDate });
    }
    stored = attempts.map((attempt) => {
      expect(attempt.attemptId === null || before.has(attempt.attemptId)).toBe(true);
      return withDayEnds({ ...attempt, attemptId: attempt.attemptId ?? `${call} ${attempt.attempt}`, isDerived: true });
    });
    known = facts;
  }
  return stored;
}

/** Returns the content of attempts, without their ids. */
export const seen = (attempts: readonly Attempt[]) =>
  attempts.map(({ attempt, enrollDate, startDate, finishDate, score, passed }) => [
    ...[attempt, enrollDate, startDate, finishDate, score ?? passed],
  ]);

export const stored = (more: Partial<StoredAttempt>): StoredAttempt =>
  withDayEnds({
    ...{ attemptId: 'a', attempt: 1, enrollDate: on(5), startDate: null, finishDate: null, score: null },
    ...{ passed: null, finishEventId: null, isDerived: false },
    ...more,
  });
export const openSinceDay5 = stored({});
export const finishedOnDay7 = stored({ startDate: on(6), finishDate: on(7), score: 60 });

const anyContent = fc.record({
  day: fc.integer({ min: 1, max: 9 }),
  startsBefore: fc.option(fc.integer({ min: 0, max: 3 })),
  score: fc.constantFrom(null, 60, 90, 'passed', 'none'),
  hour: fc.constantFrom(7, 12, 18),
});

/** Draws facts without their ids. */
export const anyFact = anyContent.map(({ day, startsBefore, score, hour }) => (eventId: string): Fact => {
  if (score === null) return start(eventId, day);
  if (typeof score === 'string') return end(eventId, day, hour, score === 'passed' ? true : null);
  return finish(eventId, day, score, startsBefore === null ? undefined : Math.max(1, day - startsBefore));
});

/** Attempts that exist before the first fact. */
export const begins: StoredAttempt[][] = [
  ...[[], [openSinceDay5], [stored({ startDate: on(6) })], [finishedOnDay7]],
  [finishedOnDay7, stored({ attemptId: 'b', attempt: 2, enrollDate: on(7) })],
];
