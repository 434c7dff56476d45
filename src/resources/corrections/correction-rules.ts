import type { Schemas } from '../../contract/contract.ts';
import type { GradedResult } from '../courses/results/result-event-repository.ts';
import {
  areSameResults,
  formatPair,
  MAX_RESULTS_OF_PAIR,
  type Pair,
  readResult,
  RESULT_MESSAGES,
  type ResultEvent,
} from '../courses/results/result-event-rules.ts';

type Input = Schemas['CorrectionInput'];
type FailureCode =
  | 'record_not_found'
  | 'already_voided'
  | 'replacement_inconsistent'
  | 'time_not_plausible'
  | 'event_id_reused'
  | 'too_many_results';

const MESSAGES: Record<FailureCode, string> = {
  record_not_found: 'Record not found.',
  already_voided: 'The record is voided already, or has another replacement.',
  replacement_inconsistent:
    'A replacement is needed for replace, and only for replace. It needs a start, a finish or both. The finish must not be before the start. Only a finish can have score, passed and passMark. passMark needs a score and must not contradict passed.',
  time_not_plausible: RESULT_MESSAGES.time_not_plausible,
  event_id_reused: RESULT_MESSAGES.event_id_reused,
  too_many_results: RESULT_MESSAGES.too_many_results,
};

/** A recorded result with its state. */
export interface CorrectableResult extends GradedResult {
  isVoided: boolean;
  /** Whether the course was deleted after all its results were voided. */
  isOfDeletedCourse: boolean;
  /** Id of the replacement; null if the result has none. */
  replacementEventId: string | null;
  /** Id of the attempt that the result had finished before it was voided; null if it finished none. */
  attemptId: string | null;
}

/** A correction to make. */
export interface NewCorrection extends Pick<Input, 'kind' | 'eventId' | 'action' | 'reason'> {
  learnerId: string;
  replacementEventId: string | null;
}

export interface JudgedCorrections {
  corrections: NewCorrection[];
  /** Results that no longer count. */
  voided: CorrectableResult[];
  /** Results that count again. */
  restored: CorrectableResult[];
  /** New results, with the ids of the results that they replace. */
  replacements: Replacement[];
  outcome: Schemas['CorrectedRecords'];
}

interface Replacement extends ResultEvent {
  replacedId: string;
  /** Grade that the replacement keeps; null if the result or the course's pass mark decides. */
  isPassed: boolean | null;
}

/** Data that decides whether corrections are made. */
export interface CorrectionFacts {
  now: Date;
  /** Recorded results with the ids of the call, those of replacements included, by id. */
  recorded: ReadonlyMap<string, CorrectableResult>;
  /** Returns the number of results of a pair that count. */
  countResults: (pair: Pair) => number;
}

/** Returns the corrections to make, what they change, and the outcome of each item. */
export function judgeCorrections(
  inputs: readonly Input[],
  { now, recorded, countResults }: CorrectionFacts,
): JudgedCorrections {
  const states = new Map([...recorded].map(([eventId, state]) => [eventId, { ...state }]));
  const counts = new Map<string, number>();
  const corrections: NewCorrection[] = [];
  const replacements = new Map<string, Replacement>();
  const completed: Schemas['MadeCorrection'][] = [];
  const failures: Schemas['CorrectionFailure'][] = [];
  inputs.forEach((input, index) => {
    const { kind, eventId, action, reason } = input;
    const state = states.get(eventId);
    const made = !state || state.isOfDeletedCourse ? 'record_not_found' : correct(input, state);
    if (typeof made === 'string') failures.push({ index, eventId, code: made, message: MESSAGES[made] });
    else completed.push({ index, eventId, changed: made });
    if (made !== true) return;
    const replacementEventId = input.replacement?.eventId ?? null;
    corrections.push({ kind, eventId, action, reason, learnerId: state!.learnerId, replacementEventId });
  });
  const changed = [...states.values()].filter(({ eventId, isVoided }) => recorded.get(eventId)!.isVoided !== isVoided);
  return {
    corrections,
    voided: changed.filter(({ isVoided }) => isVoided),
    restored: changed.filter(({ isVoided }) => !isVoided),
    replacements: [...replacements.values()],
    outcome: { success: failures.length === 0, completed, failures, errors: [] },
  };

  /** Changes the state. Returns whether it was different before, or the failure. */
  function correct({ action, replacement }: Input, state: CorrectableResult): boolean | FailureCode {
    if ((replacement !== undefined) !== (action === 'replace')) return 'replacement_inconsistent';
    if (replacement) return replace(replacement, state);
    if (state.isVoided === (action === 'void')) return false;
    if (action === 'restore' && !countOne(state)) return 'too_many_results';
    state.isVoided = action === 'void';
    state.replacementEventId = null;
    return true;
  }

  function replace(input: Schemas['ReplacementInput'], state: CorrectableResult): boolean | FailureCode {
    const result = keepPassMark(readResult(input, state, now), state);
    if (result === 'result_inconsistent') return 'replacement_inconsistent';
    if (result === 'time_not_plausible') return result;
    if (state.isVoided) return isReplacedBy(result, state) ? false : 'already_voided';
    if (recorded.has(result.eventId) || replacements.has(result.eventId)) return 'event_id_reused';
    if (!countOne(state)) return 'too_many_results';
    const isPassed = hasSameScore(result, state) ? state.isPassed : null;
    replacements.set(result.eventId, { ...result, replacedId: state.eventId, isPassed });
    state.isVoided = true;
    state.replacementEventId = result.eventId;
    return true;
  }

  function isReplacedBy(result: ResultEvent, { replacementEventId }: CorrectableResult): boolean {
    const present = recorded.get(result.eventId) ?? replacements.get(result.eventId);
    return replacementEventId === result.eventId && present !== undefined && areSameResults(result, present);
  }

  /** Counts a result of the pair. Returns whether the pair can have it. Voids of this call free no place. */
  function countOne(pair: Pair): boolean {
    const count = (counts.get(formatPair(pair)) ?? countResults(pair)) + 1;
    counts.set(formatPair(pair), count);
    return count <= MAX_RESULTS_OF_PAIR;
  }
}

/** Adds the stated pass mark of the replaced result to a score for which neither a grade nor a pass mark is stated. */
function keepPassMark<Failure extends string>(
  result: ResultEvent | Failure,
  { passMark }: ResultEvent,
): ResultEvent | Failure {
  if (typeof result === 'string' || result.score === null || isGradeStated(result)) return result;
  return { ...result, passMark };
}

/** Reports whether a replacement has the score of the replaced result, and states neither a grade nor a pass mark. */
function hasSameScore(result: ResultEvent, replaced: ResultEvent): boolean {
  const isKept = result.passMark === replaced.passMark && result.passed === null;
  return isKept && result.score !== null && result.score === replaced.score;
}

function isGradeStated({ passed, passMark }: ResultEvent): boolean {
  return passed !== null || passMark !== null;
}
