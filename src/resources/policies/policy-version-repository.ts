import { v7 as uuidv7 } from 'uuid';
import { sql } from '../../db/sql.ts';
import { SentPdf } from '../../contract/contract.ts';
import { mutation, pointQuery, query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { requireFound } from '../../contract/errors.ts';
import type { PolicyContent } from './policy-content.ts';
import type { VersionNumber } from './policy-rules.ts';

type NewVersion = PolicyContent & VersionNumber & { policyId: string; versionId: string };

const insertVersion = mutation<NewVersion>('policy_insert_version', (p, knex) =>
  knex('policy_versions').insert({
    company_id: p.companyId,
    id: p.versionId,
    policy_id: p.policyId,
    major_version: p.major,
    minor_version: p.minor,
    name: p.name,
    file_id: p.pdfFile,
  }),
);

const goLive = mutation<NewVersion>(
  'policy_go_live',
  (p) => sql`
    update policies
       set name = ${p.name}, category = ${p.category}, owner_name = ${p.ownerName}, owner_email = ${p.ownerEmail},
           is_public = ${p.isPublic}, file_id = ${p.pdfFile}, major_version = ${p.major}, minor_version = ${p.minor},
           live_version_id = ${p.versionId}, published_at = statement_timestamp(), updated_at = statement_timestamp()
     where company_id = ${p.companyId} and id = ${p.policyId}`,
);

/** Stores the content as the live version of a policy. */
export async function publishVersion(
  tenant: TenantWriter,
  policyId: string,
  content: PolicyContent,
  version: VersionNumber,
): Promise<void> {
  const published = { policyId, versionId: uuidv7(), ...content, ...version };
  await tenant.mutate(insertVersion, published);
  await tenant.mutate(goLive, published);
}

interface OfVersion {
  policyId: string;
  versionId: string;
}

const file = pointQuery<OfVersion, { fileName: string | null; sizeBytes: number }>(
  'policy_version_file',
  (p) => sql`
    select f.file_name as "fileName", f.size_bytes as "sizeBytes"
      from policy_versions v join policy_files f on f.company_id = v.company_id and f.id = v.file_id
     where v.company_id = ${p.companyId} and v.policy_id = ${p.policyId} and v.id = ${p.versionId}`,
);

// Reads 1 MiB at a time, so that a process never holds a whole file for each client.
const parts = query<OfVersion, { bytes: Buffer }>(
  'policy_version_parts',
  (p) => sql`
    select substring(c.content from n for 1048576) as bytes
      from policy_versions v
      join policy_files f on f.company_id = v.company_id and f.id = v.file_id
      join file_contents c on c.company_id = f.company_id and c.sha256 = f.sha256
     cross join lateral generate_series(1, f.size_bytes, 1048576) as n
     where v.company_id = ${p.companyId} and v.policy_id = ${p.policyId} and v.id = ${p.versionId}
     order by n`,
);

/** Returns the file of a published version. @throws not_found */
export async function getVersionPdf(tenant: TenantReader, policyId: string, versionId: string): Promise<SentPdf> {
  const { fileName, sizeBytes } = requireFound(await tenant.queryOne(file, { policyId, versionId }), 'version');
  return new SentPdf(tenant.stream(parts, { policyId, versionId }, 1), sizeBytes, fileName);
}
