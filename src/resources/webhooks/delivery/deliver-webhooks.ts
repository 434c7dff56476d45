import type { SealedSecrets } from '../../../auth/sealed-secrets.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import type { PostWebhook, WebhookAnswer } from '../sending/post-webhook.ts';
import { judgeAnswer } from '../sending/retry-rules.ts';
import { signedHeaders } from '../sending/signing.ts';
import { claimEndpoint, type Delivery } from './delivery-repository.ts';
import { findBatch } from './find-batch.ts';
import { recordAttempts } from './record-attempts.ts';
import { companiesOf, deliveriesOf, takesEvents, type Attempt } from './attempt-rules.ts';

/** Events on their way to an endpoint at once, after it has taken one. */
const AT_ONCE = 4;
/** Longer than a turn may take: it begins nothing new after SLOW_MS, and a try has 15 seconds. */
const CLAIM_S = 60;
const SLOW_MS = 20_000;

export interface Delivering {
  post: PostWebhook;
  secrets: SealedSecrets;
  /** Enters in the audit log of each of these children that the endpoint of its parent is sent its events. */
  recordReads: (own: TenantWriter, webhookEndpointId: string, childIds: readonly string[]) => Promise<void>;
}

/**
 * One turn of an endpoint: what is due of what was not taken before, the next events of the log, and some of those that
 * were asked for again. It begins nothing new after the first failure, and nothing beside
 * the first event of an endpoint that is new or did not take its last one: where that hangs, one connection does. What was not taken waits for its next try, and the endpoint goes on behind it.
 * @returns whether there may be more to send now
 */
export async function deliverWebhooks(
  tenant: TenantWriter,
  webhookEndpointId: string,
  { post, secrets, recordReads: enterReads }: Delivering,
): Promise<boolean> {
  const [endpoint] = await tenant.mutate(claimEndpoint, { webhookEndpointId, seconds: CLAIM_S });
  if (!endpoint) return false;
  const batch = await findBatch(tenant, endpoint);
  if (endpoint.ofChildren) await enterReads(tenant, endpoint.id, companiesOf(batch));
  const { sealedSecret, previousSealed } = endpoint;
  const keys = [sealedSecret, ...(previousSealed ? [previousSealed] : [])].map((key) => secrets.open(key, endpoint.id));
  const deliveries = deliveriesOf(batch);
  const attempts = await attemptInOrder(deliveries, takesEvents(endpoint), ({ eventId, body }) => {
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = { 'content-type': 'application/json', ...signedHeaders(keys, { id: eventId, timestamp, body }) };
    return post(endpoint.url, headers, body);
  });
  await recordAttempts(tenant, endpoint, batch, attempts);
  return deliveries.length > 0 && attempts.every(({ answer }) => judgeAnswer(answer).taken);
}

/**
 * Some at once, or the first one alone before that. Returns those that were tried: all, or those up to the first failure and
 * what was on its way then.
 */
async function attemptInOrder(
  deliveries: readonly Delivery[],
  beginsAtOnce: boolean,
  send: (delivery: Delivery) => Promise<WebhookAnswer>,
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
      stopped ||= !judgeAnswer(answer).taken || Date.now() - begunAt > SLOW_MS;
    }
  };
  if (!beginsAtOnce) await batch(Math.min(1, deliveries.length));
  await Promise.all(Array.from({ length: AT_ONCE }, () => batch(deliveries.length)));
  return attempts;
}
