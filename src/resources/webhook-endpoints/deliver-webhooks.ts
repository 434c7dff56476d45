import type { SealedSecrets } from '../../auth/sealed-secrets.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import type { PostWebhook, WebhookAnswer } from '../../webhooks/post-webhook.ts';
import { judgeAnswer, waitAfter } from '../../webhooks/retry-rules.ts';
import { signedHeaders } from '../../webhooks/signing.ts';
import * as repository from './delivery-repository.ts';
import type { ClaimedEndpoint, Delivery, Place } from './delivery-repository.ts';
import { findWork, type Work } from './find-work.ts';

const AT_ONCE = 4;
/** Longer than a turn may take: it begins nothing new after SLOW_MS, and a try has 15 seconds. */
const CLAIM_S = 60;
const SLOW_MS = 20_000;

export interface Delivering {
  post: PostWebhook;
  secrets: SealedSecrets;
}

interface Try {
  delivery: Delivery;
  answer: WebhookAnswer;
}

/**
 * One turn of an endpoint: what is due of what was not taken before, else the next events of the log. It begins nothing
 * new after the first failure. What was not taken waits for its next try, and the endpoint goes on behind it.
 * @returns whether there may be more to send now
 */
export async function deliverWebhooks(
  tenant: TenantWriter,
  webhookEndpointId: string,
  { post, secrets }: Delivering,
): Promise<boolean> {
  const [endpoint] = await tenant.run(repository.claimEndpoint, { webhookEndpointId, seconds: CLAIM_S });
  if (!endpoint) return false;
  const work = await findWork(tenant, endpoint);
  const { sealedSecret, previousSealed } = endpoint;
  const keys = [sealedSecret, ...(previousSealed ? [previousSealed] : [])].map((key) => secrets.open(key, endpoint.id));
  const tries = await tryInOrder(work.deliveries, ({ eventId, body }) => {
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = { 'content-type': 'application/json', ...signedHeaders(keys, { id: eventId, timestamp, body }) };
    return post(endpoint.url, headers, body);
  });
  await settle(tenant, endpoint, work, tries);
  return work.deliveries.length > 0 && tries.every(({ answer }) => judgeAnswer(answer).taken);
}

/** Some at once. Returns those that were tried: all, or those up to the first failure and what was on its way then. */
async function tryInOrder(
  deliveries: readonly Delivery[],
  send: (delivery: Delivery) => Promise<WebhookAnswer>,
): Promise<Try[]> {
  const tries: Try[] = [];
  const begunAt = Date.now();
  let [next, stopped] = [0, false];
  const work = async () => {
    while (next < deliveries.length && !stopped) {
      const place = next++;
      const answer = await send(deliveries[place]!);
      tries[place] = { delivery: deliveries[place]!, answer };
      stopped ||= !judgeAnswer(answer).taken || Date.now() - begunAt > SLOW_MS;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return tries;
}

async function settle(tenant: TenantWriter, endpoint: ClaimedEndpoint, work: Work, tries: Try[]): Promise<void> {
  const webhookEndpointId = endpoint.id;
  const failed = tries.filter(({ answer }) => !judgeAnswer(answer).taken);
  const waits = new Map(failed.map(({ delivery }) => [delivery, waitAfter(delivery.tries + 1)]));
  const kept = failed.flatMap(({ delivery }) => (waits.get(delivery) === undefined ? [] : [delivery]));
  const done = tries.flatMap(({ delivery }) => (kept.includes(delivery) ? [] : [delivery.eventId]));
  const place = tries.length < work.deliveries.length ? work.places[tries.length - 1]! : work.next;
  await tenant.transaction(async (tx) => {
    if (kept.length > 0) {
      await tx.run(repository.keepDeliveries, {
        webhookEndpointId,
        eventIds: kept.map(({ eventId }) => eventId),
        bodies: kept.map(({ body }) => body),
        tries: kept.map((delivery) => delivery.tries + 1),
        waits: kept.map((delivery) => waits.get(delivery)!),
      });
    }
    if (done.length > 0) await tx.run(repository.dropDeliveries, { webhookEndpointId, eventIds: done });
    await tx.run(repository.endTurn, { webhookEndpointId, ...place, ...stateAfter(endpoint, tries) });
  });
}

/** Nothing taken pauses the endpoint, longer each time; as long as the receiver asks when it asks. */
function stateAfter(
  { failures }: ClaimedEndpoint,
  tries: readonly Try[],
): Omit<repository.EndOfTurn, 'webhookEndpointId' | keyof Place> {
  const verdicts = tries.map(({ answer }) => judgeAnswer(answer));
  const tried = tries.length > 0;
  const isDown = tried && !verdicts.some(({ taken }) => taken);
  const failuresNow = isDown ? failures + 1 : tried ? 0 : failures;
  const wait = isDown ? waitAfter(failuresNow) : 0;
  const asked = Math.max(0, ...verdicts.map(({ pauseS = 0 }) => pauseS));
  const disabledBecause = verdicts.some(({ gone }) => gone) ? 'gone' : wait === undefined ? 'failing' : null;
  const lastStatus = tries.at(-1)?.answer.status ?? null;
  return { failures: failuresNow, pause: Math.max(wait ?? 0, asked) || null, tried, lastStatus, disabledBecause };
}
