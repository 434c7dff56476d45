import type { TenantWriter } from '../../../db/tenant.ts';
import type { EventPosition } from '../../events/log/event-cursor.ts';
import { type EventQuery, readDatabaseName, type ReadEvents, readEvents } from '../../events/log/event-log.ts';
import { type ClaimedEndpoint, type Delivery, dueDeliveries, type LogPosition } from './delivery-repository.ts';

const BATCH = 100;
/** So many of a turn are for what was not taken before, and for what is sent again: new events wait for neither. */
const SHARE = 50;

/** Deliveries in the order of the log. */
export interface EventSlice {
  deliveries: Delivery[];
  start: LogPosition;
  /** Where it stands behind each of them. */
  places: LogPosition[];
  /** Where it stands behind all of them. */
  next: LogPosition;
  hasMore: boolean;
  /** Whose events they are. */
  companyIds: string[];
}

/** What is sent in a turn, in this order. */
export interface DeliveryBatch {
  retries: Delivery[];
  newEvents: EventSlice;
  /** Null when nothing is sent again. */
  replay: EventSlice | null;
}

/** What is due of what was not taken before, the next events of the log, and those that were asked for again. */
export async function findBatch(tenant: TenantWriter, endpoint: ClaimedEndpoint): Promise<DeliveryBatch> {
  const { id, place, replay } = endpoint;
  const [log, retries] = await Promise.all([
    readDatabaseName(tenant),
    tenant.queryAll(dueDeliveries, { webhookEndpointId: id, limit: SHARE }),
  ]);
  const query = toEventQuery(endpoint);
  const newEvents = await readSlice(tenant, place, log, { ...query, limit: BATCH - retries.length });
  if (!replay) return { retries, newEvents, replay: null };
  const { from, to, transactionId, eventId } = replay;
  // Where a replay stands is no older than its period, so it has not expired.
  const start = { transactionId, eventId, day: '9999-12-31', log: place.log };
  return {
    retries,
    newEvents,
    replay: await readSlice(tenant, start, log, { ...query, limit: SHARE, period: { from, to } }),
  };
}

function toEventQuery({ id, types, simulationIds, groupIds, ofChildren }: ClaimedEndpoint): Omit<EventQuery, 'limit'> {
  const filters = { webhookEndpointId: id, simulationIds, groupIds };
  return { ...(types && { types }), ofChildren, endpoint: filters };
}

/**
 * Goes on from a place. One of another database says nothing about this one: then it begins with the oldest event kept.
 * So nothing is missed, and some comes again.
 */
async function readSlice(
  tenant: TenantWriter,
  start: LogPosition,
  log: string,
  query: EventQuery,
): Promise<EventSlice> {
  const { day, transactionId, eventId } = start;
  const first =
    start.log === log ? await readEvents(tenant, { after: { day, transactionId, eventId }, ...query }) : 'expired';
  const read = typeof first === 'string' ? ((await readEvents(tenant, query)) as ReadEvents) : first;
  const deliveries = read.events.map((event, index) => {
    const { transactionId } = read.positions[index]!;
    return { eventId: event.id, body: JSON.stringify(event), attempts: 0, isKept: false, transactionId };
  });
  const ofLog = (position: EventPosition): LogPosition => ({ ...position, log });
  const companyIds = read.events.map(({ companyId }) => companyId);
  const places = read.positions.map(ofLog);
  return { deliveries, start, places, next: ofLog(read.next), hasMore: read.hasMore, companyIds };
}
