/** Why a pair fails, or undefined when it does not. */
export type Judge<Code extends string> = (learnerId: string, targetId: string) => Code | undefined;

/** The failures that lie in the learner, with their messages. */
export const LEARNER_FAILURES = {
  learner_not_found: 'There is no such learner.',
  learner_inactive: 'The learner is inactive.',
} as const;

/** The codes of a resource for the other failures. */
export interface FailureCodes<Code extends string> {
  /** The company has no such target. */
  noTarget: Code;
  /** The learner does not have the target. */
  noPair: Code;
  /** The learner has finished or signed the target. */
  done: Code;
}

/** The code of a failure. */
export type Failure<Code extends string> = Code | keyof typeof LEARNER_FAILURES;

/** What is known of the learners and targets of a call. */
export interface PairFacts<Code extends string> {
  /** Each learner that the company has: whether they are inactive. */
  inactive: ReadonlyMap<string, boolean>;
  /** Each target that the company has: why nobody can be given it now, or undefined. */
  targets: ReadonlyMap<string, Code | undefined>;
  codes: FailureCodes<Code>;
}

/** Some of the targets of a call, by learner. */
export type TargetsOfLearners = ReadonlyMap<string, ReadonlySet<string>>;

/** Requires that the company has the learner and the target. */
export function judgeKnown<Code extends string>({ inactive, targets, codes }: PairFacts<Code>): Judge<Failure<Code>> {
  return (learnerId, targetId) => {
    if (!inactive.has(learnerId)) return 'learner_not_found';
    return targets.has(targetId) ? undefined : codes.noTarget;
  };
}

/** Also requires that the learner is active and that the target can be given. */
export function judgeGivable<Code extends string>(facts: PairFacts<Code>): Judge<Failure<Code>> {
  const judge = judgeKnown(facts);
  return (learnerId, targetId) =>
    judge(learnerId, targetId) ?? (facts.inactive.get(learnerId) ? 'learner_inactive' : facts.targets.get(targetId));
}

/**
 * Judges an operation on existing pairs.
 * @param judge what it requires of learner and target
 * @param asAsked the pairs that are as the call wants them
 * @param done the other pairs that the learner has finished or signed
 */
export function judgePairs<Code extends string>(
  codes: FailureCodes<Code>,
  judge: Judge<Failure<Code>>,
  asAsked: TargetsOfLearners,
  done: TargetsOfLearners,
): Judge<Failure<Code>> {
  return (learnerId, targetId) => {
    const failure = judge(learnerId, targetId);
    if (failure || asAsked.get(learnerId)?.has(targetId)) return failure;
    return done.get(learnerId)?.has(targetId) ? codes.done : codes.noPair;
  };
}
