// Past versions: versions of a policy that another system published before the service had the policy.
//
// A policy is created with its newest version, whose `publishedAt` can be in the past (policy-creation.ts). Older
// versions are recorded afterwards, in any order. The version that was live at a given time is the last version
// published before that time: versions are ordered by `publishedAt`, and their ids begin with this time. A signature
// that is recorded without a version gets the version that was live when it was made
// (signatures/signature-event-rules.ts).
//
// Recording a version changes neither the live version nor any assignment or signature. It requests no signatures,
// sends nothing and writes no event. Days on which signatures are due are counted from the publication in the service,
// not from a past publication.
//
// Not for: versions that the service published. Those are kept as long as their policy.
import type { Schemas } from '../../contract/contract.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { isNewVersion, readPublishedAt } from './past-version-rules.ts';
import { getPolicy, requirePolicy } from './policy-repository.ts';
import { getFileHash, listPresentVersions, recordVersion } from './policy-version-repository.ts';
import { requireFile } from './versioning/file-repository.ts';

/**
 * Records a past version of a policy. Returns the policy.
 * @throws not_found, and the errors of past-version-rules.ts
 */
export async function recordPastVersion(
  tenant: TenantWriter,
  policyId: string,
  body: Schemas['RecordPolicyVersionInput'],
): Promise<Schemas['Policy']> {
  const { majorVersion: major, minorVersion: minor = 0 } = body;
  await requirePolicy(tenant, policyId);
  await requireFile(tenant, body.pdfFile);
  const { name } = { name: (await getPolicy(tenant, policyId)).name, ...body };
  const past = { name, major, minor, publishedAt: readPublishedAt(body.publishedAt, new Date()) };
  const pdfFile = body.pdfFile.toLowerCase();
  const sha256 = await getFileHash(tenant, pdfFile);
  if (isNewVersion({ ...past, sha256 }, await listPresentVersions(tenant, policyId))) {
    await recordVersion(tenant, policyId, { ...past, pdfFile });
  }
  return getPolicy(tenant, policyId);
}
