import type { Handler, Input } from '../../contract/contract.ts';
import { invalidField } from '../../contract/errors.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { EVENTS_KEPT_DAYS, type EventPeriod } from '../events/log/event-log.ts';
import { findEventsAt } from '../events/log/events-by-place.ts';
import { keepDeliveries } from './delivery/delivery-repository.ts';
import { beginReplay } from './delivery/replay-repository.ts';
import * as repository from './delivery/delivery-attempt-repository.ts';
import { requireEndpoint } from './webhook-endpoint-repository.ts';

const DAY_MS = 86_400_000;

type RedeliveryInput = Input<'redeliverWebhooks'>['body'];

export const listWebhookDeliveries: Handler<'listWebhookDeliveries'> = async (input, tenant) => {
  const { webhookEndpointId, eventId, outcome } = input;
  await requireEndpoint(tenant, webhookEndpointId);
  if (eventId !== undefined) {
    return tenant.stream(repository.listAttemptsOfEvent, { webhookEndpointId, eventId, outcome: outcome ?? null });
  }
  if (outcome === 'failed') return tenant.stream(repository.listFailed, { webhookEndpointId });
  return tenant.stream(outcome === 'delivered' ? repository.listDelivered : repository.listAttempts, {
    webhookEndpointId,
  });
};

export const redeliverWebhooks: Handler<'redeliverWebhooks'> = async ({ webhookEndpointId, body }, tenant) => {
  const now = new Date();
  const selection = whatToRedeliver(body, now);
  const logBegins = new Date(now.getTime() - EVENTS_KEPT_DAYS * DAY_MS).toISOString();
  if ('from' in selection) {
    await beginReplay(tenant, webhookEndpointId, selection);
    return { ...selection, eventIds: [], missingEventIds: [], logBegins };
  }
  const queued = await tenant.transaction((tx) => queueEvents(tx, webhookEndpointId, selection.eventIds));
  const missingEventIds = selection.eventIds.filter((id) => !queued.has(id));
  return { from: null, to: null, eventIds: [...queued], missingEventIds, logBegins };
};

/**
 * Queues events again that were sent to the endpoint before. Returns the ids of the events that are still in the log.
 */
async function queueEvents(tx: TenantWriter, webhookEndpointId: string, eventIds: string[]): Promise<Set<string>> {
  const { ofChildren } = await requireEndpoint(tx, webhookEndpointId);
  const tried = await tx.queryAll(repository.positionsOfAttempts, { webhookEndpointId, eventIds });
  const [companies, transactionIds] = [
    tried.map(({ company }) => company),
    tried.map(({ transactionId }) => transactionId),
  ];
  const events = await findEventsAt(tx, { companies, transactionIds, ids: tried.map(({ id }) => id) }, ofChildren);
  const ids = events.map(({ id }) => id);
  const none = events.map(() => 0);
  const bodies = events.map((event) => JSON.stringify(event));
  await tx.mutate(keepDeliveries, { webhookEndpointId, eventIds: ids, bodies, attempts: none, waits: none });
  return new Set(ids);
}

/**
 * Reads which events to send again: events with given ids, or a period that does not end in the future.
 * @throws invalid_request
 */
function whatToRedeliver({ from, to, eventIds }: RedeliveryInput, now: Date): EventPeriod | { eventIds: string[] } {
  if (eventIds) {
    if (from !== undefined || to !== undefined)
      throw invalidField('body/eventIds', 'cannot be combined with `from` and `to`');
    return { eventIds };
  }
  if (from === undefined) throw invalidField('body/from', 'is required unless `eventIds` is set');
  if (to === undefined) throw invalidField('body/to', 'is required if `from` is set');
  const [first, last] = [new Date(from), new Date(to)];
  if (first >= now) throw invalidField('body/from', 'must be in the past');
  if (last <= first) throw invalidField('body/to', 'must be after `from`');
  return { from: first.toISOString(), to: (last < now ? last : now).toISOString() };
}
