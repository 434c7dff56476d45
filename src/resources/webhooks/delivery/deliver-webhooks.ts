// Webhook delivery: the events of a company are posted to its endpoints, each until the endpoint accepts it or its
// retries end.
//
// Each endpoint has a position in the event log (src/resources/events/log/event-log.ts). The poller (webhook-poller.ts)
// looks twice a second for endpoints with something to send, and shares its slots between companies. One call of
// `deliverWebhooks` delivers one batch to one endpoint:
//
// 1. Claim the endpoint for 60 s, so that no other process sends to it.
// 2. Collect up to 50 retries that are due, the next new events, and up to 50 events of a requested redelivery
//    (find-batch.ts).
// 3. If the endpoint belongs to a parent company, record in each child's audit log that the child's events are about to
//    be sent.
// 4. Post the events, signed as Standard Webhooks defines: four at a time. If the endpoint is new or did not accept its
//    last event, the first event is sent on its own. After a failure, or after 20 s, no further event is posted.
// 5. In one transaction, move the position past the attempted events, record the attempts, store the failed events for
//    a retry and end the claim (record-attempts.ts).
//
// Retries. Only a 2xx response acknowledges an event. An event is tried ten times within about three days and then
// dropped (../sending/retry-rules.ts). A failed event does not delay later events.
//
// States of an endpoint:
// - enabled: the endpoint is polled.
// - paused: the endpoint accepted nothing in a batch. The pauses grow like the delays of retries, or follow
//   `Retry-After`.
// - disabled: by the owner, by a 410 response, or because the endpoint accepted nothing in ten batches in a row. Admins
//   are notified (report-failing-webhooks.ts).
//
// Guarantees: at least once, in no strict order. If a worker dies between steps 4 and 5, the next batch posts the same
// events again, with the same `webhook-id`. The next batch can begin once the claim has expired.
//
// Failures: an endpoint that hangs occupies only its own slot, for 15 s per event. If the position has expired or
// belongs to another database, delivery starts at the oldest event that is still stored, and events can be repeated.
//
// Not for: events that are no longer in the log. ../sending/ decides where a webhook can go, and signs and posts it.
import type { SealedSecrets } from '../../../auth/sealed-secrets.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import type { PostWebhook, WebhookResponse } from '../sending/post-webhook.ts';
import { judgeResponse } from '../sending/retry-rules.ts';
import { signedHeaders } from '../sending/signing.ts';
import { claimEndpoint, type Delivery } from './delivery-repository.ts';
import { findBatch } from './find-batch.ts';
import { recordAttempts } from './record-attempts.ts';
import { listCompanyIds, listDeliveries, takesEvents, type Attempt } from './attempt-rules.ts';

/** Maximum number of concurrent requests to an endpoint that has accepted an event. */
const AT_ONCE = 4;
/**
 * Duration of a claim, in seconds. Longer than a batch takes: the last attempt begins before SLOW_MS and takes at most
 * 15 s.
 */
const CLAIM_S = 60;
const SLOW_MS = 20_000;

export interface Delivering {
  post: PostWebhook;
  secrets: SealedSecrets;
  /** Records in each child's audit log that the child's events are about to be sent to its parent's endpoint. */
  recordReads: (own: TenantWriter, webhookEndpointId: string, childIds: readonly string[]) => Promise<void>;
}

/**
 * Delivers one batch to an endpoint.
 * @returns whether more events might be ready to send
 */
export async function deliverWebhooks(
  tenant: TenantWriter,
  webhookEndpointId: string,
  { post, secrets, recordReads: recordReads }: Delivering,
): Promise<boolean> {
  const [endpoint] = await tenant.mutate(claimEndpoint, { webhookEndpointId, seconds: CLAIM_S });
  if (!endpoint) return false;
  const batch = await findBatch(tenant, endpoint);
  if (endpoint.ofChildren) await recordReads(tenant, endpoint.id, listCompanyIds(batch));
  const { sealedSecret, previousSealed } = endpoint;
  const keys = [sealedSecret, ...(previousSealed ? [previousSealed] : [])].map((key) => secrets.open(key, endpoint.id));
  const deliveries = listDeliveries(batch);
  const attempts = await attemptInOrder(deliveries, takesEvents(endpoint), ({ eventId, body }) => {
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = { 'content-type': 'application/json', ...signedHeaders(keys, { id: eventId, timestamp, body }) };
    return post(endpoint.url, headers, body);
  });
  await recordAttempts(tenant, endpoint, batch, attempts);
  return deliveries.length > 0 && attempts.every(({ answer }) => judgeResponse(answer).accepted);
}

/**
 * Sends several deliveries at the same time; unless `beginsAtOnce`, only after the first one was accepted.
 * @returns the attempts for all deliveries, or the attempts up to the first failure and those in progress at that time
 */
async function attemptInOrder(
  deliveries: readonly Delivery[],
  beginsAtOnce: boolean,
  send: (delivery: Delivery) => Promise<WebhookResponse>,
): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  const begunAt = Date.now();
  let [next, stopped] = [0, false];
  const batch = async (end: number) => {
    while (next < end && !stopped) {
      const place = next++;
      const [delivery, at, begun] = [deliveries[place]!, new Date(), performance.now()];
      const answer = await send(delivery);
      attempts[place] = { delivery, answer, at, durationMs: Math.round(performance.now() - begun) };
      stopped ||= !judgeResponse(answer).accepted || Date.now() - begunAt > SLOW_MS;
    }
  };
  if (!beginsAtOnce) await batch(Math.min(1, deliveries.length));
  await Promise.all(Array.from({ length: AT_ONCE }, () => batch(deliveries.length)));
  return attempts;
}
