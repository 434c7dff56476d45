import type { Knex } from 'knex';
import type { components } from '../../../generated/api-types.ts';
import { type Parameter, statement } from '../../db/knex-statement.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { notFound } from '../../errors.ts';

type Schemas = components['schemas'];

export interface SimulationCounts {
  sent_count: number;
  open_count: number;
  visit_count: number;
  compromise_count: number;
  report_count: number;
}

export interface SimulationListRow extends SimulationCounts {
  id: string;
  name: string;
  status: Schemas['SimulationStatus'];
  created_at: string;
  recipient_count: number;
}

export interface SimulationDayRow extends SimulationCounts {
  date: string;
}

export interface SimulationRow extends SimulationListRow {
  start_date: string | null;
  end_date: string | null;
  delivery_method: Schemas['DeliveryMethod'];
  scheduled_count: number;
  timeline: SimulationDayRow[];
}

const exists = statement<{ simulationId: string }, { id: string }>('simulation_exists', (sql, param) =>
  sql('simulations')
    .select('id')
    .where({ company_id: param('companyId'), id: param('simulationId') }),
);

/** @throws not_found */
export async function requireSimulation(tenant: TenantReader, simulationId: string): Promise<void> {
  if (!(await tenant.find(exists, { simulationId }))) throw notFound('simulation');
}

/** The milestones of a message, by how the answers call the count of each. */
const MILESTONES = {
  sent_count: 'sent_at',
  open_count: 'opened_at',
  visit_count: 'visited_at',
  compromise_count: 'compromised_at',
  report_count: 'reported_at',
} as const satisfies Record<keyof SimulationCounts, string>;
const COUNT_NAMES = Object.keys(MILESTONES) as (keyof SimulationCounts)[];

/** Simulations with counts that are made of their recipients' milestones, which one reading of them gives. */
function selectSimulations<P>(sql: Knex, param: Parameter<P>, counted: Knex.QueryBuilder): Knex.QueryBuilder {
  const counts = counted
    .from('simulation_recipients')
    .where('company_id', param('companyId'))
    .groupBy('simulation_id')
    .select('simulation_id', sql.raw('count(*)::integer as recipient_count'))
    .select(COUNT_NAMES.map((name) => sql.raw(`count(${MILESTONES[name]})::integer as ${name}`)));
  return sql('simulations as s')
    .leftJoin(counts.as('r'), 'r.simulation_id', 's.id')
    .where('s.company_id', param('companyId'))
    .select('s.id', 's.name', 's.status', 's.created_at')
    .select(['recipient_count', ...COUNT_NAMES].map((name) => sql.raw(`coalesce(r.${name}, 0) as ${name}`)));
}

const list = statement<object, SimulationListRow>('simulation_list', (sql, param) =>
  selectSimulations(sql, param, sql.queryBuilder()).orderBy('s.id'),
);

export function listSimulations(tenant: TenantReader): Rows<SimulationListRow> {
  return tenant.rows(list, {});
}

/** The same list in memory: a company has few simulations, however many recipients they have. */
export function readSimulations(tenant: TenantReader): Promise<SimulationListRow[]> {
  return tenant.all(list, {});
}

/** Whom a message still goes to: who is deactivated is passed over. */
const WAITING = `
  select count(*)::integer from simulation_recipients w
    join learners l on l.company_id = w.company_id and l.id = w.learner_id and not l.inactive
   where w.company_id = s.company_id and w.simulation_id = s.id and w.sent_at is null and w.scheduled_at is not null
     and s.status in ('scheduled', 'running')`;

/** How many recipients reached each milestone on each day (UTC) on which one did, first day first. */
const TIMELINE = `
  select coalesce(json_agg(d order by d.date), '[]') from (
    select (m.at at time zone 'utc')::date as date,
           ${COUNT_NAMES.map((name) => `(count(*) filter (where m.name = '${name}'))::integer as ${name}`).join(', ')}
      from simulation_recipients e
     cross join lateral (values
       ${COUNT_NAMES.map((name) => `('${name}', e.${MILESTONES[name]})`).join(', ')}) as m (name, at)
     where e.company_id = s.company_id and e.simulation_id = s.id and m.at is not null
     group by 1) as d`;

// One statement, so that the days add up to the counts while events come in.
const byId = statement<{ simulationId: string }, SimulationRow>('simulation_by_id', (sql, param) =>
  selectSimulations(sql, param, sql.queryBuilder().where('simulation_id', param('simulationId')))
    .where('s.id', param('simulationId'))
    .select('s.start_date', 's.end_date', 's.delivery_method')
    .select(sql.raw(`(${WAITING}) as scheduled_count`), sql.raw(`(${TIMELINE}) as timeline`)),
);

/** @throws not_found for an id that is not one of the company's simulations. */
export async function getSimulation(tenant: TenantReader, simulationId: string): Promise<SimulationRow> {
  const row = await tenant.find(byId, { simulationId });
  if (!row) throw notFound('simulation');
  return row;
}
