/** Why a pair is left as it is, or undefined when it is as the call asked. */
export type Judge<Code extends string> = (learnerId: string, targetId: string) => Code | undefined;

/** Why a pair fails because of its learner, in words. */
export const LEARNER_FAILURES = {
  learner_not_found: 'There is no such learner.',
  learner_inactive: 'The learner is inactive.',
} as const;

/** How a resource calls the other failures. */
export interface FailureCodes<Code extends string> {
  /** The company has no such target. */
  noTarget: Code;
  /** The learner does not have the target. */
  noPair: Code;
  /** The learner has finished or signed the target. */
  done: Code;
}

/** Why a pair fails: because of its learner, or with a code of its resource. */
export type Failure<Code extends string> = Code | keyof typeof LEARNER_FAILURES;

/** What is known of the learners and targets of a call. */
export interface PairFacts<Code extends string> {
  /** For each learner of the company: whether they are inactive. */
  inactive: ReadonlyMap<string, boolean>;
  /** For each target of the company: why nobody can be given it now, or undefined when it can be given. */
  targets: ReadonlyMap<string, Code | undefined>;
  codes: FailureCodes<Code>;
}

/** Targets of each learner, among those that a call asks for. */
export type TargetsOfLearners = ReadonlyMap<string, ReadonlySet<string>>;

/** A removal: the company must have the learner and the target. */
export function judgeKnown<Code extends string>({ inactive, targets, codes }: PairFacts<Code>): Judge<Failure<Code>> {
  return (learnerId, targetId) => {
    if (!inactive.has(learnerId)) return 'learner_not_found';
    return targets.has(targetId) ? undefined : codes.noTarget;
  };
}

/** Everything else: the learner must be active too, and it must be possible to give the target. */
export function judgeGivable<Code extends string>(facts: PairFacts<Code>): Judge<Failure<Code>> {
  const judge = judgeKnown(facts);
  return (learnerId, targetId) =>
    judge(learnerId, targetId) ?? (facts.inactive.get(learnerId) ? 'learner_inactive' : facts.targets.get(targetId));
}

/**
 * What acts on pairs that exist.
 * @param judge what is required of learner and target
 * @param asAsked the pairs that are as the call asked
 * @param done of the others, those that the learner has finished or signed
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
