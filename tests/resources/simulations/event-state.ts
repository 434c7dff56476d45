import { get, post } from '../../support/client.ts';
import { learnerId } from '../../support/world.ts';

const simulation = { externalId: 'engine-1' };
let id = '';

/** Returns a time on the day of the simulation. */
export const at = (time: string): string => `2026-05-04T${time}.000Z`;

export interface Event {
  type: string;
  occurredAt: string;
  eventId: string;
  simulation?: object;
  learner?: object;
  evidence?: object;
}

/** Creates an externally run simulation before each test and deletes it afterwards. */
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

/** Records events, by default of the first learner in the simulation. */
export const record = (...events: Event[]) =>
  post('/simulation-events', {
    events: events.map((event) => ({ simulation, learner: { id: learnerId('tenant', 1) }, ...event })),
  });

/** Returns the recipients of the simulation. */
export async function recipients(outcome = ''): Promise<any[]> {
  return (await get(`/simulations/${id}${outcome && `?outcome=${outcome}`}`)).body.data.recipients;
}

/** Returns the milestones of the only recipient. */
export async function milestones(): Promise<Record<string, unknown>> {
  const [{ scheduled, sent, open, visit, compromise, report }] = await recipients();
  return { scheduled, sent, open, visit, compromise, report };
}

export const nothing = { scheduled: null, sent: null, open: null, visit: null, compromise: null, report: null };
