import type { Knex } from 'knex';
import type { components } from '../../../generated/api-types.ts';
import { type Parameter, statement } from '../../db/statement.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader } from '../../db/tenant.ts';

type Schemas = components['schemas'];

interface RecipientRow {
  id: string;
  learner_id: string;
  simulation_id: string;
  simulation_name: string;
  simulation_status: Schemas['SimulationStatus'];
  start_date: string | null;
  end_date: string | null;
}

export interface QueuedRow extends RecipientRow {
  scheduled_at: string;
}

export interface SimulationResultRow extends RecipientRow {
  sent_at: string;
  opened_at: string | null;
  visited_at: string | null;
  compromised_at: string | null;
  reported_at: string | null;
  delivery_method: Schemas['DeliveryMethod'];
}

function selectOfLearner(sql: Knex, param: Parameter<{ learnerId: string }>): Knex.QueryBuilder {
  return sql('simulation_recipients as r')
    .join('simulations as s', { 's.company_id': 'r.company_id', 's.id': 'r.simulation_id' })
    .where({ 'r.company_id': param('companyId'), 'r.learner_id': param('learnerId') })
    .select('r.id', 'r.learner_id', 'r.simulation_id', 's.start_date', 's.end_date')
    .select('s.name as simulation_name', 's.status as simulation_status');
}

const queue = statement<{ learnerId: string }, QueuedRow>('simulation_queue_of_learner', (sql, param) =>
  selectOfLearner(sql, param)
    .join('learners as l', { 'l.company_id': 'r.company_id', 'l.id': 'r.learner_id' })
    .select('r.scheduled_at')
    .where(sql.raw('not l.inactive'))
    .where(sql.raw(`r.sent_at is null and r.scheduled_at is not null and s.status in ('scheduled', 'running')`))
    .orderBy(['r.scheduled_at', 'r.id']),
);

/** The messages that wait to be sent to a learner, next first; none while the learner is deactivated. */
export function listQueueOfLearner(tenant: TenantReader, learnerId: string): Rows<QueuedRow> {
  return tenant.rows(queue, { learnerId });
}

const results = statement<{ learnerId: string }, SimulationResultRow>('simulation_results_of_learner', (sql, param) =>
  selectOfLearner(sql, param)
    .select('r.sent_at', 'r.opened_at', 'r.visited_at', 'r.compromised_at', 'r.reported_at', 's.delivery_method')
    .whereNotNull('r.sent_at')
    .orderBy('r.id'),
);

/** What a learner did with each message that was sent. */
export function listSimulationResultsOfLearner(tenant: TenantReader, learnerId: string): Rows<SimulationResultRow> {
  return tenant.rows(results, { learnerId });
}
