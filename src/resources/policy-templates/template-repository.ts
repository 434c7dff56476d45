import { v7 as uuidv7 } from 'uuid';
import { isManaged } from '../../auth/caller.ts';
import type { Schemas } from '../../contract.ts';
import { asText, list as listOf, literal, sql } from '../../db/sql.ts';
import { change, type Parameters, statement } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { requireFound } from '../../errors.ts';
import type { TemplateContent } from './template-content.ts';
import { MANAGING_ACCOUNT_TYPES } from './template-rules.ts';

/** Only accounts that manage others change a template by PATCH; creating, publishing and deleting own ones is anybody's. */
const IS_EDITABLE = sql`
  t.source = 'own' and me.account_type in (${listOf(MANAGING_ACCOUNT_TYPES.map(literal))})`;

const IS_LIVE = sql`t.published_at is not null`;

const LIST_ITEM = sql`
  t.id, t.name, 'pdf' as type, t.source, t.category, t.locales, ${IS_EDITABLE} as "isEditable",
  ${IS_LIVE} as "isLive"`;

/** Whatever the company may see; row-level security alone would show its own. */
const visible = (p: Parameters<object>) => sql`visible_templates() t join companies me on me.id = ${p.companyId}`;

interface Filter {
  restrictToOwn: boolean;
  publishedOnly: boolean;
}

export const listTemplates = statement<Filter, Schemas['PolicyTemplateListItem']>(
  'template_list',
  (p) => sql`
    select ${LIST_ITEM}
      from ${visible(p)}
     where (t.source = 'own' or not ${p.restrictToOwn}::boolean)
       and (${IS_LIVE} or not ${p.publishedOnly}::boolean)
     order by t.id`,
);

const DRAFT = sql`
  (select json_build_object(
            'name', d.name, 'pdfFile', d.file_id, 'fileName', g.file_name, 'pageCount', g.page_count,
            'category', d.category, 'locales', d.locales, 'updatedAt', ${asText(sql`d.updated_at`)})
     from policy_template_drafts d join policy_files g on g.company_id = d.company_id and g.id = d.file_id
    where t.source = 'own' and d.company_id = me.id and d.template_id = t.id)`;

const byId = statement<{ templateId: string }, Schemas['PolicyTemplate']>(
  'template_by_id',
  (p) => sql`
    select ${LIST_ITEM}, t.file_id as "pdfFile", f.file_name as "fileName", f.page_count as "pageCount",
           t.is_global as global, t.companies, t.published_at as "publishedAt",
           t.created_at as "createdAt", t.updated_at as "updatedAt", ${DRAFT} as draft
      from ${visible(p)}
      left join policy_files f on f.company_id = me.id and f.id = t.file_id
     where t.id = ${p.templateId}`,
);

/** A template that the company may see. @throws not_found */
export async function getTemplate(tenant: TenantReader, templateId: string): Promise<Schemas['PolicyTemplate']> {
  return requireFound(await tenant.find(byId, { templateId }), 'policy template');
}

const lock = change<{ templateIds: string[] }, { id: string }>(
  'template_lock',
  (p) => sql`
    select id from policy_templates where company_id = ${p.companyId} and id = any(${p.templateIds}::uuid[])
     order by id for no key update`,
);

/** Those of the ids that are the company's own templates; they stay as they are until the transaction ends. */
export async function lockOwnTemplates(tenant: TenantWriter, templateIds: string[]): Promise<Set<string>> {
  return new Set((await tenant.run(lock, { templateIds })).map((row) => row.id));
}

const insert = change<TemplateContent & { templateId: string }>('template_insert', (p, knex) =>
  knex('policy_templates').insert({
    company_id: p.companyId,
    id: p.templateId,
    name: p.name,
    category: p.category,
    locales: p.locales,
    file_id: p.pdfFile,
  }),
);

/** Returns the id of the new template, which has neither a draft nor a published version yet. */
export async function insertTemplate(tenant: TenantWriter, content: TemplateContent): Promise<string> {
  const templateId = uuidv7();
  await tenant.run(insert, { templateId, ...content });
  return templateId;
}

/** Makes the content the published version of a template. */
export const publishTemplate = change<TemplateContent & { templateId: string }>(
  'template_go_live',
  (p) => sql`
    update policy_templates
       set name = ${p.name}, category = ${p.category}, locales = ${p.locales}, file_id = ${p.pdfFile},
           published_at = now(), updated_at = now()
     where company_id = ${p.companyId} and id = ${p.templateId}`,
);

/** With whom the template is shared: all child tenants, or those that are named. */
export const shareTemplate = change<{ templateId: string; isGlobal: boolean; companies: string[] }>(
  'template_share',
  (p) => sql`
    update policy_templates set is_global = ${p.isGlobal}, companies = ${p.companies}, updated_at = now()
     where company_id = ${p.companyId} and id = ${p.templateId}`,
);

/** Removes own templates with their drafts. */
export const removeTemplates = change<{ templateIds: string[] }>(
  'template_remove',
  (p) => sql`delete from policy_templates where company_id = ${p.companyId} and id = any(${p.templateIds}::uuid[])`,
);

const managed = statement<{ companyIds: string[] }, { id: string }>(
  'company_managed_among',
  (p) => sql`select id from companies where id = any(${p.companyIds}::uuid[]) and ${isManaged(p)}`,
);

/** Those of the ids that are child tenants of the company. */
export async function findManagedIds(tenant: TenantWriter, companyIds: string[]): Promise<Set<string>> {
  if (companyIds.length === 0) return new Set();
  return new Set((await tenant.all(managed, { companyIds })).map((row) => row.id));
}
