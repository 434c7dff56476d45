import type { components } from '../../../generated/api-types.ts';
import type { QueuedRow, SimulationRecipientRow, SimulationResultRow } from './recipient-repository.ts';
import type { SimulationCounts, SimulationDayRow, SimulationListRow, SimulationRow } from './simulation-repository.ts';

type Schemas = components['schemas'];

function toCounts(row: SimulationCounts) {
  return {
    sentCount: row.sent_count,
    openCount: row.open_count,
    visitCount: row.visit_count,
    compromiseCount: row.compromise_count,
    reportCount: row.report_count,
  };
}

export function toSimulationListItem(row: SimulationListRow): Schemas['SimulationListItem'] {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    createdAt: row.created_at,
    recipientCount: row.recipient_count,
    ...toCounts(row),
  };
}

export function toSimulation(row: SimulationRow): Omit<Schemas['Simulation'], 'recipients'> {
  return {
    ...toSimulationListItem(row),
    startDate: row.start_date,
    endDate: row.end_date,
    deliveryMethod: row.delivery_method,
    scheduledCount: row.scheduled_count,
    timeline: row.timeline.map(toSimulationDay),
  };
}

function toSimulationDay(row: SimulationDayRow): Schemas['SimulationDay'] {
  return { date: row.date, ...toCounts(row) };
}

export function toRecipient(row: SimulationRecipientRow): Schemas['SimulationRecipient'] {
  return {
    id: row.id,
    learner: { id: row.learner_id, name: `${row.first_name} ${row.last_name}`, email: row.email },
    scheduled: row.scheduled_at,
    sent: row.sent_at,
    open: row.opened_at,
    visit: row.visited_at,
    compromise: row.compromised_at,
    report: row.reported_at,
  };
}

export function toSimulationTotals(rows: readonly SimulationCounts[]): Schemas['SimulationTotals'] {
  const sum = (count: keyof SimulationCounts) => rows.reduce((total, row) => total + row[count], 0);
  return {
    opened: sum('open_count'),
    visited: sum('visit_count'),
    compromised: sum('compromise_count'),
    reported: sum('report_count'),
    total: sum('sent_count'),
  };
}

function toReference(row: QueuedRow | SimulationResultRow): Schemas['SimulationReference'] {
  return {
    id: row.simulation_id,
    name: row.simulation_name,
    status: row.simulation_status,
    startDate: row.start_date,
    endDate: row.end_date,
  };
}

export function toQueueItem(row: QueuedRow): Schemas['SimulationQueueItem'] {
  return {
    id: row.id,
    learnerId: row.learner_id,
    simulationId: row.simulation_id,
    scheduled: row.scheduled_at,
    simulation: toReference(row),
  };
}

export function toSimulationResult(row: SimulationResultRow): Schemas['SimulationResult'] {
  return {
    id: row.id,
    learnerId: row.learner_id,
    simulationId: row.simulation_id,
    open: row.opened_at,
    visit: row.visited_at,
    compromise: row.compromised_at,
    report: row.reported_at,
    createdAt: row.sent_at,
    deliveryMethod: row.delivery_method,
    simulation: toReference(row),
  };
}
