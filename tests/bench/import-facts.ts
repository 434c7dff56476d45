// The record of another platform: five years of results and signatures with known sums.
import { formatDate } from '../../seeds/demo-days.ts';

export const YEARS = 5;
export const LEARNERS = 10_000;
/** Learners with a result in each year. */
export const TRAINED = 4000;
/** Learners with a signature in each year. */
export const SIGNERS = 1000;
/** The pass mark of each year. */
export const PASS_MARKS = [60, 65, 70, 75, 80] as const;
/** Years after which the trained learners changed between the two groups. */
export const YEARS_BEFORE_MOVE = 3;

const FIRST_YEAR = new Date().getUTCFullYear() - YEARS;
const DAY_MS = 86_400_000;

/** A learner by number, from 0. */
export const emailOf = (learner: number): string => `learner${learner}@import.test`;
export const yearOf = (year: number): number => FIRST_YEAR + year;
export const startOf = (year: number): string => `${yearOf(year)}-01-01`;
export const endOf = (year: number): string => `${yearOf(year)}-12-31`;
export const publishedAt = (year: number): string => `${yearOf(year)}-01-15T08:00:00.000Z`;

/** Returns the group, 0 or 1, of a trained learner in a year. */
export const groupOf = (learner: number, year: number): number => (learner + Number(year >= YEARS_BEFORE_MOVE)) % 2;

const scoreOf = (learner: number, year: number): number => (learner * 37 + year * 13) % 101;

/** Returns a day of the year, after the publication of the policy's version. */
const dayOf = (learner: number, year: number): string =>
  formatDate(Date.UTC(yearOf(year), 1, 1) / DAY_MS + ((learner * 7 + year) % 330));

export function* results(courseId: string): Generator<object> {
  for (let year = 0; year < YEARS; year++) {
    for (let learner = 0; learner < TRAINED; learner++) {
      const day = dayOf(learner, year);
      yield {
        learner: { email: emailOf(learner) },
        course: { id: courseId },
        startedAt: `${day}T09:00:00Z`,
        finishedAt: `${day}T09:40:00Z`,
        score: scoreOf(learner, year),
        passMark: PASS_MARKS[year],
        eventId: `result-${year}-${learner}`,
      };
    }
  }
}

export function* signatures(policyId: string): Generator<object> {
  for (let year = 0; year < YEARS; year++) {
    for (let learner = 0; learner < SIGNERS; learner++) {
      yield {
        learner: { email: emailOf(learner) },
        policyId,
        signedAt: `${dayOf(learner, year)}T10:00:00Z`,
        offline: true,
        eventId: `signature-${year}-${learner}`,
      };
    }
  }
}

/** The sums of a year's results that reports must show. */
export interface Sums {
  rows: number;
  score: number;
  passed: number;
}

/** Sums up the results of a year. @param isCounted selects learners; by default, all */
export function sumsOf(year: number, isCounted: (learner: number) => boolean = () => true): Sums {
  const sums = { rows: 0, score: 0, passed: 0 };
  for (let learner = 0; learner < TRAINED; learner++) {
    if (!isCounted(learner)) continue;
    const score = scoreOf(learner, year);
    sums.rows += 1;
    sums.score += score;
    sums.passed += Number(score >= PASS_MARKS[year]!);
  }
  return sums;
}
