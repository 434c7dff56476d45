import type { TenantWriter } from '../../db/tenant.ts';
import type { EventPosition } from '../../events/event-cursor.ts';
import { nameOfDatabase, type ReadEvents, readEvents } from '../../events/event-log.ts';
import { type ClaimedEndpoint, type Delivery, dueDeliveries, type Place } from './delivery-repository.ts';

const BATCH = 100;

/** What is sent in a turn, and where the endpoint stands in the log behind each of it. */
export interface Work {
  deliveries: Delivery[];
  places: Place[];
  /** Where it stands when all of it was tried. */
  next: Place;
}

/** What is due of what was not taken before, else the next events of the log. */
export async function findWork(tenant: TenantWriter, endpoint: ClaimedEndpoint): Promise<Work> {
  const [log, due] = await Promise.all([
    nameOfDatabase(tenant),
    tenant.all(dueDeliveries, { webhookEndpointId: endpoint.id, limit: BATCH }),
  ]);
  if (due.length > 0) return { deliveries: due, places: due.map(() => endpoint.place), next: endpoint.place };
  const read = await readOn(tenant, endpoint, log);
  const deliveries = read.events.map((event) => ({
    eventId: event.id,
    body: JSON.stringify(event),
    tries: 0,
    isKept: false,
  }));
  const ofLog = (position: EventPosition): Place => ({ ...position, log });
  return { deliveries, places: read.positions.map(ofLog), next: ofLog(read.next) };
}

/**
 * Goes on where the endpoint stands. A place of another database says nothing about this one: then it begins with the
 * oldest event kept. So nothing is missed, and some comes again.
 */
async function readOn(
  tenant: TenantWriter,
  { id, place, types, simulationIds, groupIds, ofChildren }: ClaimedEndpoint,
  log: string,
): Promise<ReadEvents> {
  const filters = { webhookEndpointId: id, simulationIds, groupIds };
  const query = { limit: BATCH, ...(types && { types }), ofChildren, endpoint: filters };
  const read = place.log === log ? await readEvents(tenant, { after: place, ...query }) : 'expired';
  return typeof read === 'string' ? ((await readEvents(tenant, query)) as ReadEvents) : read;
}
