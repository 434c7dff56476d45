import { v7 as uuidv7 } from 'uuid';
import type { TenantWriter } from '../../../db/tenant.ts';
import * as repository from './delivery-repository.ts';
import type { ClaimedEndpoint } from './delivery-repository.ts';
import type { DeliveryBatch } from './find-batch.ts';
import { moveReplay } from './replay-repository.ts';
import { insertAttempts } from './delivery-attempt-repository.ts';
import {
  retryPlan,
  type EvaluatedAttempt,
  evaluateAttempts,
  positionsAfter,
  nextEndpointState,
  type Attempt,
} from './attempt-rules.ts';

/** Maximum number of characters to store of a response that accepted the event; few, because most responses accept. */
const MAX_ACCEPTED_TEXT = 200;

/**
 * Completes a batch: ends the claim, moves the position past the attempted events, records the attempts and stores
 * retries. Does nothing if the endpoint was deleted.
 */
export async function recordAttempts(
  tenant: TenantWriter,
  endpoint: ClaimedEndpoint,
  batch: DeliveryBatch,
  attempts: readonly Attempt[],
): Promise<void> {
  const webhookEndpointId = endpoint.id;
  const judged = evaluateAttempts(attempts);
  const { retries, completedIds } = retryPlan(judged);
  await tenant.transaction(async (tx) => {
    const { place, replayed } = positionsAfter(batch, attempts.length);
    if (replayed) await moveReplay(tx, endpoint, replayed);
    // Locks the endpoint before its deliveries, as deleting an endpoint does; otherwise, the two could deadlock.
    const [ended] = await tx.mutate(repository.endTurn, {
      webhookEndpointId,
      ...place,
      ...nextEndpointState(endpoint, attempts),
    });
    if (!ended) return;
    if (judged.length > 0) await tx.mutate(insertAttempts, { webhookEndpointId, ...toAttemptRows(judged) });
    if (retries.length > 0) await tx.mutate(repository.keepDeliveries, { webhookEndpointId, ...toRetryRows(retries) });
    if (completedIds.length > 0)
      await tx.mutate(repository.dropDeliveries, { webhookEndpointId, eventIds: completedIds });
  });
}

function toRetryRows(retries: readonly EvaluatedAttempt[]) {
  return {
    eventIds: retries.map(({ delivery }) => delivery.eventId),
    bodies: retries.map(({ delivery }) => delivery.body),
    attempts: retries.map(({ delivery }) => delivery.attempts + 1),
    waits: retries.map(({ wait }) => wait!),
  };
}

function toAttemptRows(judged: readonly EvaluatedAttempt[]) {
  const events = judged.map(({ delivery }) => JSON.parse(delivery.body) as { type: string; companyId: string });
  return {
    ids: judged.map(() => uuidv7()),
    eventIds: judged.map(({ delivery }) => delivery.eventId),
    types: events.map(({ type }) => type),
    companies: events.map(({ companyId }) => companyId),
    transactionIds: judged.map(({ delivery }) => delivery.transactionId),
    numbers: judged.map(({ delivery }) => delivery.attempts + 1),
    times: judged.map(({ at }) => at.toISOString()),
    durations: judged.map(({ durationMs }) => durationMs),
    delivered: judged.map(({ accepted }) => accepted),
    statuses: judged.map(({ answer }) => answer.status),
    errors: judged.map(({ answer }) => answer.failure),
    answers: judged.map(({ answer, accepted }) =>
      accepted ? [...answer.text].slice(0, MAX_ACCEPTED_TEXT).join('') : answer.text,
    ),
    waits: judged.map(({ wait }) => wait ?? null),
  };
}
