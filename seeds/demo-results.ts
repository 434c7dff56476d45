import type { Schemas } from '../src/contract/contract.ts';
import type { DemoCourse } from './demo-courses.ts';
import { DAY_MS } from './demo-days.ts';
import type { Random } from './demo-people.ts';

type Result = Schemas['CourseResultInput'];

/**
 * Days of a learner in a course. `start` is undefined until the course is started, `finish` and `score` until it is
 * finished.
 */
export interface Outcome {
  enrolled: number;
  start?: number | undefined;
  finish?: number | undefined;
  score?: number | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** One in this many learners who finish on the day of their enrolment needs two attempts. */
const TWO_ATTEMPTS = 6;

/**
 * Builds the results of a learner in a course that the company's learning platform reports, without their event ids. A
 * second attempt follows on the same day, so that reports, which use the newest attempt, do not depend on it.
 */
export function buildResults(
  random: Random,
  pair: Pick<Result, 'learner' | 'course'>,
  course: DemoCourse,
  { enrolled, start, finish, score }: Outcome,
): Omit<Result, 'eventId'>[] {
  if (start === undefined) return [];
  const startedAt = timeOn(start, 9 + 5 * random());
  if (finish === undefined || score === undefined) return [{ ...pair, startedAt: formatTime(startedAt) }];
  const durationMs = course.durationMinutes * (0.8 + 0.7 * random()) * MINUTE_MS;
  const finishedAt = finish === start ? startedAt + durationMs : timeOn(finish, 9 + 6 * random());
  const result = { ...pair, startedAt: formatTime(startedAt), finishedAt: formatTime(finishedAt), score };
  const isSecond = random() < 1 / TWO_ATTEMPTS && finish === enrolled && score >= course.passMark;
  return isSecond ? [{ ...pair, ...failedBefore(random, course, start) }, result] : [result];
}

/** Builds an attempt early in the morning that missed the pass mark by a few answers. */
function failedBefore(
  random: Random,
  course: DemoCourse,
  day: number,
): Pick<Result, 'startedAt' | 'finishedAt' | 'score'> {
  const startedAt = timeOn(day, 7 + random());
  const needed = Math.ceil((course.passMark * course.questions) / 100);
  const right = needed - 1 - Math.floor(random() * 2);
  return {
    startedAt: formatTime(startedAt),
    finishedAt: formatTime(startedAt + course.durationMinutes * MINUTE_MS),
    score: (100 * right) / course.questions,
  };
}

function timeOn(day: number, hour: number): number {
  return day * DAY_MS + hour * HOUR_MS;
}

function formatTime(time: number): string {
  return new Date(time).toISOString();
}
