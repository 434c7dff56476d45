import { invalidField } from '../../errors.ts';

/** What a package has told of itself, in the words of SCORM; empty where it has told nothing. */
export type PlayState = Record<keyof typeof MAX_LENGTHS, string>;

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
} as const;

const FIELDS = Object.keys(MAX_LENGTHS) as (keyof PlayState)[];

export const NO_STATE = Object.fromEntries(FIELDS.map((field) => [field, ''])) as PlayState;

/** What a window sends: what is kept, and whether the package has ended. */
export interface Told {
  state: PlayState;
  isEnded: boolean;
}

/** @throws invalid_request naming what is too long, or no text that can be kept */
export function readTold(body: unknown): Told {
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
  return { state: Object.fromEntries(entries) as PlayState, isEnded: isEnded === true };
}

/**
 * The score of a package that is over, in percent; undefined while it goes on. Without a score of its own a failed one has
 * none of it and any other all.
 */
export function scoreOf({ status, success, ...score }: PlayState): number | undefined {
  const isFailed = status === 'failed' || success === 'failed';
  if (!isFailed && !['passed', 'completed'].includes(status) && success !== 'passed') return undefined;
  const percent = percentOf(score);
  if (percent === undefined || Number.isNaN(percent)) return isFailed ? 0 : 100;
  return Math.round(Math.min(100, Math.max(0, percent)) * 100) / 100;
}

function percentOf({ scaled, raw, min, max }: Pick<PlayState, 'scaled' | 'raw' | 'min' | 'max'>): number | undefined {
  const [ofOne, points, least, most] = [scaled, raw, min, max].map(numberOf);
  if (ofOne !== undefined) return ofOne * 100;
  if (points === undefined) return undefined;
  const from = least ?? 0;
  return most !== undefined && most > from ? ((points - from) / (most - from)) * 100 : points;
}

function numberOf(text: string): number | undefined {
  const number = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
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
