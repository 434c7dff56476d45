import type { Schemas } from '../../contract/contract.ts';
import { BY_ID } from '../../db/keyset.ts';
import { asText, type Sql, sql } from '../../db/sql.ts';
import { figures, pointQuery, pagedQuery, type Parameters } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { requireFound } from '../../contract/errors.ts';

/** A simulation without its recipients. `recipientState` is null if another system runs the simulation. */
type SimulationRow = Omit<Schemas['Simulation'], 'recipients'> & { recipientState: string | null };

const exists = pointQuery<{ simulationId: string }, { id: string }>('simulation_exists', (p, knex) =>
  knex('simulations').select('id').where({ company_id: p.companyId, id: p.simulationId }),
);

/** @throws not_found */
export async function requireSimulation(tenant: TenantReader, simulationId: string): Promise<void> {
  requireFound(await tenant.queryOne(exists, { simulationId }), 'simulation');
}

const MILESTONES = sql`simulation_id, sent_at, opened_at, visited_at, compromised_at, reported_at`;

/**
 * Selects the recipients that meet a condition, including deleted learners, so that figures about the past do not
 * change.
 */
export const everyRecipient = (condition: Sql): Sql => sql`
  (select ${MILESTONES} from simulation_recipients where ${condition}
   union all
   select ${MILESTONES} from former_recipients where ${condition})`;

/** Counts the milestones of the recipients that meet a condition, by simulation, in one pass. */
const selectCounts = (condition: Sql): Sql => countMilestones(everyRecipient(condition));

/** Counts the milestones of recipients by simulation. */
export function countMilestones(recipients: Sql): Sql {
  return sql`
    select simulation_id, count(*)::integer as recipients, count(sent_at)::integer as sent,
           count(opened_at)::integer as opened, count(visited_at)::integer as visited,
           count(compromised_at)::integer as compromised, count(reported_at)::integer as reported
      from ${recipients} as e group by simulation_id`;
}

/** Columns of a simulation's counts `r`. */
const COUNTS = sql`
  coalesce(r.recipients, 0) as "recipientCount", coalesce(r.sent, 0) as "sentCount", coalesce(r.opened, 0) as "openCount",
  coalesce(r.visited, 0) as "visitCount", coalesce(r.compromised, 0) as "compromiseCount",
  coalesce(r.reported, 0) as "reportCount"`;

/** Columns of a simulation `s` and its counts `r`. */
export const LIST_ITEM = sql`
  s.id, s.external_id as "externalId", s.name, s.status, s.created_at as "createdAt", s.campaign_id as "campaignId", ${COUNTS},
  s.start_date as "startDate", s.end_date as "endDate"`;

/** Columns of the plan of a simulation `s` that the service runs; null if another system runs it. */
const PLAN = sql`
  case when s.is_own then json_build_object(
    'templateIds', s.plan -> 'templateIds',
    'recipients', json_build_object(
      'everyone', s.plan -> 'recipients' ? 'everyone',
      'learnerIds', coalesce(s.plan #> '{recipients,learnerIds}', '[]'),
      'groupIds', coalesce(s.plan #> '{recipients,groupIds}', '[]')),
    'workingHours', s.plan -> 'workingHours', 'timeZone', s.plan -> 'timeZone', 'senderDomain', s.plan -> 'senderDomain',
    'trainingCourseId', s.training_course_id, 'scheduledAt', ${asText(sql`s.scheduled_at`)},
    'needsApproval', s.needs_approval, 'approvedBy', s.approved_by, 'blockedBecause', s.blocked_because) end`;

/** Columns of a simulation `s` without its recipients and counts. */
export const OVERVIEW = sql`
  s.id, s.external_id as "externalId", s.name, s.status, s.delivery_method as "deliveryMethod",
  s.start_date as "startDate", s.end_date as "endDate", s.created_at as "createdAt",
  s.campaign_id as "campaignId", ${PLAN} as plan`;

export const listSimulations = pagedQuery<object, Schemas['SimulationListItem']>(
  'simulation_list',
  BY_ID,
  (p) => sql`
    select ${LIST_ITEM}
      from simulations s left join (${selectCounts(sql`company_id = ${p.companyId}`)}) as r on r.simulation_id = s.id
     where s.company_id = ${p.companyId}`,
);

/** Counts the active recipients who are still to get a message. */
const waiting = (p: Parameters<object>): Sql => sql`
  select count(*)::integer from simulation_recipients w
    join learners l on l.company_id = w.company_id and l.id = w.learner_id and not l.inactive
   where w.company_id = ${p.companyId} and w.simulation_id = s.id and w.sent_at is null and w.scheduled_at is not null
     and w.failed_at is null and s.status in ('scheduled', 'running')`;

const toDaySql = (time: Sql): Sql => sql`(${time} at time zone 'utc')::date`;

/**
 * Counts the recipients that reached each milestone, per UTC day, oldest first. First groups recipients with equal
 * days, because a million recipients have only few combinations.
 */
const timeline = (p: Parameters<{ simulationId: string }>): Sql => sql`
  select coalesce(json_agg(d order by d.date), '[]') from (
    select m.day as date,
           coalesce(sum(e.count) filter (where m.name = 'sent'), 0)::integer as "sentCount",
           coalesce(sum(e.count) filter (where m.name = 'opened'), 0)::integer as "openCount",
           coalesce(sum(e.count) filter (where m.name = 'visited'), 0)::integer as "visitCount",
           coalesce(sum(e.count) filter (where m.name = 'compromised'), 0)::integer as "compromiseCount",
           coalesce(sum(e.count) filter (where m.name = 'reported'), 0)::integer as "reportCount"
      from (
        select ${toDaySql(sql`sent_at`)} as sent, ${toDaySql(sql`opened_at`)} as opened, ${toDaySql(sql`visited_at`)} as visited,
               ${toDaySql(sql`compromised_at`)} as compromised, ${toDaySql(sql`reported_at`)} as reported, count(*)
          from ${everyRecipient(sql`company_id = ${p.companyId} and simulation_id = ${p.simulationId}`)} as r
         group by 1, 2, 3, 4, 5) as e
     cross join lateral (values ('sent', e.sent), ('opened', e.opened), ('visited', e.visited),
                                ('compromised', e.compromised), ('reported', e.reported)) as m (name, day)
     where m.day is not null
     group by 1) as d`;

/** Builds a fingerprint of all recipient data in the response. */
const recipientState = (p: Parameters<{ simulationId: string }>): Sql => sql`
  select count(*) || '/' || coalesce(sum(hash_record_extended(
           (r.id, r.scheduled_at, r.sent_at, r.failed_at, r.opened_at, r.visited_at, r.compromised_at, r.reported_at,
            r.withdrawn_at, l.id, l.first_name, l.last_name, l.email), 0)), 0)
    from simulation_recipients r join learners l on l.company_id = r.company_id and l.id = r.learner_id
   where r.company_id = ${p.companyId} and r.simulation_id = ${p.simulationId}`;

const overview = pointQuery<{ simulationId: string }, Schemas['SimulationOverview']>(
  'simulation_overview',
  (p) => sql`select ${OVERVIEW} from simulations s where s.company_id = ${p.companyId} and s.id = ${p.simulationId}`,
);

/** @throws not_found */
export async function getOverview(tenant: TenantReader, simulationId: string): Promise<Schemas['SimulationOverview']> {
  return requireFound(await tenant.queryOne(overview, { simulationId }), 'simulation');
}

// A single statement, so that the days add up to the counts even if events arrive at the same time.
const recipientFigures = figures<{ simulationId: string }, Omit<SimulationRow, keyof Schemas['SimulationOverview']>>(
  'simulation_figures',
  (p) => sql`
    select ${COUNTS}, (${waiting(p)}) as "scheduledCount", (${timeline(p)}) as timeline,
           case when s.is_own then (${recipientState(p)}) end as "recipientState"
      from simulations s
      left join (${selectCounts(sql`company_id = ${p.companyId} and simulation_id = ${p.simulationId}`)}) as r
             on r.simulation_id = s.id
     where s.company_id = ${p.companyId} and s.id = ${p.simulationId}`,
);

/** @throws not_found */
export async function getSimulation(tenant: TenantReader, simulationId: string): Promise<SimulationRow> {
  const simulation = await getOverview(tenant, simulationId);
  const counted = requireFound(await tenant.queryOne(recipientFigures, { simulationId }), 'simulation');
  return { ...simulation, ...counted };
}
