import { v7 as uuidv7 } from 'uuid';
import { change } from '../../db/knex-statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import type { PolicyContent } from './policy-repository.ts';
import type { VersionNumber } from './policy-rules.ts';

type OfPolicy<T> = T & { policyId: string };

const replaceDraftOf = change<OfPolicy<PolicyContent>, object>('policy_replace_draft', (sql, param) =>
  sql('policy_drafts')
    .insert({
      company_id: param('companyId'),
      policy_id: param('policyId'),
      name: param('name'),
      category: param('category'),
      owner_name: param('ownerName'),
      owner_email: param('ownerEmail'),
      is_public: param('isPublic'),
      file_id: param('fileId'),
    })
    .onConflict(['company_id', 'policy_id'])
    .merge({
      name: sql.raw('excluded.name'),
      category: sql.raw('excluded.category'),
      owner_name: sql.raw('excluded.owner_name'),
      owner_email: sql.raw('excluded.owner_email'),
      is_public: sql.raw('excluded.is_public'),
      file_id: sql.raw('excluded.file_id'),
      updated_at: sql.raw('now()'),
    }),
);

// A policy that was never published shows its draft.
const showDraftOf = change<{ policyId: string }, object>('policy_show_draft', (sql, param) =>
  sql.raw(
    `update policies p set updated_at = now(),
            name = case when live_version_id is null then d.name else p.name end,
            category = case when live_version_id is null then d.category else p.category end,
            owner_name = case when live_version_id is null then d.owner_name else p.owner_name end,
            owner_email = case when live_version_id is null then d.owner_email else p.owner_email end,
            is_public = case when live_version_id is null then d.is_public else p.is_public end,
            file_id = case when live_version_id is null then d.file_id else p.file_id end
       from policy_drafts d
      where p.company_id = ? and p.id = ? and d.company_id = p.company_id and d.policy_id = p.id`,
    [param('companyId'), param('policyId')],
  ),
);

/** Makes the content the draft of a policy. */
export async function saveDraft(tenant: TenantWriter, policyId: string, content: PolicyContent): Promise<void> {
  await tenant.run(replaceDraftOf, { policyId, ...content });
  await tenant.run(showDraftOf, { policyId });
}

const removeDraftOf = change<{ policyId: string }, object>('policy_remove_draft', (sql, param) =>
  sql('policy_drafts')
    .where({ company_id: param('companyId'), policy_id: param('policyId') })
    .delete(),
);

const dropFile = change<{ policyId: string; keepsFile: boolean }, object>('policy_drop_file', (sql, param) =>
  sql('policies')
    .where({ company_id: param('companyId'), id: param('policyId') })
    .update({
      file_id: sql.raw('case when ? then file_id end', [param('keepsFile')]),
      updated_at: sql.raw('now()'),
    }),
);

/** Drops the draft of a policy, and its file with it unless a live version has it. */
export async function discardDraft(tenant: TenantWriter, policyId: string, keepsFile: boolean): Promise<void> {
  await tenant.run(removeDraftOf, { policyId });
  await tenant.run(dropFile, { policyId, keepsFile });
}

const insertVersion = change<
  OfPolicy<VersionNumber & { versionId: string; name: string; fileId: string | null }>,
  object
>('policy_insert_version', (sql, param) =>
  sql('policy_versions').insert({
    company_id: param('companyId'),
    id: param('versionId'),
    policy_id: param('policyId'),
    major_version: param('major'),
    minor_version: param('minor'),
    name: param('name'),
    file_id: param('fileId'),
  }),
);

const goLive = change<OfPolicy<PolicyContent & VersionNumber & { versionId: string }>, object>(
  'policy_go_live',
  (sql, param) =>
    sql('policies')
      .where({ company_id: param('companyId'), id: param('policyId') })
      .update({
        name: param('name'),
        category: param('category'),
        owner_name: param('ownerName'),
        owner_email: param('ownerEmail'),
        is_public: param('isPublic'),
        file_id: param('fileId'),
        major_version: param('major'),
        minor_version: param('minor'),
        live_version_id: param('versionId'),
        published_at: sql.raw('clock_timestamp()'),
        updated_at: sql.raw('clock_timestamp()'),
      }),
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
