import type { Schemas } from '../../contract/contract.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import type { Decision, Versioned } from './versioning/document-rules.ts';
import { askAssigned } from './assignment-repository.ts';
import { type PolicyContent, policyKind } from './policy-content.ts';
import { getPolicy, requirePolicy } from './policy-repository.ts';
import { nextVersion } from './policy-rules.ts';
import { publishVersion } from './policy-version-repository.ts';

interface Publication extends Pick<Schemas['PublishPolicyDraftInput'], 'major' | 'resend'> {
  /** Time at which another system published the version. */
  publishedAt?: string | undefined;
}

/**
 * Locks a policy, lets the rules decide about a change, and carries out the decision. With `resend`, asks all assigned
 * learners to sign the policy again.
 * @throws not_found, and the errors of the rules
 */
export async function changePolicy(
  tenant: TenantWriter,
  policyId: string,
  decide: (policy: Versioned<PolicyContent>) => Decision<PolicyContent>,
  { major = false, resend = false, publishedAt }: Publication = {},
): Promise<void> {
  await requirePolicy(tenant, policyId);
  const policy = await getPolicy(tenant, policyId);
  const current = { major: policy.majorVersion, minor: policy.minorVersion };
  const decision = decide(policyKind.versioned(policy));
  await policyKind.carryOut(tenant, policyId, decision, (content) =>
    publishVersion(tenant, policyId, content, { ...nextVersion(current, !policy.isLive, major), publishedAt }),
  );
  if (resend && (decision.step === 'publish' || decision.step === 'nothing')) await askAssigned(tenant, policyId);
}
