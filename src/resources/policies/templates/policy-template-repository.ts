import { v7 as uuidv7 } from 'uuid';
import { isManaged } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { BY_ID } from '../../../db/keyset.ts';
import { asText, list as listSql, literal, sql } from '../../../db/sql.ts';
import { mutation, pagedQuery, type Parameters, query } from '../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import { requireFound } from '../../../contract/errors.ts';
import type { TemplateContent } from './policy-template-content.ts';
import { MANAGING_ACCOUNT_TYPES } from './policy-template-rules.ts';

/**
 * Whether PATCH is allowed: only for accounts that manage others. Every account can create, publish and delete its own
 * templates.
 */
const IS_EDITABLE = sql`
  t.source = 'own' and me.account_type in (${listSql(MANAGING_ACCOUNT_TYPES.map(literal))})`;

const IS_LIVE = sql`t.published_at is not null`;

const LIST_ITEM = sql`
  t.id, t.name, 'pdf' as type, t.source, t.category, t.locales, ${IS_EDITABLE} as "isEditable",
  ${IS_LIVE} as "isLive"`;

/** All templates that the company can see. Row-level security alone would show only the company's own templates. */
const visible = (p: Parameters<object>) => sql`visible_templates() t join companies me on me.id = ${p.companyId}`;

interface Filter {
  restrictToOwn: boolean;
  publishedOnly: boolean;
}

export const listTemplates = pagedQuery<Filter, Schemas['PolicyTemplateListItem']>(
  'template_list',
  BY_ID,
  (p) => sql`
    select ${LIST_ITEM}
      from ${visible(p)}
     where (t.source = 'own' or not ${p.restrictToOwn}::boolean)
       and (${IS_LIVE} or not ${p.publishedOnly}::boolean)`,
);

const DETAILS = sql`
  t.is_global as global, t.companies, t.published_at as "publishedAt",
  t.created_at as "createdAt", t.updated_at as "updatedAt"`;

const ownById = query<{ templateId: string }, Schemas['PolicyTemplate']>(
  'template_own_by_id',
  (p) => sql`
    select ${LIST_ITEM}, t.file_id as "pdfFile", f.file_name as "fileName", f.page_count as "pageCount", ${DETAILS},
           case when d.template_id is not null then json_build_object(
             'name', d.name, 'pdfFile', d.file_id, 'fileName', g.file_name, 'pageCount', g.page_count,
             'category', d.category, 'locales', d.locales, 'updatedAt', ${asText(sql`d.updated_at`)}) end as draft
      from (select *, 'own' as source from policy_templates where company_id = ${p.companyId}) t
      join companies me on me.id = ${p.companyId}
      left join policy_files f on f.company_id = ${p.companyId} and f.id = t.file_id
      left join policy_template_drafts d on d.company_id = ${p.companyId} and d.template_id = t.id
      left join policy_files g on g.company_id = ${p.companyId} and g.id = d.file_id
     where t.id = ${p.templateId}`,
);

// Templates of other companies appear without their files and drafts.
const byId = query<{ templateId: string }, Schemas['PolicyTemplate']>(
  'template_by_id',
  (p) => sql`
    select ${LIST_ITEM}, null::uuid as "pdfFile", null::text as "fileName", null::integer as "pageCount", ${DETAILS},
           null::json as draft
      from ${visible(p)}
     where t.id = ${p.templateId}`,
);

/**
 * Returns a template that the company can see. Reads the company's own templates directly, because on Citus, the
 * function that finds the others does not see changes made by the current transaction.
 * @throws not_found
 */
export async function getTemplate(tenant: TenantReader, templateId: string): Promise<Schemas['PolicyTemplate']> {
  const template = (await tenant.queryOne(ownById, { templateId })) ?? (await tenant.queryOne(byId, { templateId }));
  return requireFound(template, 'policy template');
}

const lock = mutation<{ templateIds: string[] }, { id: string }>(
  'template_lock',
  (p) => sql`
    select id from policy_templates where company_id = ${p.companyId} and id = any(${p.templateIds}::uuid[])
     order by id for no key update`,
);

/**
 * Locks templates of the company until the transaction ends. Returns their ids. Ignores templates of other companies.
 */
export async function lockOwnTemplates(tenant: TenantWriter, templateIds: string[]): Promise<Set<string>> {
  return new Set((await tenant.mutate(lock, { templateIds })).map((row) => row.id));
}

const insert = mutation<TemplateContent & { templateId: string }>('template_insert', (p, knex) =>
  knex('policy_templates').insert({
    company_id: p.companyId,
    id: p.templateId,
    name: p.name,
    category: p.category,
    locales: p.locales,
    file_id: p.pdfFile,
  }),
);

/** Inserts a template, which has neither a draft nor a published version yet. Returns the id. */
export async function insertTemplate(tenant: TenantWriter, content: TemplateContent): Promise<string> {
  const templateId = uuidv7();
  await tenant.mutate(insert, { templateId, ...content });
  return templateId;
}

/** Stores the content as the published version of a template. */
export const publishTemplate = mutation<TemplateContent & { templateId: string }>(
  'template_go_live',
  (p) => sql`
    update policy_templates
       set name = ${p.name}, category = ${p.category}, locales = ${p.locales}, file_id = ${p.pdfFile},
           published_at = now(), updated_at = now()
     where company_id = ${p.companyId} and id = ${p.templateId}`,
);

/** Shares a template with all child tenants, or with the given tenants. */
export const shareTemplate = mutation<{ templateId: string; isGlobal: boolean; companies: string[] }>(
  'template_share',
  (p) => sql`
    update policy_templates set is_global = ${p.isGlobal}, companies = ${p.companies}, updated_at = now()
     where company_id = ${p.companyId} and id = ${p.templateId}`,
);

/** Removes templates of the company, and their drafts. */
export const removeTemplates = mutation<{ templateIds: string[] }>(
  'template_remove',
  (p) => sql`delete from policy_templates where company_id = ${p.companyId} and id = any(${p.templateIds}::uuid[])`,
);

const managed = query<{ companyIds: string[] }, { id: string }>(
  'company_managed_among',
  (p) => sql`select id from companies where id = any(${p.companyIds}::uuid[]) and ${isManaged(p)}`,
);

/** Returns the given ids that belong to child tenants of the company. */
export async function findManagedIds(tenant: TenantWriter, companyIds: string[]): Promise<Set<string>> {
  if (companyIds.length === 0) return new Set();
  return new Set((await tenant.queryAll(managed, { companyIds })).map((row) => row.id));
}
