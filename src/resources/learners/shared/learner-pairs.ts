import { Rows } from '../../../db/rows.ts';
import { invalidField } from '../../../contract/errors.ts';
import type { Judge, TargetsOfLearners } from './pair-rules.ts';

/** Pairs of a call: each learner with each target. A target is a course or a policy. */
export interface RequestedPairs {
  learnerIds: string[];
  targetIds: string[];
}

export const MAX_PAIRS = 200_000;
/**
 * Maximum number of pairs in a statement. Adding 20,000 pairs in one statement exceeded the statement timeout of 12 s
 * on two busy cores (2026-11-28).
 */
const PAIRS_TO_A_STATEMENT = 5000;

/** @throws invalid_request if a call has too many pairs, naming the list of targets */
export function requireFewPairs({ learnerIds, targetIds }: RequestedPairs, field: string): void {
  if (targetIds.length * learnerIds.length > MAX_PAIRS) {
    throw invalidField(field, `must make at most ${MAX_PAIRS.toLocaleString('en')} pairs with \`learnerIds\``);
  }
}

/**
 * Splits the pairs, so that no statement takes long. Keeps the pairs of a learner together, because they share a
 * message.
 */
export function splitPairs({ learnerIds, targetIds }: RequestedPairs): RequestedPairs[] {
  const size = Math.max(1, Math.floor(PAIRS_TO_A_STATEMENT / targetIds.length));
  return Array.from({ length: Math.ceil(learnerIds.length / size) }, (_, part) => ({
    targetIds,
    learnerIds: learnerIds.slice(part * size, (part + 1) * size),
  }));
}

type Pair<Target extends string> = { learnerId: string } & Record<Target, string>;
type Failure<Target extends string, Code extends string> = Pair<Target> & { code: Code; message: string };

export interface PairOutcome<Target extends string, Code extends string> {
  success: boolean;
  completed: Rows<Pair<Target>>;
  /** Completed pairs that were in the requested state before the call. */
  unchanged: Rows<Pair<Target>>;
  failures: Rows<Failure<Target, Code>>;
}

/** Judgement of a call's pairs: which pairs failed, and which of the others were already in the requested state. */
export interface Judged<Code extends string> {
  judge: Judge<Code>;
  unchanged: readonly TargetsOfLearners[];
}

/**
 * Returns the outcome of each pair, learner by learner in the order of the request. A call can have 200,000 pairs, so
 * the lists are computed while they are sent.
 * @param target response property that holds the id of a target, such as `courseId`
 */
export function pairOutcome<Target extends string, Code extends string>(
  request: RequestedPairs,
  target: Target,
  { judge, unchanged }: Judged<Code>,
  messages: Record<Code, string>,
): PairOutcome<Target, Code> {
  function* completed(counts = (_learnerId: string, _targetId: string) => true): Iterator<Pair<Target>, void> {
    for (const [learnerId, targetId] of iteratePairs(request)) {
      if (judge(learnerId, targetId) !== undefined || !counts(learnerId, targetId)) continue;
      yield { learnerId, [target]: targetId } as Pair<Target>;
    }
  }
  const isUnchanged = (learnerId: string, targetId: string) =>
    unchanged.some((targets) => targets.get(learnerId)?.has(targetId));
  function* failures(): Iterator<Failure<Target, Code>, void> {
    for (const [learnerId, targetId] of iteratePairs(request)) {
      const code = judge(learnerId, targetId);
      if (code === undefined) continue;
      yield { learnerId, [target]: targetId, code, message: messages[code] } as Failure<Target, Code>;
    }
  }
  return {
    success: failures().next().done === true,
    completed: Rows.of(() => completed()),
    unchanged: Rows.of(() => completed(isUnchanged)),
    failures: Rows.of(failures),
  };
}

function* iteratePairs({
  learnerIds,
  targetIds,
}: RequestedPairs): Generator<[learnerId: string, targetId: string], void> {
  for (const learnerId of learnerIds) for (const targetId of targetIds) yield [learnerId, targetId];
}
