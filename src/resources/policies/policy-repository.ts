import { v7 as uuidv7 } from 'uuid';
import type { Schemas } from '../../contract/contract.ts';
import { SIGNED_IN_FORCE } from '../../db/expressions.ts';
import { BY_ID } from '../../db/keyset.ts';
import { asText, type Sql, sql } from '../../db/sql.ts';
import { mutation, pagedQuery, type Parameters, pointQuery, query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { requireFound, notFound } from '../../contract/errors.ts';
import { IS_LIVE, type PolicyContent } from './policy-content.ts';
import { SETTINGS_IN_FORCE } from './signatures/signature-repository.ts';

const inDraft = (p: Parameters<object>): Sql => sql`
  exists (select from policy_drafts d where d.company_id = ${p.companyId} and d.policy_id = p.id)`;

const listItem = (p: Parameters<object>): Sql => sql`
  p.id, p.name, 'pdf' as type, ${IS_LIVE} as "isLive", ${inDraft(p)} as "inDraft",
  p.is_public as "isPublic", p.major_version as "majorVersion", p.minor_version as "minorVersion", p.category`;

export const listPolicies = pagedQuery<{ publishedOnly: boolean }, Schemas['PolicyListItem']>(
  'policy_list',
  BY_ID,
  (p) => sql`
    select ${listItem(p)}
      from policies p where p.company_id = ${p.companyId} and (${IS_LIVE} or not ${p.publishedOnly})`,
);

interface ReportFilter {
  policyState: 'live' | 'draft' | null;
  nameContains: string | null;
}

// The list has the order of the key of `policies`, so that Postgres counts only the policies of the page.
export const policyFigures = pagedQuery<ReportFilter, Schemas['PolicyFigures']>(
  'policy_figures',
  { policyId: 'uuid desc' },
  (p) => sql`
    select p.id as "policyId", p.name, p.category, ${IS_LIVE} as "isLive", ${inDraft(p)} as "inDraft",
           p.major_version as "majorVersion", p.minor_version as "minorVersion", p.published_at as "publishedAt",
           (select count(*)::integer from policy_versions v
             where v.company_id = ${p.companyId} and v.policy_id = p.id) as "versionCount", f.*
      from policies p
     cross join lateral (
       select count(*)::integer as "assignedCount",
              (count(*) filter (where ${SIGNED_IN_FORCE}))::integer as "signedCount"
         from policy_results r join learners l on l.company_id = r.company_id and l.id = r.learner_id and not l.inactive
        where r.company_id = ${p.companyId} and r.policy_id = p.id and r.assigned_at is not null) as f
     where p.company_id = ${p.companyId}
       and (${p.policyState}::text is null or case ${p.policyState}::text when 'live' then ${IS_LIVE} else ${inDraft(p)} end)
       and (${p.nameContains}::text is null or position(profile_key(${p.nameContains}) in profile_key(p.name)) > 0)`,
  { policyState: null, nameContains: null },
);

const signatureSettings = (p: Parameters<object>): Sql => sql`
  case when ${SETTINGS_IN_FORCE.type} is not null then json_build_object(
    'type', ${SETTINGS_IN_FORCE.type},
    'startDate', ${SETTINGS_IN_FORCE.startDate},
    'intervalLength', ${SETTINGS_IN_FORCE.intervalLength},
    'intervalUnit', ${SETTINGS_IN_FORCE.intervalUnit},
    'useDefault', p.signature_use_default,
    'setDefault', exists (select from signature_defaults s where s.company_id = ${p.companyId} and s.policy_id = p.id)
  ) end`;

const versions = (p: Parameters<object>): Sql => sql`
  (select coalesce(json_agg(json_build_object(
            'id', v.id, 'majorVersion', v.major_version, 'minorVersion', v.minor_version, 'name', v.name,
            'publishedAt', ${asText(sql`v.published_at`)}, 'fileName', f.file_name, 'pageCount', f.page_count,
            'sha256', encode(f.sha256, 'hex'), 'recordedAt', ${asText(sql`v.recorded_at`)}
          ) order by v.published_at desc, v.id desc), '[]')
     from policy_versions v join policy_files f on f.company_id = ${p.companyId} and f.id = v.file_id
    where v.company_id = ${p.companyId} and v.policy_id = p.id)`;

const draft = (p: Parameters<object>): Sql => sql`
  (select json_build_object(
            'name', n.name, 'pdfFile', n.file_id, 'fileName', g.file_name, 'pageCount', g.page_count,
            'category', n.category, 'ownerName', n.owner_name, 'ownerEmail', n.owner_email, 'isPublic', n.is_public,
            'updatedAt', ${asText(sql`n.updated_at`)})
     from policy_drafts n join policy_files g on g.company_id = n.company_id and g.id = n.file_id
    where n.company_id = ${p.companyId} and n.policy_id = p.id)`;

const assignments = (p: Parameters<object>, condition: Sql): Sql => sql`
  (select count(*)::integer
     from policy_results r join learners l on l.company_id = r.company_id and l.id = r.learner_id and not l.inactive
    where r.company_id = ${p.companyId} and r.policy_id = p.id and r.assigned_at is not null and ${condition})`;

/** A policy without the optional lists, which can be long. */
type PolicyRow = Omit<Schemas['Policy'], 'results' | 'signatures'>;

const byId = query<{ policyId: string }, PolicyRow>(
  'policy_by_id',
  (p) => sql`
    select ${listItem(p)}, p.owner_name as "ownerName", p.owner_email as "ownerEmail",
           p.file_id as "pdfFile", f.file_name as "fileName", f.page_count as "pageCount",
           p.published_at as "publishedAt", p.created_at as "createdAt", p.updated_at as "updatedAt",
           ${signatureSettings(p)} as "signatureSettings", p.live_version_id as "liveVersionId",
           ${versions(p)} as versions, ${draft(p)} as draft,
           ${assignments(p, sql`true`)} as "assignedCount", ${assignments(p, SIGNED_IN_FORCE)} as "signedCount"
      from policies p
      left join policy_files f on f.company_id = p.company_id and f.id = p.file_id
      left join signature_defaults d on d.company_id = ${p.companyId} and p.signature_use_default
     where p.company_id = ${p.companyId} and p.id = ${p.policyId}`,
);

/** @throws not_found */
export async function getPolicy(tenant: TenantReader, policyId: string): Promise<Schemas['Policy']> {
  return { ...requireFound(await tenant.queryOne(byId, { policyId }), 'policy'), results: null, signatures: null };
}

const exists = pointQuery<{ policyId: string }, { id: string }>('policy_exists', (p, knex) =>
  knex('policies').select('id').where({ company_id: p.companyId, id: p.policyId }),
);

/** Requires that the company has the policy, without locking it. @throws not_found */
export async function requireKnownPolicy(tenant: TenantReader, policyId: string): Promise<void> {
  requireFound(await tenant.queryOne(exists, { policyId }), 'policy');
}

const lock = mutation<{ policyIds: string[] }, { id: string; isLive: boolean }>(
  'policy_lock',
  (p) => sql`
    select p.id, ${IS_LIVE} as "isLive"
      from policies p where p.company_id = ${p.companyId} and p.id = any(${p.policyIds}::uuid[])
     order by p.id for no key update`,
);

/** Locks policies. Returns, by id, whether each is live. Leaves out policies that the company does not have. */
export async function lockPolicies(tenant: TenantWriter, policyIds: string[]): Promise<Map<string, boolean>> {
  return new Map((await tenant.mutate(lock, { policyIds })).map((row) => [row.id, row.isLive]));
}

/** Locks a policy. @throws not_found */
export async function requirePolicy(tenant: TenantWriter, policyId: string): Promise<void> {
  if (!(await lockPolicies(tenant, [policyId])).has(policyId)) throw notFound('policy');
}

type NewPolicy = PolicyContent & { major: number; minor: number };

const insert = mutation<NewPolicy & { policyId: string }>('policy_insert', (p, knex) =>
  knex('policies').insert({
    company_id: p.companyId,
    id: p.policyId,
    name: p.name,
    category: p.category,
    owner_name: p.ownerName,
    owner_email: p.ownerEmail,
    is_public: p.isPublic,
    file_id: p.pdfFile,
    major_version: p.major,
    minor_version: p.minor,
  }),
);

/** Inserts a policy, which has neither a draft nor a version yet. Returns the id. */
export async function insertPolicy(tenant: TenantWriter, policy: NewPolicy): Promise<string> {
  const policyId = uuidv7();
  await tenant.mutate(insert, { policyId, ...policy });
  return policyId;
}
