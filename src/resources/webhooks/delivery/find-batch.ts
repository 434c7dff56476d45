import type { TenantWriter } from '../../../db/tenant.ts';
import type { EventPosition } from '../../events/log/event-cursor.ts';
import { type EventQuery, nameOfDatabase, type ReadEvents, readEvents } from '../../events/log/event-log.ts';
import { type ClaimedEndpoint, type Delivery, dueDeliveries, type Place } from './delivery-repository.ts';

const BATCH = 100;
/** So many of a turn are for what was not taken before, and for what is sent again: new events wait for neither. */
const SHARE = 50;

/** Deliveries in the order of the log. */
export interface Stretch {
  deliveries: Delivery[];
  start: Place;
  /** Where it stands behind each of them. */
  places: Place[];
  /** Where it stands behind all of them. */
  next: Place;
  hasMore: boolean;
  /** Whose events they are. */
  companyIds: string[];
}

/** What is sent in a turn, in this order. */
export interface Work {
  due: Delivery[];
  live: Stretch;
  /** Null when nothing is sent again. */
  replay: Stretch | null;
}

/** What is due of what was not taken before, the next events of the log, and those that were asked for again. */
export async function findWork(tenant: TenantWriter, endpoint: ClaimedEndpoint): Promise<Work> {
  const { id, place, replay } = endpoint;
  const [log, due] = await Promise.all([
    nameOfDatabase(tenant),
    tenant.all(dueDeliveries, { webhookEndpointId: id, limit: SHARE }),
  ]);
  const query = queryOf(endpoint);
  const live = await readStretch(tenant, place, log, { ...query, limit: BATCH - due.length });
  if (!replay) return { due, live, replay: null };
  const { from, to, xact, eventId } = replay;
  // Where a replay stands is no older than its period, so it has not expired.
  const start = { xact, eventId, day: '9999-12-31', log: place.log };
  return { due, live, replay: await readStretch(tenant, start, log, { ...query, limit: SHARE, period: { from, to } }) };
}

function queryOf({ id, types, simulationIds, groupIds, ofChildren }: ClaimedEndpoint): Omit<EventQuery, 'limit'> {
  const filters = { webhookEndpointId: id, simulationIds, groupIds };
  return { ...(types && { types }), ofChildren, endpoint: filters };
}

/**
 * Goes on from a place. One of another database says nothing about this one: then it begins with the oldest event kept.
 * So nothing is missed, and some comes again.
 */
async function readStretch(tenant: TenantWriter, start: Place, log: string, query: EventQuery): Promise<Stretch> {
  const { day, xact, eventId } = start;
  const first = start.log === log ? await readEvents(tenant, { after: { day, xact, eventId }, ...query }) : 'expired';
  const read = typeof first === 'string' ? ((await readEvents(tenant, query)) as ReadEvents) : first;
  const deliveries = read.events.map((event, index) => {
    const { xact } = read.positions[index]!;
    return { eventId: event.id, body: JSON.stringify(event), tries: 0, isKept: false, xact };
  });
  const ofLog = (position: EventPosition): Place => ({ ...position, log });
  const companyIds = read.events.map(({ companyId }) => companyId);
  const places = read.positions.map(ofLog);
  return { deliveries, start, places, next: ofLog(read.next), hasMore: read.hasMore, companyIds };
}
