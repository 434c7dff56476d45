import { v7 as uuidv7 } from 'uuid';
import type { Schemas } from '../../contract/contract.ts';
import { requireFound } from '../../contract/errors.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { mutation, pagedQuery, type Parameters, pointQuery } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import type { Declaration } from './campaign-rules.ts';
import type { MessageSettings } from './messages/message-settings.ts';

export type Campaign = Schemas['Campaign'];

/** Builds the JSON of a condition `f` of an audience. */
export const CONDITION = sql`
  jsonb_build_object(
    'groupIds', f.group_ids, 'learnerIds', f.learner_ids, 'managerIds', f.manager_ids, 'departments', f.departments,
    'locations', f.locations, 'countries', f.countries, 'riskLevels', f.risk_levels,
    'failedSimulationIds', f.failed_simulation_ids)`;

const conditions = (p: Parameters<object>, excludes: Sql): Sql => sql`
  coalesce((
    select jsonb_agg(${CONDITION} order by f.position)
      from campaign_conditions f
     where f.company_id = ${p.companyId} and f.campaign_id = c.id and f.excludes = ${excludes}), '[]')`;

/** Type of an item `i`. */
export const ITEM_TYPE = sql`
  case when i.course_id is not null then 'course' when i.policy_id is not null then 'policy' else 'simulationTemplate' end`;

/** Builds the JSON of the latest simulation of each template of the campaign `c`. */
const latestSimulations = (p: Parameters<object>): Sql => sql`
  coalesce((
    select jsonb_agg(jsonb_build_object('templateId', i.item_id, 'round', i.simulation_round, 'simulationId', s.id,
                                        'failure', i.simulation_failure) order by i.position)
      from campaign_items i
      left join simulations s on s.company_id = ${p.companyId} and s.campaign_id = c.id and s.campaign_item_id = i.item_id
       and s.campaign_round = i.simulation_round
     where i.company_id = ${p.companyId} and i.campaign_id = c.id and i.removed_at is null
       and i.simulation_round is not null), '[]')`;

const CAMPAIGN = (p: Parameters<object>): Sql => sql`
  c.id, c.external_id as "externalId", c.name, c.status,
  coalesce((
    select jsonb_agg(jsonb_build_object('type', ${ITEM_TYPE}, 'id', i.item_id) order by i.position)
      from campaign_items i
     where i.company_id = ${p.companyId} and i.campaign_id = c.id and i.removed_at is null), '[]') as items,
  jsonb_build_object('everyone', c.everyone, 'include', ${conditions(p, sql`false`)},
                     'exclude', ${conditions(p, sql`true`)}) as audience,
  c.includes_newcomers as "includeNewcomers", c.keeps_open as "keepOpenAfterLeaving", c.start_at as "startAt",
  jsonb_build_object('days', c.due_days, 'date', c.due_date) as due,
  case when c.repeats_yearly then jsonb_build_object('type', 'yearly', 'months', null)
       when c.repeat_months is not null
       then jsonb_build_object('type', 'afterCompletion', 'months', c.repeat_months)
       when c.repeats_before_expiry then jsonb_build_object('type', 'beforeExpiry', 'months', null) end as recurrence,
  jsonb_build_object('before', c.remind_before, 'after', c.remind_after) as reminders, c.message,
  c.reply_name as "replyName",
  case when c.escalate_after is not null then jsonb_build_object('afterDays', c.escalate_after) end as escalation,
  c.started_on::text as "startedOn", c.ended_at as "endedAt", c.created_at as "createdAt",
  ${latestSimulations(p)} as simulations, c.updated_at as "updatedAt"`;

export const campaigns = pagedQuery<object, Campaign>(
  'campaigns',
  { id: 'uuid' },
  (p) => sql`select ${CAMPAIGN(p)} from campaigns c where c.company_id = ${p.companyId}`,
);

interface CampaignParams {
  campaignId: string;
}

const byId = pointQuery<CampaignParams, Campaign>(
  'campaign',
  (p) => sql`select ${CAMPAIGN(p)} from campaigns c where c.company_id = ${p.companyId} and c.id = ${p.campaignId}`,
);

/** @throws not_found */
export async function getCampaign(tenant: TenantReader, campaignId: string): Promise<Campaign> {
  return requireFound(await tenant.queryOne(byId, { campaignId }), 'campaign');
}

const lock = mutation<CampaignParams, { id: string }>('campaign_lock', (p, knex) =>
  knex('campaigns').select('id').where({ company_id: p.companyId, id: p.campaignId }).forNoKeyUpdate(),
);

/** Locks a campaign until the transaction ends, and returns it. @throws not_found */
export async function lockCampaign(tenant: TenantWriter, campaignId: string): Promise<Campaign> {
  requireFound((await tenant.mutate(lock, { campaignId }))[0], 'campaign');
  return getCampaign(tenant, campaignId);
}

const byExternalId = mutation<{ externalId: string }, { id: string }>('campaign_by_external_id', (p, knex) =>
  knex('campaigns').select('id').where({ company_id: p.companyId, external_id: p.externalId }).forNoKeyUpdate(),
);

// An advisory lock, because a campaign that does not exist yet has no row to lock.
const lockExternalId = mutation<{ externalId: string }>(
  'campaign_lock_external_id',
  (p) => sql`
    select from pg_advisory_xact_lock(hashtextextended('campaign ' || ${p.companyId}::text || ${p.externalId}::text, 0))`,
);

/**
 * Locks an external id until the transaction ends. Returns the id of the campaign that has it, which is locked as well.
 */
export async function findByExternalId(tenant: TenantWriter, externalId: string): Promise<string | undefined> {
  await tenant.mutate(lockExternalId, { externalId });
  return (await tenant.mutate(byExternalId, { externalId }))[0]?.id;
}

interface Columns extends CampaignParams, MessageSettings {
  externalId: string | null;
  name: string;
  status: string;
  everyone: boolean;
  includeNewcomers: boolean;
  keepOpenAfterLeaving: boolean;
  startAt: string;
  dueDays: number | null;
  dueDate: string | null;
  repeatMonths: number | null;
  repeatsYearly: boolean;
  repeatsBeforeExpiry: boolean;
  /** Time at which the worker next compares the campaign with its audience. */
  evaluateAt: string | null;
  endedAt: string | null;
}

const SAMPLES = {
  status: 'draft',
  dueDays: 14,
  dueDate: null,
  repeatMonths: null,
  repeatsYearly: false,
  repeatsBeforeExpiry: false,
  evaluateAt: null,
  endedAt: null,
  remindBefore: [7],
  remindAfter: [1],
  escalateAfter: 7,
};

const insert = mutation<Columns>(
  'campaign_insert',
  (p) => sql`
    insert into campaigns (company_id, id, external_id, name, status, everyone, includes_newcomers, keeps_open, start_at,
                           due_days, due_date, repeat_months, repeats_yearly, repeats_before_expiry, remind_before,
                           remind_after, message, reply_name, escalate_after, evaluate_at)
    values (${p.companyId}, ${p.campaignId}, ${p.externalId}, ${p.name}, ${p.status}, ${p.everyone},
            ${p.includeNewcomers}, ${p.keepOpenAfterLeaving}, ${p.startAt}, ${p.dueDays}, ${p.dueDate},
            ${p.repeatMonths}, ${p.repeatsYearly}, ${p.repeatsBeforeExpiry}, ${p.remindBefore}, ${p.remindAfter},
            ${p.message}, ${p.replyName}, ${p.escalateAfter}, ${p.evaluateAt}::timestamptz)`,
  SAMPLES,
);

const update = mutation<Columns>(
  'campaign_update',
  (p) => sql`
    update campaigns
       set external_id = ${p.externalId}, name = ${p.name}, status = ${p.status}, everyone = ${p.everyone},
           includes_newcomers = ${p.includeNewcomers}, keeps_open = ${p.keepOpenAfterLeaving}, start_at = ${p.startAt},
           due_days = ${p.dueDays}, due_date = ${p.dueDate}, repeat_months = ${p.repeatMonths},
           repeats_yearly = ${p.repeatsYearly}, repeats_before_expiry = ${p.repeatsBeforeExpiry}, remind_before = ${p.remindBefore}, remind_after = ${p.remindAfter},
           message = ${p.message}, reply_name = ${p.replyName}, escalate_after = ${p.escalateAfter},
           evaluate_at = ${p.evaluateAt}::timestamptz,
           evaluated_learner_id = null,
           ended_at = ${p.endedAt}::timestamptz, updated_at = now()
     where company_id = ${p.companyId} and id = ${p.campaignId}`,
  SAMPLES,
);

const removeConditions = mutation<CampaignParams>('campaign_remove_conditions', (p, knex) =>
  knex('campaign_conditions').where({ company_id: p.companyId, campaign_id: p.campaignId }).delete(),
);

const insertConditions = mutation<CampaignParams & { conditions: string }>(
  'campaign_insert_conditions',
  (p) => sql`
    insert into campaign_conditions (company_id, campaign_id, position, excludes, group_ids, learner_ids, manager_ids,
                                     departments, locations, countries, risk_levels, failed_simulation_ids)
    select ${p.companyId}, ${p.campaignId}, f.position, f.excludes, f."groupIds", f."learnerIds", f."managerIds",
           f.departments, f.locations, f.countries, f."riskLevels", f."failedSimulationIds"
      from json_to_recordset(${p.conditions}::json)
        as f (position smallint, excludes boolean, "groupIds" uuid[], "learnerIds" uuid[], "managerIds" uuid[],
              departments text[], locations text[], countries text[], "riskLevels" text[], "failedSimulationIds" uuid[])
    on conflict do nothing`,
  { conditions: '[{"position":0,"excludes":false}]' },
);

interface Items extends CampaignParams {
  courseIds: string[];
  policyIds: string[];
  templateIds: string[];
  /** Ids of all items, in order. */
  itemIds: string[];
}

const removeItems = mutation<CampaignParams & { itemIds: string[] }>(
  'campaign_remove_items',
  (p) => sql`
    update campaign_items set removed_at = now()
     where company_id = ${p.companyId} and campaign_id = ${p.campaignId} and removed_at is null
       and not item_id = any(${p.itemIds}::uuid[])`,
);

const insertItems = mutation<Items>(
  'campaign_insert_items',
  (p) => sql`
    insert into campaign_items (company_id, campaign_id, item_id, position, course_owner_id, course_id, policy_id,
                                template_owner_id, template_id)
    select ${p.companyId}, ${p.campaignId}, i.id, array_position(${p.itemIds}::uuid[], i.id), i.course_owner_id,
           i.course_id, i.policy_id, i.template_owner_id, i.template_id
      from (
        select c.id, c.owner_id as course_owner_id, c.id as course_id, null::uuid as policy_id,
               null::uuid as template_owner_id, null::uuid as template_id
          from unnest(${p.courseIds}::uuid[]) as asked (id)
          join courses c on c.owner_id in (managed_catalogue(), ${p.companyId}) and c.id = asked.id
        union all
        select o.id, null, null, o.id, null, null
          from unnest(${p.policyIds}::uuid[]) as asked (id)
          join policies o on o.company_id = ${p.companyId} and o.id = asked.id
        union all
        select t.id, null, null, null, t.owner_id, t.id
          from unnest(${p.templateIds}::uuid[]) as asked (id)
          join simulation_templates t on t.owner_id in (managed_catalogue(), ${p.companyId}) and t.id = asked.id) as i
    on conflict (company_id, campaign_id, item_id) do update set position = excluded.position, removed_at = null`,
);

/** Inserts a campaign. Returns its id. */
export async function insertCampaign(tenant: TenantWriter, declaration: Declaration): Promise<string> {
  const campaignId = uuidv7();
  await tenant.mutate(insert, toColumns(campaignId, declaration));
  await storeParts(tenant, campaignId, declaration);
  return campaignId;
}

/** Replaces the fields of a campaign that the caller declares. */
export async function storeCampaign(tenant: TenantWriter, campaignId: string, declaration: Declaration): Promise<void> {
  await tenant.mutate(update, toColumns(campaignId, declaration));
  await tenant.mutate(removeConditions, { campaignId });
  await storeParts(tenant, campaignId, declaration);
}

async function storeParts(tenant: TenantWriter, campaignId: string, declaration: Declaration): Promise<void> {
  const { include, exclude, items } = declaration;
  const conditions = [
    ...include.map((condition, position) => ({ ...toParts(condition), position, excludes: false })),
    ...exclude.map((condition, place) => ({ ...toParts(condition), position: include.length + place, excludes: true })),
  ];
  if (conditions.length > 0) {
    await tenant.mutate(insertConditions, { campaignId, conditions: JSON.stringify(conditions) });
  }
  const itemIds = items.map(({ id }) => id);
  await tenant.mutate(removeItems, { campaignId, itemIds });
  await tenant.mutate(insertItems, { campaignId, itemIds, ...splitItems(items) });
}

function toParts(condition: Declaration['include'][number]) {
  const { groupIds, learnerIds, managerIds, failedSimulationIds } = condition;
  const { departments, locations, countries, riskLevels } = condition;
  return { groupIds, learnerIds, managerIds, failedSimulationIds, departments, locations, countries, riskLevels };
}

/** Splits the ids of items into those of courses, policies and templates. */
export function splitItems(items: Declaration['items']): Pick<Items, 'courseIds' | 'policyIds' | 'templateIds'> {
  const idsOf = (wanted: string) => items.flatMap(({ type, id }) => (type === wanted ? [id] : []));
  return { courseIds: idsOf('course'), policyIds: idsOf('policy'), templateIds: idsOf('simulationTemplate') };
}

function toColumns(campaignId: string, declaration: Declaration): Columns {
  const { externalId, name, status, everyone, includeNewcomers, keepOpenAfterLeaving, startAt } = declaration;
  const { dueDays, dueDate, recurrence, remindBefore, remindAfter, message, replyName, escalateAfter } = declaration;
  const now = new Date().toISOString();
  const evaluateAt = status === 'scheduled' ? startAt : status === 'running' || status === 'ended' ? now : null;
  return {
    ...{ campaignId, externalId, name, status, everyone, includeNewcomers, keepOpenAfterLeaving, startAt },
    ...{ remindBefore, remindAfter, message, replyName, escalateAfter },
    ...{ dueDays, dueDate, repeatMonths: recurrence?.months ?? null, repeatsYearly: recurrence?.type === 'yearly' },
    repeatsBeforeExpiry: recurrence?.type === 'beforeExpiry',
    ...{ evaluateAt, endedAt: status === 'ended' ? now : null },
  };
}

export const removeCampaign = mutation<CampaignParams>('campaign_remove', (p, knex) =>
  knex('campaigns').where({ company_id: p.companyId, id: p.campaignId }).delete(),
);
