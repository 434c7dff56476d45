import type { Schemas } from '../../../contract/contract.ts';
import { isPlausiblePast } from '../../learners/shared/fact-times.ts';
import { partitionNewRecords } from '../../learners/shared/dedupe-records.ts';

type Input = Schemas['CourseResultInput'];
type FailureCode =
  | 'learner_not_found'
  | 'course_not_found'
  | 'result_inconsistent'
  | 'time_not_plausible'
  | 'event_id_reused'
  | 'too_many_results';

/** Failure messages for results. */
export const RESULT_MESSAGES: Record<FailureCode, string> = {
  learner_not_found: 'Learner not found.',
  course_not_found: 'Course not found.',
  result_inconsistent:
    'A result needs a start, a finish or both. The finish must not be before the start. Only a finish can have `score`, `passed` and `passMark`. `passMark` needs a `score` and must not contradict `passed`.',
  time_not_plausible: 'The time must not be in the future or more than ten years ago.',
  event_id_reused: 'Another result already has this `eventId`; use a new one.',
  too_many_results: 'The learner already has the maximum of 1,000 results of this course.',
};

export interface Pair {
  learnerId: string;
  courseId: string;
}

/** A result of an existing learner at an existing course. */
export interface ResultEvent extends Pair {
  eventId: string;
  startedAt: string | null;
  finishedAt: string | null;
  score: number | null;
  /** Grade that the sender stated. */
  passed: boolean | null;
  /** Pass mark that the sender stated for the score. */
  passMark: number | null;
}

/** Data that decides whether results are recorded. */
export interface ResultFacts {
  now: Date;
  findLearnerId: (key: Schemas['LearnerKey']) => string | undefined;
  findCourseId: (key: Schemas['CourseKey']) => string | undefined;
  /** Recorded results with the ids that the call names, by id. */
  recorded: ReadonlyMap<string, ResultEvent>;
  /** Returns the number of recorded results of a pair. */
  countResults: (pair: Pair) => number;
}

/** Maximum number of results per learner and course. Limited because attempts are derived from all of them. */
export const MAX_RESULTS_OF_PAIR = 1000;

/** Returns the results to record, and the outcome of each result. */
export function judgeResults(
  inputs: readonly Input[],
  { now, findLearnerId, findCourseId, recorded, countResults }: ResultFacts,
): { added: ResultEvent[]; outcome: Schemas['RecordedCourseResults'] } {
  const counts = new Map<string, number>();
  return partitionNewRecords<Input, ResultEvent, FailureCode>(inputs, {
    recorded,
    identify,
    refuseNew,
    messages: RESULT_MESSAGES,
  });

  function identify(input: Input, recordedEvent: ResultEvent | undefined): ResultEvent | FailureCode {
    const learnerId = findLearnerId(input.learner);
    if (learnerId === undefined) return 'learner_not_found';
    const courseId = findCourseId(input.course);
    if (courseId === undefined) return 'course_not_found';
    const result = readResult(input, { learnerId, courseId }, now);
    if (typeof result === 'string') return result;
    return recordedEvent && !areSameResults(result, recordedEvent) ? 'event_id_reused' : result;
  }

  function refuseNew(result: ResultEvent): FailureCode | undefined {
    const count = (counts.get(formatPair(result)) ?? countResults(result)) + 1;
    if (count > MAX_RESULTS_OF_PAIR) return 'too_many_results';
    counts.set(formatPair(result), count);
    return undefined;
  }
}

type ResultInput = Pick<Input, 'eventId' | 'startedAt' | 'finishedAt' | 'score' | 'passed' | 'passMark'>;

/** Converts an item to a result of a learner and a course, or returns the failure. */
export function readResult(
  { eventId, startedAt, finishedAt, score = null, passed = null, passMark = null }: ResultInput,
  { learnerId, courseId }: Pair,
  now: Date,
): ResultEvent | 'result_inconsistent' | 'time_not_plausible' {
  const result = {
    ...{ eventId, learnerId, courseId },
    ...{ startedAt: toUtc(startedAt), finishedAt: toUtc(finishedAt) },
    ...{ score: roundPercent(score), passed, passMark: roundPercent(passMark) },
  };
  if (!isConsistent(result)) return 'result_inconsistent';
  const isPlausible = [result.startedAt, result.finishedAt].every(
    (time) => time === null || isPlausiblePast(new Date(time), now),
  );
  return isPlausible ? result : 'time_not_plausible';
}

/** Reports whether two results have the same content, apart from their ids. */
export function areSameResults(a: ResultEvent, b: ResultEvent): boolean {
  const serializeContent = ({ learnerId, courseId, startedAt, finishedAt, score, passed, passMark }: ResultEvent) =>
    JSON.stringify([learnerId, courseId, startedAt, finishedAt, score, passed, passMark]);
  return serializeContent(a) === serializeContent(b);
}

/** Returns the stated grade, or the grade that follows from the stated pass mark; null if the sender stated neither. */
export function readStatedGrade({ score, passed, passMark }: StatedGrade): boolean | null {
  if (passed !== null || score === null || passMark === null) return passed;
  return score >= passMark;
}

type StatedGrade = Pick<ResultEvent, 'score' | 'passed' | 'passMark'>;

/** Returns the pairs of learners and courses, without duplicates. */
export function distinctPairs(pairs: Iterable<Pair>): Pair[] {
  const byKey = new Map<string, Pair>();
  for (const { learnerId, courseId } of pairs) byKey.set(formatPair({ learnerId, courseId }), { learnerId, courseId });
  return [...byKey.values()];
}

/** Formats a pair as a map key. */
export function formatPair({ learnerId, courseId }: Pair): string {
  return `${learnerId} ${courseId}`;
}

function isConsistent({ startedAt, finishedAt, score, passed, passMark }: ResultEvent): boolean {
  if (startedAt === null && finishedAt === null) return false;
  if (finishedAt === null && (score !== null || passed !== null)) return false;
  if (passMark !== null && score === null) return false;
  if (passed !== null && score !== null && passMark !== null && passed !== score >= passMark) return false;
  return startedAt === null || finishedAt === null || startedAt <= finishedAt;
}

function toUtc(time: string | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

/** Rounds a score or pass mark to the precision of the database. */
function roundPercent(value: number | null): number | null {
  return value === null ? null : Math.round(value * 100) / 100;
}
