import type { SigningFaults } from '../../../contract/person-operations.ts';
import { formatFullName } from '../../../db/expressions.ts';
import { plainName } from '../../learners/shared/plain-name.ts';
import type { PolicySignature, PolicyOfLearner } from '../policy-of-learner.ts';

/**
 * What a learner has to do with the live version of a policy: nothing is asked, it is to be signed, a later version than the
 * signed one is there, or it is signed.
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

/** Reports whether the learner can sign the live version now: nobody signs what they have not opened. */
export function isSignable(policy: Pick<PolicyOfLearner, SigningFields | OpeningFields>): boolean {
  return isToSign(policy) && isOpened(policy);
}

/** The latest signature, which the receipt shows. Signatures are ordered from the oldest on. */
export function getReceipt({ signatures }: Pick<PolicyOfLearner, 'signatures'>): PolicySignature | undefined {
  return signatures.at(-1);
}

/**
 * Finds what is wrong with a form. The name must be the learner's own, written in any case and with any spaces: then the name
 * in the evidence is the one that was typed.
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
