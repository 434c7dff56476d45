import type { Schemas } from '../../contract/contract.ts';
import { LEARNER_FAILURES } from '../learners/shared/pair-rules.ts';

export interface VersionNumber {
  major: number;
  minor: number;
}

/** Returns the number of the next version. The first version keeps the current number; later versions increase it. */
export function nextVersion(current: VersionNumber, isFirst: boolean, isMajor: boolean): VersionNumber {
  if (isFirst) return current;
  return isMajor ? { major: current.major + 1, minor: 0 } : { major: current.major, minor: current.minor + 1 };
}

export type PolicyFailureCode = Schemas['PolicyFailureCode'];

export const failureMessages: Record<PolicyFailureCode, string> = {
  ...LEARNER_FAILURES,
  policy_not_found: 'Policy not found.',
  policy_not_live: 'The policy has no live version.',
  not_assigned: 'The policy is not assigned to the learner.',
  already_signed: 'The learner has already signed the policy.',
};
