import { v7 as uuidv7 } from 'uuid';
import type { Knex } from 'knex';
import { change, statement } from '../../db/knex-statement.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { notFound } from '../../errors.ts';
import { inForce } from './signature-repository.ts';

export interface PolicyListRow {
  id: string;
  name: string;
  category: string | null;
  is_public: boolean;
  is_live: boolean;
  in_draft: boolean;
  major_version: number;
  minor_version: number;
}

export interface PolicyDraftRow {
  name: string;
  category: string | null;
  owner_name: string | null;
  owner_email: string | null;
  is_public: boolean;
  file_id: string;
  file_name: string | null;
  page_count: number;
  updated_at: string;
}

export interface PolicyVersionRow {
  id: string;
  major_version: number;
  minor_version: number;
  name: string;
  published_at: string;
}

export interface PolicyRow extends PolicyListRow {
  owner_name: string | null;
  owner_email: string | null;
  file_id: string | null;
  file_name: string | null;
  page_count: number | null;
  live_version_id: string | null;
  published_at: string | null;
  created_at: string;
  updated_at: string;
  signature_type: 'fixed' | 'lastSignature' | 'newUsers' | 'none' | null;
  signature_start_date: string | null;
  signature_interval_length: number | null;
  signature_interval_unit: 'months' | 'years' | null;
  signature_use_default: boolean;
  signature_set_default: boolean;
  versions: PolicyVersionRow[];
  draft: PolicyDraftRow | null;
  assigned_count: number;
  signed_count: number;
}

const LIST_COLUMNS = ['id', 'name', 'category', 'is_public', 'major_version', 'minor_version'];
/** A signature is in force when the learner has not been asked again since. */
export const SIGNED_IN_FORCE = 'coalesce(r.signed >= r.asked_at, false)';

function selectPolicies(sql: Knex): Knex.QueryBuilder {
  return sql('policies as p')
    .select(LIST_COLUMNS.map((column) => `p.${column}`))
    .select(
      sql.raw('p.live_version_id is not null as is_live'),
      sql.raw(`exists (select from policy_drafts d
        where d.company_id = p.company_id and d.policy_id = p.id) as in_draft`),
    );
}

const list = statement<{ publishedOnly: boolean }, PolicyListRow>('policy_list', (sql, param) =>
  selectPolicies(sql)
    .where('p.company_id', param('companyId'))
    .where(sql.raw('(p.live_version_id is not null or not ?)', [param('publishedOnly')]))
    .orderBy('p.id'),
);

export function listPolicies(tenant: TenantReader, publishedOnly: boolean): Rows<PolicyListRow> {
  return tenant.rows(list, { publishedOnly });
}

const count = (condition: string) => `(select count(*)::integer from policy_results r
  join learners l on l.company_id = r.company_id and l.id = r.learner_id and not l.inactive
  where r.company_id = p.company_id and r.policy_id = p.id and r.assigned_at is not null and ${condition})`;

/** A time inside JSON, as it is outside. */
const asText = (time: string) => `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const byId = statement<{ policyId: string }, PolicyRow>('policy_by_id', (sql, param) =>
  selectPolicies(sql)
    .leftJoin('policy_files as f', { 'f.company_id': 'p.company_id', 'f.id': 'p.file_id' })
    .joinRaw('left join signature_defaults d on d.company_id = p.company_id and p.signature_use_default')
    .select('p.owner_name', 'p.owner_email', 'p.file_id', 'f.file_name', 'f.page_count', 'p.live_version_id')
    .select('p.published_at', 'p.created_at', 'p.updated_at', 'p.signature_use_default')
    .select(
      sql.raw(`(select json_build_object('name', n.name, 'category', n.category, 'owner_name', n.owner_name,
          'owner_email', n.owner_email, 'is_public', n.is_public, 'file_id', n.file_id, 'file_name', g.file_name,
          'page_count', g.page_count, 'updated_at', ${asText('n.updated_at')})
        from policy_drafts n join policy_files g on g.company_id = n.company_id and g.id = n.file_id
        where n.company_id = p.company_id and n.policy_id = p.id) as draft`),
      sql.raw(`(select coalesce(json_agg(json_build_object('id', v.id, 'major_version', v.major_version,
          'minor_version', v.minor_version, 'name', v.name, 'published_at', ${asText('v.published_at')})
          order by v.major_version desc, v.minor_version desc), '[]')
        from policy_versions v where v.company_id = p.company_id and v.policy_id = p.id) as versions`),
      sql.raw(inForce('type', 'signature_type')),
      sql.raw(inForce('start_date', 'signature_start_date')),
      sql.raw(inForce('interval_length', 'signature_interval_length')),
      sql.raw(inForce('interval_unit', 'signature_interval_unit')),
      sql.raw(`exists (select from signature_defaults s
        where s.company_id = p.company_id and s.policy_id = p.id) as signature_set_default`),
      sql.raw(`${count('true')} as assigned_count`),
      sql.raw(`${count(SIGNED_IN_FORCE)} as signed_count`),
    )
    .where({ 'p.company_id': param('companyId'), 'p.id': param('policyId') }),
);

/** @throws not_found */
export async function getPolicy(tenant: TenantReader, policyId: string): Promise<PolicyRow> {
  const row = await tenant.find(byId, { policyId });
  if (!row) throw notFound('policy');
  return row;
}

const lock = change<{ policyIds: string[] }, { id: string; is_live: boolean }>('policy_lock', (sql, param) =>
  sql('policies')
    .select('id', sql.raw('live_version_id is not null as is_live'))
    .where('company_id', param('companyId'))
    .where(sql.raw('id = any(?::uuid[])', [param('policyIds')]))
    .orderBy('id')
    .forNoKeyUpdate(),
);

/** Of those of the ids that the company has, whether they are live; they stay as they are until the transaction ends. */
export async function lockPolicies(tenant: TenantWriter, policyIds: string[]): Promise<Map<string, boolean>> {
  return new Map((await tenant.run(lock, { policyIds })).map((row) => [row.id, row.is_live]));
}

/** Locks it. @throws not_found */
export async function requirePolicy(tenant: TenantWriter, policyId: string): Promise<void> {
  if (!(await lockPolicies(tenant, [policyId])).has(policyId)) throw notFound('policy');
}

export interface PolicyContent {
  name: string;
  category: string | null;
  ownerName: string | null;
  ownerEmail: string | null;
  isPublic: boolean;
  fileId: string | null;
}

const insert = change<PolicyContent & { policyId: string; major: number; minor: number }, object>(
  'policy_insert',
  (sql, param) =>
    sql('policies').insert({
      company_id: param('companyId'),
      id: param('policyId'),
      name: param('name'),
      category: param('category'),
      owner_name: param('ownerName'),
      owner_email: param('ownerEmail'),
      is_public: param('isPublic'),
      file_id: param('fileId'),
      major_version: param('major'),
      minor_version: param('minor'),
    }),
);

/** Returns the id of the new policy, which has neither a draft nor a version yet. */
export async function insertPolicy(
  tenant: TenantWriter,
  policy: PolicyContent & { major: number; minor: number },
): Promise<string> {
  const policyId = uuidv7();
  await tenant.run(insert, { policyId, ...policy });
  return policyId;
}
