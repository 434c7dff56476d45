import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Knex } from 'knex';
import { change, statement } from '../../db/knex-statement.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { ApiError, notFound, unknownReferences } from '../../errors.ts';

export type TemplateSource = 'managed' | 'shared' | 'own';

export interface TemplateListRow {
  id: string;
  source: TemplateSource;
  name: string;
  category: string | null;
  locales: string[];
  published_at: string | null;
  /** Of the company that reads. */
  account_type: 'tenant' | 'prospect' | 'msp' | 'distributor';
}

export interface TemplateDraftRow {
  name: string;
  category: string | null;
  locales: string[];
  file_id: string;
  file_name: string | null;
  page_count: number;
  updated_at: string;
}

export interface TemplateRow extends TemplateListRow {
  file_id: string | null;
  file_name: string | null;
  page_count: number | null;
  is_global: boolean;
  companies: string[];
  created_at: string;
  updated_at: string;
  draft: TemplateDraftRow | null;
}

/** Whatever the company may see; row-level security alone would show its own. */
function selectTemplates(sql: Knex, companyId: Knex.Value): Knex.QueryBuilder {
  return sql
    .select('t.id', 't.source', 't.name', 't.category', 't.locales', 't.published_at', 'me.account_type')
    .from(sql.raw('visible_templates() as t'))
    .joinRaw('join companies me on me.id = ?', [companyId]);
}

const list = statement<{ restrictToOwn: boolean; publishedOnly: boolean }, TemplateListRow>(
  'template_list',
  (sql, param) =>
    selectTemplates(sql, param('companyId'))
      .where(sql.raw(`(t.source = 'own' or not ?::boolean)`, [param('restrictToOwn')]))
      .where(sql.raw('(t.published_at is not null or not ?::boolean)', [param('publishedOnly')]))
      .orderBy('t.id'),
);

export function listTemplates(
  tenant: TenantReader,
  filter: { restrictToOwn: boolean; publishedOnly: boolean },
): Rows<TemplateListRow> {
  return tenant.rows(list, filter);
}

const byId = statement<{ templateId: string }, TemplateRow>('template_by_id', (sql, param) =>
  selectTemplates(sql, param('companyId'))
    .leftJoin('policy_files as f', { 'f.company_id': 'me.id', 'f.id': 't.file_id' })
    .select('f.file_name', 'f.page_count', 't.file_id', 't.is_global', 't.companies', 't.created_at', 't.updated_at')
    .select(
      sql.raw(`(select json_build_object('name', d.name, 'category', d.category, 'locales', d.locales,
          'file_id', d.file_id, 'file_name', g.file_name, 'page_count', g.page_count,
          'updated_at', to_char(d.updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        from policy_template_drafts d join policy_files g on g.company_id = d.company_id and g.id = d.file_id
        where t.source = 'own' and d.company_id = me.id and d.template_id = t.id) as draft`),
    )
    .where('t.id', param('templateId')),
);

/** A template that the company may see. @throws not_found */
export async function getTemplate(tenant: TenantReader, templateId: string): Promise<TemplateRow> {
  const row = await tenant.find(byId, { templateId });
  if (!row) throw notFound('policy template');
  return row;
}

export interface AdoptedTemplate {
  file_id: string;
  name: string;
  category: string | null;
}

const adopt = change<{ templateId: string; fileId: string }, AdoptedTemplate>('template_adopt', (sql, param) =>
  sql.raw('select adopted.* from companies, adopt_template(?, ?) as adopted where companies.id = ?', [
    param('templateId'),
    param('fileId'),
    param('companyId'),
  ]),
);

/**
 * Copies the published file of a template into the company, and returns the copy's reference with the name and category
 * of the same version.
 * @throws not_found naming the field, or template_not_published
 */
export async function adoptTemplate(tenant: TenantWriter, templateId: string, field: string): Promise<AdoptedTemplate> {
  const [row] = await tenant.run(adopt, { templateId, fileId: randomUUID() });
  if (row) return row;
  if (!(await tenant.find(byId, { templateId }))) throw unknownReferences('policy template', [field]);
  const message = 'The template has no published version.';
  throw new ApiError('template_not_published', message, { details: [{ field, message }] });
}

const lock = change<{ templateIds: string[] }, { id: string }>('template_lock', (sql, param) =>
  sql('policy_templates')
    .select('id')
    .where('company_id', param('companyId'))
    .where(sql.raw('id = any(?::uuid[])', [param('templateIds')]))
    .orderBy('id')
    .forNoKeyUpdate(),
);

/** Those of the ids that are the company's own templates; they stay as they are until the transaction ends. */
export async function lockOwnTemplates(tenant: TenantWriter, templateIds: string[]): Promise<Set<string>> {
  return new Set((await tenant.run(lock, { templateIds })).map((row) => row.id));
}

export interface TemplateContent {
  name: string;
  category: string | null;
  locales: string[];
  fileId: string | null;
}

const insert = change<TemplateContent & { templateId: string }, object>('template_insert', (sql, param) =>
  sql('policy_templates').insert({
    company_id: param('companyId'),
    id: param('templateId'),
    name: param('name'),
    category: param('category'),
    locales: param('locales'),
    file_id: param('fileId'),
  }),
);

/** Returns the id of the new template, which has neither a draft nor a published version yet. */
export async function insertTemplate(tenant: TenantWriter, content: TemplateContent): Promise<string> {
  const templateId = uuidv7();
  await tenant.run(insert, { templateId, ...content });
  return templateId;
}

interface StoredSharing {
  isGlobal: boolean;
  companies: string[];
}

const share = change<StoredSharing & { templateId: string }, object>('template_share', (sql, param) =>
  sql('policy_templates')
    .where({ company_id: param('companyId'), id: param('templateId') })
    .update({ is_global: param('isGlobal'), companies: param('companies'), updated_at: sql.raw('now()') }),
);

/** With whom the template is shared: all child tenants, or those that are named. */
export async function shareTemplate(tenant: TenantWriter, templateId: string, sharing: StoredSharing): Promise<void> {
  await tenant.run(share, { templateId, ...sharing });
}

const removeAll = change<{ templateIds: string[] }, object>('template_remove', (sql, param) =>
  sql('policy_templates')
    .where('company_id', param('companyId'))
    .where(sql.raw('id = any(?::uuid[])', [param('templateIds')]))
    .delete(),
);

/** Removes own templates with their drafts. */
export async function removeTemplates(tenant: TenantWriter, templateIds: string[]): Promise<void> {
  await tenant.run(removeAll, { templateIds });
}
