import type { SigningFaults } from '../../../contract/person-operations.ts';
import { formatFullName } from '../../../db/expressions.ts';
import { plainName } from '../../learners/shared/plain-name.ts';
import type { PolicySignature, PolicyOfLearner } from '../policy-of-learner.ts';

/**
 * State of a learner and the live version of a policy: the learner is not asked to sign, has to sign, has signed an
 * earlier version, or has signed the live version.
 */
export type SigningState = 'not_asked' | 'to_sign' | 'newer_version' | 'signed';

export function signingState(policy: Pick<PolicyOfLearner, SigningFields>): SigningState {
  const { isAssigned, isSigned, signedVersionId, versionId } = policy;
  if (!isAssigned) return 'not_asked';
  if (!isSigned) return 'to_sign';
  return signedVersionId === versionId ? 'signed' : 'newer_version';
}

type SigningFields = 'isAssigned' | 'isSigned' | 'signedVersionId' | 'versionId';

/** Reports whether the learner has to sign the live version. */
export function isToSign(policy: Pick<PolicyOfLearner, SigningFields>): boolean {
  const state = signingState(policy);
  return state === 'to_sign' || state === 'newer_version';
}

/** Reports whether the learner has opened the live version. */
export function isOpened({ visitedVersionId, versionId }: Pick<PolicyOfLearner, OpeningFields>): boolean {
  return visitedVersionId === versionId;
}

type OpeningFields = 'visitedVersionId' | 'versionId';

/** Reports whether the learner can sign the live version now, which requires having opened it. */
export function isSignable(policy: Pick<PolicyOfLearner, SigningFields | OpeningFields>): boolean {
  return isToSign(policy) && isOpened(policy);
}

/** Returns the latest signature, for the receipt. `signatures` must be ordered oldest first. */
export function getReceipt({ signatures }: Pick<PolicyOfLearner, 'signatures'>): PolicySignature | undefined {
  return signatures.at(-1);
}

/**
 * Returns the faults of a signing form. The entered name must match the learner's, ignoring case and spaces, because it
 * becomes the name in the evidence.
 */
export function judgeSigning(
  { name, agreed, opened }: { name: string; agreed: boolean; opened: boolean },
  learner: { firstName: string; lastName: string },
): SigningFaults {
  const own = plainName(formatFullName(learner));
  const typed = plainName(name);
  return {
    ...(!opened && { opened: 'not_opened' }),
    ...(typed !== own && { name: typed === '' ? 'name_missing' : 'name_differs' }),
    ...(!agreed && { agreed: 'not_agreed' }),
  };
}
