import { v7 as uuidv7 } from 'uuid';
import { sql } from '../../db/sql.ts';
import { change } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import type { PolicyContent } from './policy-content.ts';
import type { VersionNumber } from './policy-rules.ts';

type NewVersion = PolicyContent & VersionNumber & { policyId: string; versionId: string };

const insertVersion = change<NewVersion>('policy_insert_version', (p, knex) =>
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

const goLive = change<NewVersion>(
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
  await tenant.run(insertVersion, published);
  await tenant.run(goLive, published);
}
