import type { components } from '../../../generated/api-types.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { askAssigned } from './assignment-repository.ts';
import { type PolicyContent, toVersioned } from './policy-content.ts';
import { getPolicy, requirePolicy } from './policy-repository.ts';
import { type Decision, nextVersion, type Versioned } from './policy-rules.ts';
import { discardDraft, publish, saveDraft } from './policy-version-repository.ts';

type Policy = components['schemas']['Policy'];

export interface Publication {
  major?: boolean;
  /** Ask everyone assigned to sign again. */
  resend?: boolean;
}

/** Locks a policy, lets the rules decide what becomes of it, and does that. @throws not_found, and what the rules throw */
export async function changePolicy(
  tenant: TenantWriter,
  policyId: string,
  decide: (policy: Versioned<PolicyContent>) => Decision<PolicyContent>,
  { major = false, resend = false }: Publication = {},
): Promise<void> {
  await requirePolicy(tenant, policyId);
  const policy = await getPolicy(tenant, policyId);
  const decision = decide(toVersioned(policy));
  await carryOut(tenant, policy, decision, major);
  if (resend && (decision.step === 'publish' || decision.step === 'nothing')) await askAssigned(tenant, policyId);
}

async function carryOut(
  tenant: TenantWriter,
  policy: Policy,
  decision: Decision<PolicyContent>,
  major: boolean,
): Promise<void> {
  const current = { major: policy.majorVersion, minor: policy.minorVersion };
  switch (decision.step) {
    case 'save_draft':
      return saveDraft(tenant, policy.id, decision.content);
    case 'publish':
      return publish(tenant, policy.id, decision.content, nextVersion(current, !policy.isLive, major));
    case 'discard':
      return discardDraft(tenant, policy.id, decision.keepsFile);
    case 'nothing':
  }
}
