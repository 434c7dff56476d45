import type { Knex } from 'knex';
import type { components } from '../../../generated/api-types.ts';
import { type Parameter, statement } from '../../db/knex-statement.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader } from '../../db/tenant.ts';

type Schemas = components['schemas'];

interface MessageRow {
  id: string;
  learner_id: string;
  simulation_id: string;
  simulation_name: string;
  simulation_status: Schemas['SimulationStatus'];
  start_date: string | null;
  end_date: string | null;
}

export interface QueuedRow extends MessageRow {
  scheduled_at: string;
}

interface Milestones {
  opened_at: string | null;
  visited_at: string | null;
  compromised_at: string | null;
  reported_at: string | null;
}

export interface SimulationResultRow extends MessageRow, Milestones {
  sent_at: string;
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

export interface SimulationRecipientRow extends Milestones {
  id: string;
  learner_id: string;
  first_name: string;
  last_name: string;
  email: string;
  scheduled_at: string | null;
  sent_at: string | null;
}

/** For a parameter; null is no condition. */
const DID_OUTCOME = `case ?::text when 'opened' then r.opened_at is not null when 'visited' then r.visited_at is not null
  when 'compromised' then r.compromised_at is not null when 'reported' then r.reported_at is not null else true end`;

export interface RecipientFilter {
  simulationId: string;
  outcome: Schemas['SimulationOutcome'] | null;
}

const recipients = statement<RecipientFilter, SimulationRecipientRow>('simulation_recipient_list', (sql, param) =>
  sql('simulation_recipients as r')
    .join('learners as l', { 'l.company_id': 'r.company_id', 'l.id': 'r.learner_id' })
    .where({ 'r.company_id': param('companyId'), 'r.simulation_id': param('simulationId') })
    .where(sql.raw(DID_OUTCOME, [param('outcome')]))
    .select('r.id', 'r.learner_id', 'l.first_name', 'l.last_name', 'l.email', 'r.scheduled_at', 'r.sent_at')
    .select('r.opened_at', 'r.visited_at', 'r.compromised_at', 'r.reported_at')
    .orderBy('r.learner_id'),
);

/** The recipients of a simulation, active or not, or those who did one thing with its message. */
export function listRecipients(tenant: TenantReader, filter: RecipientFilter): Rows<SimulationRecipientRow> {
  return tenant.rows(recipients, filter);
}

/** The ids of those who did one thing with a simulation's message. */
export function selectRecipientIds(
  sql: Knex,
  param: Parameter<Record<keyof RecipientFilter, unknown>>,
): Knex.QueryBuilder {
  return sql('simulation_recipients as r')
    .where({ 'r.company_id': param('companyId'), 'r.simulation_id': param('simulationId') })
    .where(sql.raw(DID_OUTCOME, [param('outcome')]))
    .select('r.learner_id');
}
