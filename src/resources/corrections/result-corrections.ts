import type { TenantWriter } from '../../db/tenant.ts';
import { findCourses } from '../courses/course-keys.ts';
import { correctResults } from '../courses/results/correct-results.ts';
import {
  findFacts,
  type GradedResult,
  insertFacts,
  type ResultDays,
} from '../courses/results/result-event-repository.ts';
import {
  areSameResults,
  distinctPairs,
  formatPair,
  MAX_RESULTS_OF_PAIR,
  type Pair,
  readResult,
} from '../courses/results/result-event-rules.ts';
import type { FailureCode, KindRules, ReplacementInput } from './correction-rules.ts';
import { type CorrectableResult, findCorrectableResults } from './correction-repository.ts';
import { distinct, judgeAndInsert, type RecordKind } from './record-kind.ts';

/** A result. Its days are null if its times differ from the times of the result that it replaces. */
type Replacement = GradedResult & ResultDays;

/** Corrections of course results. */
export const resultCorrections: RecordKind = {
  async lockTargets(tenant, eventIds) {
    const records = [...(await findCorrectableResults(tenant, eventIds)).values()];
    await findCourses(tenant, distinct(records.map(({ courseId }) => courseId)));
    return records.map(({ learnerId }) => learnerId);
  },
  async correct(tenant, items) {
    const judged = await judgeAndInsert<Replacement, CorrectableResult>(items, {
      find: (eventIds) => findCorrectableResults(tenant, eventIds),
      toRules: (recorded, ownIds) => toRules(tenant, recorded, ownIds),
      insert: async (replacements) => new Set((await insertFacts(tenant, replacements)).keys()),
    });
    const { completed, failures, corrections } = judged;
    if (corrections.length === 0) return { completed, failures, corrections: [] };
    const attemptIds = await correctResults(tenant, judged);
    const made = corrections.map((correction) => {
      const attemptId = correction.action === 'restore' ? null : (attemptIds.get(correction.eventId) ?? null);
      return { ...correction, attemptId, assignedAt: null };
    });
    return { completed, failures, corrections: made };
  },
};

async function toRules(
  tenant: TenantWriter,
  recorded: Map<string, CorrectableResult>,
  ownIds: ReadonlySet<string>,
): Promise<KindRules<Replacement, CorrectableResult>> {
  const facts = await findFacts(tenant, distinctPairs(recorded.values()));
  const countResults = (pair: Pair) => {
    return (facts.get(formatPair(pair)) ?? []).filter(({ eventId }) => !ownIds.has(eventId)).length;
  };
  return { recorded, ...createResultRules(new Date(), countResults) };
}

/**
 * Builds the rules for course results.
 * @param countResults returns the number of a pair's results that count
 */
function createResultRules(
  now: Date,
  countResults: (pair: Pair) => number,
): Omit<KindRules<Replacement, CorrectableResult>, 'recorded'> {
  const counts = new Map<string, number>();
  return {
    replacementFields: ['startedAt', 'finishedAt', 'score', 'passed', 'passMark'],
    areSame: areSameResults,
    readReplacement: (input, record) => readReplacement(input, record, now),
    // A record that the same call voids still counts.
    countOne(pair) {
      const count = (counts.get(formatPair(pair)) ?? countResults(pair)) + 1;
      counts.set(formatPair(pair), count);
      return count <= MAX_RESULTS_OF_PAIR ? undefined : 'too_many_results';
    },
  };
}

/**
 * Reads a replacement. If it states neither a grade nor a pass mark, it keeps the stated pass mark of the replaced
 * result. If its score is also unchanged, it keeps the grade too. Otherwise, the replacement itself or the course's
 * pass mark decides the grade. An unchanged time keeps its day.
 */
function readReplacement(input: ReplacementInput, replaced: CorrectableResult, now: Date): Replacement | FailureCode {
  const read = readResult(input, replaced, now);
  if (read === 'result_inconsistent') return 'replacement_inconsistent';
  if (typeof read === 'string') return read;
  const days = new Map([
    [replaced.startedAt, replaced.startedOn],
    [replaced.finishedAt, replaced.finishedOn],
  ]);
  const dayOf = (time: string | null) => (time === null ? null : (days.get(time) ?? null));
  const result = { ...read, startedOn: dayOf(read.startedAt), finishedOn: dayOf(read.finishedAt) };
  if (result.score === null || result.passed !== null || result.passMark !== null) return { ...result, isPassed: null };
  const isPassed = result.score === replaced.score ? replaced.isPassed : null;
  return { ...result, passMark: replaced.passMark, isPassed };
}
