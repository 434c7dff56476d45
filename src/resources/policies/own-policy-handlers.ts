import type { SentAttachment } from '../../contract/contract.ts';
import { ApiError, RefusedForm } from '../../contract/errors.ts';
import type { Caller } from '../../auth/caller.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { listPoliciesOfLearner, type ReadablePolicy } from './policy-of-learner.ts';
import { getPolicyOfLearner, type PolicyOfLearner, recordVisit, requireReadable } from './policy-of-learner.ts';
import { getVersionPdf } from './policy-version-repository.ts';
import { isOpened, isToSign, judgeSigning, getReceipt, signingState } from './signatures/policy-signing-rules.ts';
import * as signing from './signatures/policy-signing.ts';

interface OfLearner {
  learnerId: string;
  policyId: string;
}
type Version = OfLearner & { versionId: string };

/** A policy as the learner sees it. */
export interface OwnPolicy extends PolicyOfLearner {
  state: ReturnType<typeof signingState>;
  /** Whether the learner has opened the live version. */
  isOpened: boolean;
  /** Latest signature, for the receipt. */
  receipt: PolicyOfLearner['signatures'][number] | undefined;
}

/** Lists the live policies that are public or assigned to the learner. */
export function listOwnPolicies({ learnerId }: { learnerId: string }, tenant: TenantReader): Promise<ReadablePolicy[]> {
  return listPoliciesOfLearner(tenant, learnerId);
}

export async function getOwnPolicy(ids: OfLearner, tenant: TenantReader): Promise<OwnPolicy> {
  const policy = await getPolicyOfLearner(tenant, ids);
  return { ...policy, state: signingState(policy), isOpened: isOpened(policy), receipt: getReceipt(policy) };
}

export async function getOwnPolicyPdf(version: Version, tenant: TenantReader): Promise<SentAttachment> {
  await requireReadable(tenant, version);
  return getVersionPdf(tenant, version.policyId, version.versionId);
}

/**
 * Records that the learner has opened a version.
 * @returns false if it is not the live version; then nothing is recorded
 */
export async function recordPolicyVisit(version: Version, tenant: TenantWriter): Promise<boolean> {
  const isLive = (await getPolicyOfLearner(tenant, version)).versionId === version.versionId;
  if (isLive) await recordVisit(tenant, version);
  return isLive;
}

interface SentSignature extends Version {
  learner: { firstName: string; lastName: string };
  name: string;
  agreed: boolean;
}

/**
 * Signs the live version of a policy, and records the caller's IP address. If the form is sent twice, signs only once.
 * @throws {RefusedForm} if the form has faults
 * @throws {ApiError} `changed_meanwhile` if the version is no longer live, or if there is nothing to sign
 */
export async function signPolicy(
  { learner, name, agreed, learnerId, policyId, versionId }: SentSignature,
  tenant: TenantWriter,
  caller: Caller,
): Promise<void> {
  const before = await getPolicyOfLearner(tenant, { learnerId, policyId });
  // Reports `not_opened` only for a version that the learner has to sign.
  const opened = before.versionId !== versionId || !isToSign(before) || isOpened(before);
  const faults = judgeSigning({ name, agreed, opened }, learner);
  if (Object.keys(faults).length > 0) throw new RefusedForm(faults);
  const signature = { learnerId, policyId, versionId, signedFrom: caller.origin?.address ?? null };
  try {
    await signing.signPolicy(tenant, signature);
  } catch (error) {
    const isChanged = error instanceof ApiError && error.code === 'changed_meanwhile';
    const now = isChanged ? await getPolicyOfLearner(tenant, { learnerId, policyId }) : undefined;
    if (now?.signedVersionId !== versionId) throw error;
  }
}
