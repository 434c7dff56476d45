import type { components } from '../../../generated/api-types.ts';
import type { Judge } from '../people/learner-pairs.ts';

export interface VersionNumber {
  major: number;
  minor: number;
}

/** The number of the next version: that of the creation for the first, then a minor or a major step. */
export function nextVersion(current: VersionNumber, isFirst: boolean, isMajor: boolean): VersionNumber {
  if (isFirst) return current;
  return isMajor ? { major: current.major + 1, minor: 0 } : { major: current.major, minor: current.minor + 1 };
}

export type PolicyFailureCode = components['schemas']['PolicyFailureCode'];

export const policyFailureMessages: Record<PolicyFailureCode, string> = {
  learner_not_found: 'There is no such learner.',
  policy_not_found: 'There is no such policy.',
  learner_inactive: 'The learner is inactive.',
  policy_not_live: 'The policy has no live version.',
  not_assigned: 'The policy is not assigned to the learner.',
  already_signed: 'The learner has signed the policy.',
};

/** What is known of the learners and policies of a call. */
export interface PolicyFacts {
  /** Of each learner that the company has, whether they are inactive. */
  inactive: ReadonlyMap<string, boolean>;
  /** Of each policy that the company has, whether it is live. */
  live: ReadonlyMap<string, boolean>;
}

/** Of each learner, the policies among those asked for that are assigned: to be signed, or signed in force. */
export type Assignments = ReadonlyMap<string, { open: ReadonlySet<string>; signed: ReadonlySet<string> }>;

function unknown({ inactive, live }: PolicyFacts, learnerId: string, policyId: string): PolicyFailureCode | undefined {
  if (!inactive.has(learnerId)) return 'learner_not_found';
  return live.has(policyId) ? undefined : 'policy_not_found';
}

/** Every pair of an active learner and a live policy is assigned, unless it was before. */
export function judgeAssignment(facts: PolicyFacts): Judge<PolicyFailureCode> {
  return (learnerId, policyId) => {
    const failure = unknown(facts, learnerId, policyId);
    if (failure) return failure;
    if (facts.inactive.get(learnerId)) return 'learner_inactive';
    return facts.live.get(policyId) ? undefined : 'policy_not_live';
  };
}

/** Who is reminded has a signature to give, now or within the last hour. */
export function judgeReminder(facts: PolicyFacts, assignments: Assignments): Judge<PolicyFailureCode> {
  const judgeFirst = judgeAssignment(facts);
  return (learnerId, policyId) => {
    const failure = judgeFirst(learnerId, policyId);
    const assigned = assignments.get(learnerId);
    if (failure || assigned?.open.has(policyId)) return failure;
    return assigned?.signed.has(policyId) ? 'already_signed' : 'not_assigned';
  };
}

export function judgeRemoval(
  facts: PolicyFacts,
  removed: ReadonlyMap<string, ReadonlySet<string>>,
): Judge<PolicyFailureCode> {
  return (learnerId, policyId) =>
    unknown(facts, learnerId, policyId) ?? (removed.get(learnerId)?.has(policyId) ? undefined : 'not_assigned');
}
