import type { Knex } from 'knex';
import type { components } from '../../../generated/api-types.ts';
import { type Parameter, statement } from '../../db/statement.ts';
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

export interface SimulationRow extends SimulationListRow {
  start_date: string | null;
  end_date: string | null;
  delivery_method: Schemas['DeliveryMethod'];
  scheduled_count: number;
}

export interface SimulationDayRow extends SimulationCounts {
  date: string;
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

const byId = statement<{ simulationId: string }, SimulationRow>('simulation_by_id', (sql, param) =>
  selectSimulations(
    sql,
    param,
    sql
      .queryBuilder()
      .where('simulation_id', param('simulationId'))
      .select(sql.raw('(count(*) filter (where sent_at is null and scheduled_at is not null))::integer as waiting')),
  )
    .where('s.id', param('simulationId'))
    .select('s.start_date', 's.end_date', 's.delivery_method')
    .select(
      sql.raw(`case when s.status in ('scheduled', 'running') then coalesce(r.waiting, 0) else 0 end
               as scheduled_count`),
    ),
);

/** @throws not_found for an id that is not one of the company's simulations. */
export async function getSimulation(tenant: TenantReader, simulationId: string): Promise<SimulationRow> {
  const row = await tenant.find(byId, { simulationId });
  if (!row) throw notFound('simulation');
  return row;
}

const timeline = statement<{ simulationId: string }, SimulationDayRow>('simulation_timeline', (sql, param) =>
  sql.raw(
    `select (m.at at time zone 'utc')::date as date,
            ${COUNT_NAMES.map((name) => `(count(*) filter (where m.name = '${name}'))::integer as ${name}`).join(', ')}
       from simulation_recipients r
      cross join lateral (values
        ${COUNT_NAMES.map((name) => `('${name}', r.${MILESTONES[name]})`).join(', ')}) as m (name, at)
      where r.company_id = ? and r.simulation_id = ? and m.at is not null
      group by 1 order by 1`,
    [param('companyId'), param('simulationId')],
  ),
);

/** How many recipients reached each milestone on each day (UTC) on which one did, first day first. */
export function listSimulationDays(tenant: TenantReader, simulationId: string): Rows<SimulationDayRow> {
  return tenant.rows(timeline, { simulationId });
}
