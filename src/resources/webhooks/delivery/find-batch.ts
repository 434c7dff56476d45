import type { TenantWriter } from '../../../db/tenant.ts';
import type { EventPosition } from '../../events/log/event-cursor.ts';
import { type EventQuery, readDatabaseName, type ReadEvents, readEvents } from '../../events/log/event-log.ts';
import { type ClaimedEndpoint, type Delivery, dueDeliveries, type LogPosition } from './delivery-repository.ts';

const BATCH = 100;
/** Maximum number of retries, and of redelivered events, in a batch; leaves room for new events. */
const SHARE = 50;

/** Consecutive events of the log as deliveries. */
export interface EventSlice {
  deliveries: Delivery[];
  start: LogPosition;
  /** Position after each delivery. */
  places: LogPosition[];
  /** Position after all deliveries. */
  next: LogPosition;
  hasMore: boolean;
  /** Company of each event. */
  companyIds: string[];
}

/** Deliveries of one batch. They are sent in the order of the fields. */
export interface DeliveryBatch {
  retries: Delivery[];
  newEvents: EventSlice;
  /** Events of a redelivery; null if none was requested. */
  replay: EventSlice | null;
}

/** Collects the retries that are due, the next new events and the next events of a requested redelivery. */
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
  // A replay's position is never older than its period, so it cannot have expired.
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
 * Reads events after a position. If the position has expired or belongs to another database, reads from the oldest
 * event that is still stored: no event is missed, but events can be repeated.
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
