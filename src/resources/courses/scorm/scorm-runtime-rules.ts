import type { Schemas } from '../../../contract/contract.ts';
import { invalidField } from '../../../contract/errors.ts';

/** What a package has told of itself, in the words of SCORM; empty where it has told nothing. */
export type ScormRuntimeState = Record<keyof typeof MAX_LENGTHS, string>;

/** The longest texts of SCORM 2004; those of 1.2 are shorter. */
const MAX_LENGTHS = {
  location: 1000,
  suspendData: 64_000,
  /** The `lesson_status` of 1.2, the `completion_status` of 2004. */
  status: 20,
  /** The `success_status` of 2004. */
  success: 20,
  raw: 20,
  min: 20,
  max: 20,
  scaled: 20,
  totalTime: 50,
  exit: 20,
} as const;

/** A decimal of SCORM: no exponent, no spaces, and a point. */
const DECIMAL = /^-?(\d+\.?\d*|\.\d+)$/;

const FIELDS = Object.keys(MAX_LENGTHS) as (keyof ScormRuntimeState)[];

export const NO_STATE = Object.fromEntries(FIELDS.map((field) => [field, ''])) as ScormRuntimeState;

/** What a window sends: what is kept, and whether the package has ended. */
export interface ReportedState {
  state: ScormRuntimeState;
  isEnded: boolean;
}

/** @throws invalid_request naming what is too long, or no text that can be kept */
export function parseReportedState(body: unknown): ReportedState {
  if (typeof body !== 'object' || body === null) throw invalidField('body', 'must be an object');
  const { isEnded, ...given } = body as Record<string, unknown>;
  const entries = FIELDS.map((field) => {
    const value = given[field] ?? '';
    if (typeof value !== 'string') throw invalidField(`body/${field}`, 'must be a text');
    if (value.length > MAX_LENGTHS[field]) throw invalidField(`body/${field}`, 'is too long');
    // What Postgres cannot keep in JSON.
    if (value.includes('\0') || !value.isWellFormed())
      throw invalidField(`body/${field}`, 'has a character that is none');
    return [field, value] as const;
  });
  return { state: Object.fromEntries(entries) as ScormRuntimeState, isEnded: isEnded === true };
}

/** The result of a package: a score in per cent, or whether it is passed, or neither. */
export type PackageResult = Pick<Schemas['CourseResultInput'], 'score' | 'passed'>;

/**
 * Reads the result of a package that has ended; undefined while its attempt goes on. A package that was failed and then
 * suspended goes on: SCORM keeps its attempt, and the learner can still pass.
 */
export function readResult(state: ScormRuntimeState, passMark: number): PackageResult | undefined {
  const { status, success, exit } = state;
  const isFailed = status === 'failed' || success === 'failed';
  const isPassed = status === 'passed' || success === 'passed';
  if (!isFailed && !isPassed && status !== 'completed') return undefined;
  const score = readScore(state);
  if (exit === 'suspend' && (isFailed || (score !== undefined && score < passMark))) return undefined;
  if (score !== undefined) return { score };
  return isFailed || isPassed ? { passed: !isFailed } : {};
}

function readScore(state: ScormRuntimeState): number | undefined {
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

/** A learner's newest attempt at a course. */
export interface Enrolment {
  attemptId: string | null;
  startDate: string | null;
  finishDate: string | null;
  passed: boolean | null;
  isRetired: boolean;
}

/** Whether the package may be opened: by who is enrolled and has not finished, and by who has failed. */
export function mayOpen({ attemptId, startDate, finishDate, passed, isRetired }: Enrolment): boolean {
  if (attemptId === null) return false;
  if (finishDate !== null) return passed === false && !isRetired;
  return startDate !== null || !isRetired;
}

/** Whether opening it begins an attempt. */
export function isNewStart({ startDate, finishDate }: Enrolment): boolean {
  return startDate === null || finishDate !== null;
}
