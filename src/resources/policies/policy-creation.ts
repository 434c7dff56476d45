import type { Schemas } from '../../contract/contract.ts';
import { invalidField } from '../../contract/errors.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { decideChange } from './versioning/document-rules.ts';
import { readPublishedAt } from './past-version-rules.ts';
import { changePolicy } from './policy-publishing.ts';
import { getPolicy, insertPolicy } from './policy-repository.ts';
import { setSignatureSettings } from './signatures/signature-repository.ts';
import { toSettings } from './signatures/signature-rules.ts';

type NewPolicy = Omit<Schemas['CreatePolicyInput'], 'category'> & { category?: string | null };

/** Creates a policy, as a draft or live. The caller has checked the file. */
export async function createFrom(tenant: TenantWriter, body: NewPolicy): Promise<Schemas['Policy']> {
  const { name, category = null, ownerName = null, ownerEmail = null, isPublic = false } = body;
  const { majorVersion: major = 1, minorVersion: minor = 0, pdfFile, action, signatureSettings } = body;
  const publishedAt = readPublication(body);
  const content = { name, category, ownerName, ownerEmail, isPublic, pdfFile };
  const policyId = await insertPolicy(tenant, { ...content, major, minor });
  await changePolicy(tenant, policyId, (policy) => decideChange(policy, content, action), { publishedAt });
  if (signatureSettings) await setSignatureSettings(tenant, policyId, toSettings(signatureSettings));
  return getPolicy(tenant, policyId);
}

/** Returns the time at which another system published the policy; undefined if none did. @throws invalid_request */
function readPublication({ action, publishedAt }: Pick<NewPolicy, 'action' | 'publishedAt'>): string | undefined {
  if (publishedAt === undefined) return undefined;
  if (action !== 'live') throw invalidField('body/publishedAt', 'requires the action `live`');
  return readPublishedAt(publishedAt, new Date());
}
