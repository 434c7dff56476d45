import { post } from '../../support/client.ts';
import { learnerId } from '../../support/world.ts';

export interface EventCorrection {
  eventId: string;
  action: 'void' | 'replace' | 'restore';
  kind?: 'simulation_event' | 'reported_message';
  reason?: string;
  replacement?: object;
}

/** Builds the body of corrections of events of simulations. */
export const bodyOf = (items: EventCorrection[]) => ({
  corrections: items.map((item) => ({ kind: 'simulation_event', reason: 'A colleague clicked', ...item })),
});

/** Sends corrections of events of simulations. */
export const correctEvents = (...items: EventCorrection[]) => post('/corrections', bodyOf(items));

/** Corrects, expects every correction to be made, and returns which of them changed something. */
export async function correctedEvents(...items: EventCorrection[]): Promise<boolean[]> {
  const { status, body } = await correctEvents(...items);
  expect({ status, failures: body.data?.failures }).toEqual({ status: 200, failures: [] });
  return body.data.completed.map(({ changed }: { changed: boolean }) => changed);
}

/** Returns the id of the report event for a learner's message. */
export const reportId = (simulationId: string, number: 1 | 2 | 3 = 1) =>
  `reported-${simulationId}-${learnerId('tenant', number)}`;
