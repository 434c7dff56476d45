/** The latest of a learner's signatures of a policy that count. */
export interface LatestSignature {
  signed: string;
  versionId: string;
  offline: boolean;
  signedFrom: string | null;
}

/** Result of a learner and a policy before a correction. Its times are null if there is no result. */
export interface SignedResult {
  hasResult: boolean;
  assignedAt: string | null;
  askedAt: string | null;
  /** Whether a signature assigned the policy, and the learner has not been asked to sign since then. */
  isAssignedBySignature: boolean;
  /** Latest signature after the correction; null if none counts. */
  latest: LatestSignature | null;
}

/** Result of a learner and a policy after a correction. */
export interface CorrectedResult {
  /** Whether the result continues to exist. */
  isLeft: boolean;
  assignedAt: string | null;
  askedAt: string | null;
}

/**
 * Derives a result from the signatures that count. An assignment that was caused by a signature follows the signatures:
 * its request time is the time of the latest signature, and it ends when no signature is left. Other assignments are
 * unchanged.
 * @param formerAssignment time of the assignment that a restored signature had caused
 */
export function correctedResult(result: SignedResult, formerAssignment: string | null): CorrectedResult {
  const { hasResult, isAssignedBySignature, latest } = result;
  const assignedAt = hasResult ? result.assignedAt : formerAssignment;
  const followsSignatures = assignedAt !== null && (isAssignedBySignature || !hasResult);
  if (followsSignatures) return { isLeft: latest !== null, assignedAt, askedAt: latest?.signed ?? null };
  return { isLeft: latest !== null || assignedAt !== null, assignedAt, askedAt: result.askedAt };
}
