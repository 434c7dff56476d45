import { get, post } from '../../support/client.ts';
import { learnerId } from '../../support/world.ts';

const simulation = { externalId: 'engine-1' };
let id = '';

/** A time of the day on which the simulation runs. */
export const at = (time: string): string => `2026-05-04T${time}.000Z`;

export interface Event {
  type: string;
  occurredAt: string;
  eventId: string;
  simulation?: object;
  learner?: object;
  evidence?: object;
}

/** Makes a simulation that runs elsewhere before each test, and removes it. */
export function useSimulation(): { readonly id: string } {
  beforeEach(async () => {
    const fields = { name: 'Parcel notice', deliveryMethod: 'email', startDate: at('07:00:00') };
    id = (await post('/simulations', { ...simulation, ...fields })).body.data.id;
  });
  afterEach(() => testService.query('delete from simulations where external_id is not null'));
  return {
    get id() {
      return id;
    },
  };
}

/** Records events of the first learner in the simulation, where they do not say otherwise. */
export const record = (...events: Event[]) =>
  post('/simulation-events', {
    events: events.map((event) => ({ simulation, learner: { id: learnerId('tenant', 1) }, ...event })),
  });

/** The recipients of the simulation. */
export async function recipients(outcome = ''): Promise<any[]> {
  return (await get(`/simulations/${id}${outcome && `?outcome=${outcome}`}`)).body.data.recipients;
}

/** What the only recipient did. */
export async function milestones(): Promise<Record<string, unknown>> {
  const [{ scheduled, sent, open, visit, compromise, report }] = await recipients();
  return { scheduled, sent, open, visit, compromise, report };
}

export const nothing = { scheduled: null, sent: null, open: null, visit: null, compromise: null, report: null };
