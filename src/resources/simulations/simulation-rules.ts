import type { Schemas } from '../../contract/contract.ts';
import { invalidField } from '../../contract/errors.ts';

const ORDER = ['draft', 'scheduled', 'running', 'completed', 'cancelled'] as const;
type Status = (typeof ORDER)[number];

/** Dates that the status of a simulation depends on, in ISO 8601 and UTC. */
export interface SimulationDates {
  startDate: string | null;
  endDate: string | null;
}

/**
 * Returns the status of a simulation after a call.
 * @param current undefined for a new simulation
 * @param input status in the request; if undefined, the dates decide
 * @throws invalid_request for a status that moves back or leaves a final status, and for dates that contradict each
 *   other
 */
export function nextStatus(
  { current, input }: { current: Schemas['SimulationStatus'] | undefined; input: Status | undefined },
  dates: SimulationDates,
  now: string,
): Status {
  refuseDates(dates);
  const derived = getStatusByDates(dates, now);
  const status = input ?? (current === undefined || isForward(current, derived) ? derived : current);
  if (current !== undefined && !isForward(current, status)) {
    throw invalidField('body/status', `cannot follow ${current}`);
  }
  if (dates.startDate === null && status !== 'draft' && status !== 'cancelled') {
    throw invalidField('body/startDate', `is required for a simulation that is ${status}`);
  }
  return status;
}

function refuseDates({ startDate, endDate }: SimulationDates): void {
  if (endDate === null) return;
  if (startDate !== null && endDate < startDate) throw invalidField('body/endDate', 'must not be before `startDate`');
}

function getStatusByDates({ startDate, endDate }: SimulationDates, now: string): Status {
  if (startDate === null) return 'draft';
  if (startDate > now) return 'scheduled';
  return endDate !== null && endDate <= now ? 'completed' : 'running';
}

/** Reports whether a status can follow another. A final status can only follow itself. */
function isForward(from: string, to: Status): boolean {
  if (from === 'completed' || from === 'cancelled') return from === to;
  return ORDER.indexOf(to) >= ORDER.indexOf(from as Status);
}
