import type { Schemas } from '../../../contract/contract.ts';
import { invalidField } from '../../../contract/errors.ts';

/** State that a package has reported, in SCORM's terms. Fields that the package has not reported are empty. */
export type ScormRuntimeState = Record<keyof typeof MAX_LENGTHS, string>;

/** Maximum lengths of the fields in characters, from SCORM 2004; SCORM 1.2 has shorter limits. */
const MAX_LENGTHS = {
  location: 1000,
  suspendData: 64_000,
  /** `lesson_status` in 1.2, `completion_status` in 2004. */
  status: 20,
  /** `success_status` in 2004. */
  success: 20,
  raw: 20,
  min: 20,
  max: 20,
  scaled: 20,
  totalTime: 50,
  exit: 20,
  /** JSON of the other elements that a package has set: objectives, interactions, comments, preferences, progress. */
  elements: 256_000,
} as const;

/** Highest number of a report. A window that reports once a second would not reach it in its 4 hours. */
export const MAX_NUMBER = 1_000_000;

/** Pattern of a SCORM decimal: a point as the separator, no exponent and no spaces. */
const DECIMAL = /^-?(\d+\.?\d*|\.\d+)$/;

const FIELDS = Object.keys(MAX_LENGTHS) as (keyof ScormRuntimeState)[];

export const NO_STATE = Object.fromEntries(FIELDS.map((field) => [field, ''])) as ScormRuntimeState;

/** Report of a window: the state to store, and whether the package has ended. */
export interface ReportedState {
  /** All fields, or only the changed ones in a partial report. */
  state: Partial<ScormRuntimeState>;
  isEnded: boolean;
  /** Position of the report among the reports of its page; null if the page does not number them. */
  number: number | null;
  /** Time at which the service rendered the page that reports, in milliseconds since 1970; 0 if the page sends none. */
  pageTime: number;
  /** Position of the item that reports; undefined if the window does not name items. */
  item: number | undefined;
}

/** @throws invalid_request naming a field that is too long, or is not text that can be stored */
export function parseReportedState(body: unknown): ReportedState {
  if (typeof body !== 'object' || body === null) throw invalidField('body', 'must be an object');
  const { isEnded, isPartial, number = null, pageTime = 0, item, ...given } = body as Record<string, unknown>;
  if (number !== null && !(Number.isInteger(number) && Number(number) > 0 && Number(number) <= MAX_NUMBER))
    throw invalidField('body/number', `must be a whole number from 1 to ${MAX_NUMBER}`);
  if (!(Number.isSafeInteger(pageTime) && Number(pageTime) >= 0))
    throw invalidField('body/pageTime', 'must be a whole number');
  if (item !== undefined && !(Number.isInteger(item) && Number(item) >= 0))
    throw invalidField('body/item', 'must be a whole number');
  const sent = isPartial === true ? FIELDS.filter((field) => given[field] !== undefined) : FIELDS;
  const entries = sent.map((field) => {
    const value = given[field] ?? '';
    if (typeof value !== 'string') throw invalidField(`body/${field}`, 'must be a string');
    if (value.length > MAX_LENGTHS[field])
      throw invalidField(`body/${field}`, `must have at most ${MAX_LENGTHS[field]} characters`);
    // Postgres cannot store these characters in JSON.
    if (value.includes('\0') || !value.isWellFormed())
      throw invalidField(`body/${field}`, 'must not have null characters or unpaired surrogates');
    return [field, value] as const;
  });
  return {
    state: Object.fromEntries(entries),
    isEnded: isEnded === true,
    number: number as number | null,
    pageTime: Number(pageTime),
    item: item as number | undefined,
  };
}

/** Result of a package: a score in percent, a grade, or neither. */
export type PackageResult = Pick<Schemas['CourseResultInput'], 'score' | 'passed'>;

/**
 * Reads the result of a package that has ended. Returns undefined while the attempt continues. The attempt also
 * continues if the package was suspended after a failure and has a position to continue from: SCORM keeps such an
 * attempt open, and the learner can still pass.
 */
export function readResult(state: ScormRuntimeState, passMark: number): PackageResult | undefined {
  const [failed, passed] = [isFailed(state), isPassed(state)];
  if (!failed && !passed && state.status !== 'completed') return undefined;
  const score = readScore(state);
  if (isResumable(state) && (failed || (score !== undefined && score < passMark))) return undefined;
  if (score !== undefined) return { score };
  return failed || passed ? { passed: !failed } : {};
}

export function isFailed({ status, success }: ScormRuntimeState): boolean {
  return status === 'failed' || success === 'failed';
}

export function isPassed({ status, success }: ScormRuntimeState): boolean {
  return status === 'passed' || success === 'passed';
}

/**
 * Reports whether a package is suspended with a position to continue from. A common library, pipwerks' SCORM API
 * wrapper, suspends every package that is not passed or completed, including packages that store nothing, such as H5P
 * exports.
 */
export function isResumable({ exit, location, suspendData }: ScormRuntimeState): boolean {
  return exit === 'suspend' && (location !== '' || suspendData !== '');
}

/**
 * Reports whether an item has ended. An item has not ended if it was suspended after a failure and has a position to
 * continue from, because the learner can still pass it.
 */
export function isEnded(state: ScormRuntimeState): boolean {
  return isFailed(state) ? !isResumable(state) : state.status === 'completed' || isPassed(state);
}

/** Returns the score in percent; undefined if there is none. */
export function readScore(state: ScormRuntimeState): number | undefined {
  const percent = toPercent(state);
  return percent === undefined ? undefined : Math.round(Math.min(100, Math.max(0, percent)) * 100) / 100;
}

function toPercent({
  scaled,
  raw,
  min,
  max,
}: Pick<ScormRuntimeState, 'scaled' | 'raw' | 'min' | 'max'>): number | undefined {
  const [ofOne, points, least, most] = [scaled, raw, min, max].map(parseDecimal);
  if (ofOne !== undefined) return ofOne * 100;
  if (points === undefined) return undefined;
  const from = least ?? 0;
  return most !== undefined && most > from ? ((points - from) / (most - from)) * 100 : points;
}

function parseDecimal(text: string): number | undefined {
  return DECIMAL.test(text) ? Number(text) : undefined;
}

/**
 * Reports whether a result is better than a recorded one: a better grade, or a higher score with the same grade. A
 * completed course without a grade ranks between failed and passed.
 */
export function isImprovement(
  { score, passed }: PackageResult,
  recorded: { score: number | null; passed: boolean | null },
  passMark: number,
): boolean {
  const grade = passed ?? (score === undefined || score === null ? null : score >= passMark);
  const [rank, recordedRank] = [rankGrade(grade), rankGrade(recorded.passed)];
  if (rank !== recordedRank) return rank > recordedRank;
  return (score ?? -1) > (recorded.score ?? -1);
}

function rankGrade(passed: boolean | null): number {
  if (passed === null) return 1;
  return passed ? 2 : 0;
}

/** A learner's newest attempt at a course. */
export interface Enrolment {
  attemptId: string | null;
  startDate: string | null;
  finishDate: string | null;
  passed: boolean | null;
  isRetired: boolean;
}

/**
 * Reports whether the learner can open the package: the newest attempt is open or failed. In a retired course, only an
 * attempt that was started and is not finished can be opened.
 */
export function mayOpen({ attemptId, startDate, finishDate, passed, isRetired }: Enrolment): boolean {
  if (attemptId === null) return false;
  if (finishDate !== null) return passed === false && !isRetired;
  return startDate !== null || !isRetired;
}

/** Reports whether the learner can only review the package: the newest attempt is finished and not failed. */
export function mayReview({ attemptId, finishDate, passed }: Enrolment): boolean {
  return attemptId !== null && finishDate !== null && passed !== false;
}

/** Reports whether opening the package begins an attempt. */
export function isNewStart({ startDate, finishDate }: Enrolment): boolean {
  return startDate === null || finishDate !== null;
}
