/** Returns why a pair fails; undefined if it does not. */
export type Judge<Code extends string> = (learnerId: string, targetId: string) => Code | undefined;

/** Failures that concern only the learner, with their messages. */
export const LEARNER_FAILURES = {
  learner_not_found: 'Learner not found.',
  learner_inactive: 'The learner is inactive.',
} as const;

/** Codes of a resource for the other failures. */
export interface FailureCodes<Code extends string> {
  /** Code for a target that the company does not have. */
  noTarget: Code;
  /** Code for a target that the learner does not have. */
  noPair: Code;
  /** Code for a target that the learner has finished or signed. */
  done: Code;
}

export type Failure<Code extends string> = Code | keyof typeof LEARNER_FAILURES;

/** Data about the learners and targets of a call. */
export interface PairFacts<Code extends string> {
  /** Whether each learner is inactive, by id; contains only learners of the company. */
  inactive: ReadonlyMap<string, boolean>;
  /** Reason why each target cannot be assigned now, or undefined, by id; contains only targets of the company. */
  targets: ReadonlyMap<string, Code | undefined>;
  codes: FailureCodes<Code>;
}

/** Targets of a call, by learner. */
export type TargetsOfLearners = ReadonlyMap<string, ReadonlySet<string>>;

/** Requires that the company has the learner and the target. */
export function judgeExistence<Code extends string>({
  inactive,
  targets,
  codes,
}: PairFacts<Code>): Judge<Failure<Code>> {
  return (learnerId, targetId) => {
    if (!inactive.has(learnerId)) return 'learner_not_found';
    return targets.has(targetId) ? undefined : codes.noTarget;
  };
}

/** Requires, in addition to `judgeExistence`, that the learner is active and the target can be assigned. */
export function judgeAssignable<Code extends string>(facts: PairFacts<Code>): Judge<Failure<Code>> {
  const judge = judgeExistence(facts);
  return (learnerId, targetId) =>
    judge(learnerId, targetId) ?? (facts.inactive.get(learnerId) ? 'learner_inactive' : facts.targets.get(targetId));
}

/**
 * Judges an operation on existing pairs.
 * @param judge requirements for the learner and the target
 * @param unchanged pairs that are already in the requested state
 * @param done other pairs that the learner has finished or signed
 */
export function judgePairs<Code extends string>(
  codes: FailureCodes<Code>,
  judge: Judge<Failure<Code>>,
  unchanged: TargetsOfLearners,
  done: TargetsOfLearners,
): Judge<Failure<Code>> {
  return (learnerId, targetId) => {
    const failure = judge(learnerId, targetId);
    if (failure || unchanged.get(learnerId)?.has(targetId)) return failure;
    return done.get(learnerId)?.has(targetId) ? codes.done : codes.noPair;
  };
}
