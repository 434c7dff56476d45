/** The latest signature of a learner on a policy that counts. */
export interface LatestSignature {
  signed: string;
  versionId: string;
  offline: boolean;
  signedFrom: string | null;
}

/** The result of a learner and a policy before a correction. Its times are null if there is no result. */
export interface SignedResult {
  hasResult: boolean;
  assignedAt: string | null;
  askedAt: string | null;
  /** Whether the policy was assigned by a signature, and the learner has not been asked to sign since. */
  isAssignedBySignature: boolean;
  /** Latest signature after the correction; null if none counts. */
  latest: LatestSignature | null;
}

/** The result after a correction. */
export interface CorrectedResult {
  /** Whether there is a result. */
  isLeft: boolean;
  assignedAt: string | null;
  askedAt: string | null;
}

/**
 * Derives a result from the signatures that count. An assignment that came from a signature follows the signatures: its
 * request time is that of the latest signature, and it ends with the last one. Other assignments are unchanged.
 * @param formerAssignment time of the assignment that had come from a restored signature
 */
export function correctedResult(result: SignedResult, formerAssignment: string | null): CorrectedResult {
  const { hasResult, isAssignedBySignature, latest } = result;
  const assignedAt = hasResult ? result.assignedAt : formerAssignment;
  const followsSignatures = assignedAt !== null && (isAssignedBySignature || !hasResult);
  if (followsSignatures) return { isLeft: latest !== null, assignedAt, askedAt: latest?.signed ?? null };
  return { isLeft: latest !== null || assignedAt !== null, assignedAt, askedAt: result.askedAt };
}
