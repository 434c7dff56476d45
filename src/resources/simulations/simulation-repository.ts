import type { Schemas } from '../../contract.ts';
import { BY_ID } from '../../db/list-order.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { lookup, orderedList, type Parameters, statement } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { requireFound } from '../../errors.ts';

/** A simulation without its recipients: they may be many. */
type SimulationRow = Omit<Schemas['Simulation'], 'recipients'>;

const exists = lookup<{ simulationId: string }, { id: string }>('simulation_exists', (p, knex) =>
  knex('simulations').select('id').where({ company_id: p.companyId, id: p.simulationId }),
);

/** @throws not_found */
export async function requireSimulation(tenant: TenantReader, simulationId: string): Promise<void> {
  requireFound(await tenant.find(exists, { simulationId }), 'simulation');
}

const MILESTONES = sql`simulation_id, sent_at, opened_at, visited_at, compromised_at, reported_at`;

/** The recipients that meet a condition, and those who were deleted since: figures of the past do not change. */
const everyRecipient = (condition: Sql): Sql => sql`
  (select ${MILESTONES} from simulation_recipients where ${condition}
   union all
   select ${MILESTONES} from former_recipients where ${condition})`;

/** Counts the milestones of the recipients, by simulation. Reads the recipients once for all counts. */
function countsOf(condition: Sql): Sql {
  return sql`
    select simulation_id, count(*)::integer as recipients, count(sent_at)::integer as sent,
           count(opened_at)::integer as opened, count(visited_at)::integer as visited,
           count(compromised_at)::integer as compromised, count(reported_at)::integer as reported
      from ${everyRecipient(condition)} as e group by simulation_id`;
}

const LIST_ITEM = sql`
  s.id, s.external_id as "externalId", s.name, s.status, s.created_at as "createdAt", coalesce(r.recipients, 0) as "recipientCount",
  coalesce(r.sent, 0) as "sentCount", coalesce(r.opened, 0) as "openCount", coalesce(r.visited, 0) as "visitCount",
  coalesce(r.compromised, 0) as "compromiseCount", coalesce(r.reported, 0) as "reportCount"`;

export const listSimulations = orderedList<object, Schemas['SimulationListItem']>(
  'simulation_list',
  BY_ID,
  (p) => sql`
    select ${LIST_ITEM}
      from simulations s left join (${countsOf(sql`company_id = ${p.companyId}`)}) as r on r.simulation_id = s.id
     where s.company_id = ${p.companyId}`,
);

/** How many active recipients still get a message. */
const waiting = (p: Parameters<object>): Sql => sql`
  select count(*)::integer from simulation_recipients w
    join learners l on l.company_id = w.company_id and l.id = w.learner_id and not l.inactive
   where w.company_id = ${p.companyId} and w.simulation_id = s.id and w.sent_at is null and w.scheduled_at is not null
     and s.status in ('scheduled', 'running')`;

const dayOf = (time: Sql): Sql => sql`(${time} at time zone 'utc')::date`;

/**
 * How many recipients reached each milestone, for each day (UTC) with any, oldest first. Recipients with the same days are
 * counted together first: of a million there are few kinds.
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
        select ${dayOf(sql`sent_at`)} as sent, ${dayOf(sql`opened_at`)} as opened, ${dayOf(sql`visited_at`)} as visited,
               ${dayOf(sql`compromised_at`)} as compromised, ${dayOf(sql`reported_at`)} as reported, count(*)
          from ${everyRecipient(sql`company_id = ${p.companyId} and simulation_id = ${p.simulationId}`)} as r
         group by 1, 2, 3, 4, 5) as e
     cross join lateral (values ('sent', e.sent), ('opened', e.opened), ('visited', e.visited),
                                ('compromised', e.compromised), ('reported', e.reported)) as m (name, day)
     where m.day is not null
     group by 1) as d`;

// One statement, so that the days add up to the counts even when new events arrive.
const byId = statement<{ simulationId: string }, SimulationRow>(
  'simulation_by_id',
  (p) => sql`
    select ${LIST_ITEM}, s.start_date as "startDate", s.end_date as "endDate", s.delivery_method as "deliveryMethod",
           (${waiting(p)}) as "scheduledCount", (${timeline(p)}) as timeline
      from simulations s
      left join (${countsOf(sql`company_id = ${p.companyId} and simulation_id = ${p.simulationId}`)}) as r
             on r.simulation_id = s.id
     where s.company_id = ${p.companyId} and s.id = ${p.simulationId}`,
);

/** @throws not_found for an id that is not one of the company's simulations. */
export async function getSimulation(tenant: TenantReader, simulationId: string): Promise<SimulationRow> {
  return requireFound(await tenant.find(byId, { simulationId }), 'simulation');
}
