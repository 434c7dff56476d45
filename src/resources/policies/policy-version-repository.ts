import { v7 as uuidv7 } from 'uuid';
import { sql } from '../../db/sql.ts';
import { change } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import type { PolicyContent } from './policy-content.ts';
import type { VersionNumber } from './policy-rules.ts';

type OfPolicy<T> = T & { policyId: string };

const replaceDraftOf = change<OfPolicy<PolicyContent>>(
  'policy_replace_draft',
  (p) => sql`
    insert into policy_drafts (company_id, policy_id, name, category, owner_name, owner_email, is_public, file_id)
    values (${p.companyId}, ${p.policyId}, ${p.name}, ${p.category}, ${p.ownerName}, ${p.ownerEmail}, ${p.isPublic},
            ${p.pdfFile})
    on conflict (company_id, policy_id) do update
       set name = excluded.name, category = excluded.category, owner_name = excluded.owner_name,
           owner_email = excluded.owner_email, is_public = excluded.is_public, file_id = excluded.file_id,
           updated_at = now()`,
);

// A policy that was never published shows its draft.
const showDraftOf = change<{ policyId: string }>(
  'policy_show_draft',
  (p) => sql`
    update policies p
       set updated_at = now(),
           name = case when live_version_id is null then d.name else p.name end,
           category = case when live_version_id is null then d.category else p.category end,
           owner_name = case when live_version_id is null then d.owner_name else p.owner_name end,
           owner_email = case when live_version_id is null then d.owner_email else p.owner_email end,
           is_public = case when live_version_id is null then d.is_public else p.is_public end,
           file_id = case when live_version_id is null then d.file_id else p.file_id end
      from policy_drafts d
     where p.company_id = ${p.companyId} and p.id = ${p.policyId}
       and d.company_id = p.company_id and d.policy_id = p.id`,
);

/** Makes the content the draft of a policy. */
export async function saveDraft(tenant: TenantWriter, policyId: string, content: PolicyContent): Promise<void> {
  await tenant.run(replaceDraftOf, { policyId, ...content });
  await tenant.run(showDraftOf, { policyId });
}

const removeDraftOf = change<{ policyId: string }>('policy_remove_draft', (p, knex) =>
  knex('policy_drafts').where({ company_id: p.companyId, policy_id: p.policyId }).delete(),
);

const dropFile = change<{ policyId: string; keepsFile: boolean }>(
  'policy_drop_file',
  (p) => sql`
    update policies set file_id = case when ${p.keepsFile} then file_id end, updated_at = now()
     where company_id = ${p.companyId} and id = ${p.policyId}`,
);

/** Drops the draft of a policy, and its file with it unless a live version has it. */
export async function discardDraft(tenant: TenantWriter, policyId: string, keepsFile: boolean): Promise<void> {
  await tenant.run(removeDraftOf, { policyId });
  await tenant.run(dropFile, { policyId, keepsFile });
}

type NewVersion = OfPolicy<PolicyContent & VersionNumber & { versionId: string }>;

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
           live_version_id = ${p.versionId}, published_at = clock_timestamp(), updated_at = clock_timestamp()
     where company_id = ${p.companyId} and id = ${p.policyId}`,
);

/** Makes the content the live version of a policy, in place of its draft. */
export async function publish(
  tenant: TenantWriter,
  policyId: string,
  content: PolicyContent,
  version: VersionNumber,
): Promise<void> {
  const published = { policyId, versionId: uuidv7(), ...content, ...version };
  await tenant.run(insertVersion, published);
  await tenant.run(goLive, published);
  await tenant.run(removeDraftOf, { policyId });
}
