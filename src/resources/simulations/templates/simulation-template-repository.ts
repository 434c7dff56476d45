import { v7 as uuidv7 } from 'uuid';
import type { Schemas } from '../../../contract/contract.ts';
import { BY_ID } from '../../../db/keyset.ts';
import { sql } from '../../../db/sql.ts';
import { mutation, pointQuery, pagedQuery, type Parameters, query } from '../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import { requireFound } from '../../../contract/errors.ts';
import type { PhishingEmailValues } from '../sending/render-phishing-email.ts';
import type { TemplateContent } from './simulation-template-content.ts';
import { shownContent } from './simulation-template-rules.ts';

interface Filter {
  deliveryMethod: string | null;
  difficulty: number | null;
  locale: string | null;
  includeRetired: boolean;
}

const IS_MANAGED = sql`owner_id = managed_catalogue()`;
const LIST_ITEM = sql`
  id, name, delivery_method as "deliveryMethod", difficulty, locales,
  case when ${IS_MANAGED} then 'managed' else 'custom' end as source, retired_at as "retiredAt"`;
const isOfCompany = (p: Parameters<object>) => sql`(${IS_MANAGED} or owner_id = ${p.companyId})`;

export const listTemplates = pagedQuery<Filter, Schemas['SimulationTemplateListItem']>(
  'simulation_template_list',
  BY_ID,
  (p) => sql`
    select ${LIST_ITEM} from simulation_templates
     where ${isOfCompany(p)} and (${p.includeRetired} or retired_at is null)
       and (${p.deliveryMethod}::text is null or delivery_method = ${p.deliveryMethod})
       and (${p.difficulty}::integer is null or difficulty = ${p.difficulty})
       and (${p.locale}::text is null or ${p.locale} = any(locales))`,
);

interface TemplateParams {
  templateId: string;
}
type StoredTemplate = Omit<Schemas['SimulationTemplate'], 'content'> & { content: TemplateContent };

const byId = pointQuery<TemplateParams, StoredTemplate>(
  'simulation_template_by_id',
  (p) => sql`
    select ${LIST_ITEM}, created_at as "createdAt", updated_at as "updatedAt", content
      from simulation_templates where ${isOfCompany(p)} and id = ${p.templateId}`,
);

/** @throws not_found */
export async function getTemplate(tenant: TenantReader, templateId: string): Promise<Schemas['SimulationTemplate']> {
  const { content, ...facts } = requireFound(await tenant.queryOne(byId, { templateId }), 'simulation template');
  return { ...facts, content: shownContent(content) };
}

type Reader = Pick<PhishingEmailValues, 'firstName' | 'lastName' | 'companyName'> & { locale: string | null };

const reader = pointQuery<{ learnerId: string }, Reader>(
  'simulation_template_reader',
  (p) => sql`
    select l.first_name as "firstName", l.last_name as "lastName", c.name as "companyName", l.locale
      from learners l join companies c on c.id = ${p.companyId}
     where l.company_id = ${p.companyId} and l.id = ${p.learnerId}`,
);

/** Finds the learner's data that templates mention, and the learner's language. @throws not_found */
export async function getReader(tenant: TenantReader, learnerId: string): Promise<Reader> {
  return requireFound(await tenant.queryOne(reader, { learnerId }), 'learner');
}

const company = pointQuery<object, { companyName: string }>(
  'simulation_template_company',
  (p) => sql`select name as "companyName" from companies where id = ${p.companyId}`,
);

/** Finds the name of the company, which templates mention. */
export async function getCompanyName(tenant: TenantReader): Promise<{ companyName: string }> {
  return requireFound(await tenant.queryOne(company, {}), 'company');
}

const lock = mutation<TemplateParams>('simulation_template_lock', (p, knex) =>
  knex('simulation_templates').select('id').where({ owner_id: p.companyId, id: p.templateId }).forUpdate(),
);

/** Locks one of the company's own templates until the transaction ends. Templates of the catalogue are not locked. */
export async function lockTemplate(tenant: TenantWriter, templateId: string): Promise<void> {
  await tenant.mutate(lock, { templateId });
}

const naming = query<TemplateParams, { isPlanned: boolean; isInCampaign: boolean }>(
  'simulation_template_naming',
  (p) => sql`
    select status in ('scheduled', 'running') as "isPlanned", false as "isInCampaign" from simulations
     where company_id = ${p.companyId} and plan->'templateIds' ? ${p.templateId}::text
    union all
    select false, i.removed_at is null and c.status in ('scheduled', 'running', 'paused')
      from campaign_items i
      join campaigns c on c.company_id = ${p.companyId} and c.id = i.campaign_id
     where i.company_id = ${p.companyId} and i.template_id = ${p.templateId}
     order by 1 desc, 2 desc limit 1`,
);

/**
 * Finds how a template is used: whether any simulation or campaign refers to it, whether a scheduled or running
 * simulation does, and otherwise whether a campaign that can start a simulation does.
 */
export async function findUse(tenant: TenantReader, templateId: string) {
  const template = await tenant.queryOne(naming, { templateId });
  const { isPlanned = false, isInCampaign = false } = template ?? {};
  return { isNamed: template !== undefined, isPlanned, isInCampaign };
}

interface Columns {
  name: string;
  difficulty: number;
  locales: string[];
  content: string;
}

const insert = mutation<Columns & TemplateParams & { deliveryMethod: string }>(
  'simulation_template_insert',
  (p, knex) =>
    knex('simulation_templates').insert({
      owner_id: p.companyId,
      id: p.templateId,
      name: p.name,
      delivery_method: p.deliveryMethod,
      difficulty: p.difficulty,
      locales: p.locales,
      content: p.content,
    }),
  { templateId: uuidv7(), deliveryMethod: 'email', content: '{}' },
);

type Facts = Pick<Schemas['CreateSimulationTemplateInput'], 'name' | 'deliveryMethod' | 'difficulty'>;

/** Inserts a template of the company. Returns its id. */
export async function insertTemplate(tenant: TenantWriter, facts: Facts, content: TemplateContent): Promise<string> {
  const templateId = uuidv7();
  await tenant.mutate(insert, { ...facts, ...toContentColumns(content), templateId });
  return templateId;
}

/** Updates a template. Omitted fields keep their values. */
const update = mutation<Partial<Columns> & TemplateParams>(
  'simulation_template_update',
  (p) => sql`
    update simulation_templates
       set name = coalesce(${p.name}, name), difficulty = coalesce(${p.difficulty}, difficulty),
           locales = coalesce(${p.locales}, locales), content = coalesce(${p.content}::jsonb, content),
           updated_at = now()
     where owner_id = ${p.companyId} and id = ${p.templateId}`,
  { content: '{}' },
);

export async function changeTemplate(
  tenant: TenantWriter,
  templateId: string,
  { content, ...facts }: { name?: string; difficulty?: number; content?: TemplateContent },
): Promise<void> {
  await tenant.mutate(update, { ...facts, ...(content && toContentColumns(content)), templateId });
}

function toContentColumns(content: TemplateContent): Pick<Columns, 'locales' | 'content'> {
  return { locales: Object.keys(content), content: JSON.stringify(content) };
}

export const retireTemplate = mutation<TemplateParams>(
  'simulation_template_retire',
  (p) => sql`
    update simulation_templates set retired_at = now(), updated_at = now()
     where owner_id = ${p.companyId} and id = ${p.templateId} and retired_at is null`,
);

export const takeBackTemplate = mutation<TemplateParams>(
  'simulation_template_take_back',
  (p) => sql`
    update simulation_templates set retired_at = null, updated_at = now()
     where owner_id = ${p.companyId} and id = ${p.templateId} and retired_at is not null`,
);

export const removeTemplate = mutation<TemplateParams>('simulation_template_remove', (p, knex) =>
  knex('simulation_templates').where({ owner_id: p.companyId, id: p.templateId }).delete(),
);
