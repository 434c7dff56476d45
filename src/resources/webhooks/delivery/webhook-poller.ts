// The webhook poller: finds endpoints with something to send, and shares the slots for their batches between companies.
// See deliver-webhooks.ts for the batch itself.
//
// A batch waits for an external server, up to 15 s per event if that server hangs. Slots are therefore scarce, but
// connections are not. Endpoints that accepted their last event have separate slots from new and failing endpoints:
//
// - A company has at most 4 slots for new and failing endpoints, however often it creates them again. A new endpoint
//   has no precedence.
// - A company has at most 20 slots for accepting endpoints, one for each endpoint that it can have. While other
//   companies are using slots, it has at most 5. Its hanging endpoints do not use these slots.
// - With 200 slots of each kind, dozens of companies must hang at once before another company waits.
//
// Postgres returns the due endpoints company by company, and leaves out companies whose slots are full. Otherwise, many
// endpoints of one company would fill the result. A claim on the row keeps other processes away, so the slots of
// several processes add up.
//
// Not for: queue jobs, which share few slots between all companies.
import type pg from 'pg';
import { ChildReadAudit } from '../../../audit/child-read-audit.ts';
import { SealedSecrets } from '../../../auth/sealed-secrets.ts';
import type { Config } from '../../../config/config.ts';
import type { JobTenants } from '../../../db/tenant.ts';
import { Bulkhead } from '../../../limits/bulkhead.ts';
import { type Poller, startPoller } from '../../../limits/poller.ts';
import type { Logger } from '../../../observability/logger.ts';
import { boundCounter } from '../../../observability/metrics/bound-metrics.ts';
import type { Metrics } from '../../../observability/metrics/metrics.ts';
import { createWebhookSender, type PostWebhook } from '../sending/post-webhook.ts';
import { judgeResponse } from '../sending/retry-rules.ts';
import { deliverWebhooks, type Delivering } from './deliver-webhooks.ts';

const SLOTS = 200;
const PER_COMPANY = { accepting: { maxPerCompany: 20, maxWithOthers: 5 }, others: { maxPerCompany: 4 } };

export interface WebhookPollerOptions extends Delivering {
  pool: pg.Pool;
  access: JobTenants;
  logger: Logger;
}

interface DueEndpoint {
  companyId: string;
  webhookEndpointId: string;
  /** Whether the endpoint accepted its last event. */
  accepts: boolean;
}

const DUE = `select company_id as "companyId", endpoint_id as "webhookEndpointId", accepts
               from due_webhooks($1, $2, $3, $4)`;

/** Polls for endpoints with something to send, and delivers their batches. */
export function startWebhookPoller({ pool, access, logger, ...delivering }: WebhookPollerOptions): Poller {
  const accepting = new Bulkhead({ max: SLOTS, ...PER_COMPANY.accepting });
  const others = new Bulkhead({ max: SLOTS, ...PER_COMPANY.others });
  return startPoller<DueEndpoint>({
    findDue: async () => {
      const values = [SLOTS, PER_COMPANY.accepting.maxPerCompany, accepting.fullCompanies, others.fullCompanies];
      return (await pool.query<DueEndpoint>(DUE, values)).rows;
    },
    getKey: ({ webhookEndpointId }) => webhookEndpointId,
    takeSlot: ({ companyId, accepts }) => (accepts ? accepting : others).tryAcquire(companyId),
    processItem: async ({ companyId, webhookEndpointId }, signal) => {
      while (!signal.aborted && (await deliverWebhooks(access.ofJob(companyId), webhookEndpointId, delivering)));
    },
    logger,
    words: {
      look: 'polling for due webhooks failed',
      turn: 'delivering webhooks failed',
    },
  });
}

/** Creates the services of a batch from the settings. */
export function createDelivering(
  { secretsKeys, webhooks }: Pick<Config, 'secretsKeys' | 'webhooks'>,
  registry: Metrics['registry'],
): Delivering {
  const countTry = boundCounter(registry, {
    name: 'webhook_delivery_attempts_total',
    help: 'Events that the worker sent to webhook endpoints: delivered, not_taken, or the reason for the missing response.',
    labels: ['outcome'],
  });
  return {
    secrets: new SealedSecrets(secretsKeys),
    post: countTries(createWebhookSender(webhooks), countTry),
    recordReads: createReadRecorder(),
  };
}

/** Creates a function that records, in each child's audit log, deliveries to an endpoint of the parent. */
export function createReadRecorder(): Delivering['recordReads'] {
  const reads = new ChildReadAudit();
  return (own, webhookEndpointId, childIds) => {
    const actor = { type: 'webhook_endpoint', id: webhookEndpointId } as const;
    return reads.record(own, { actor, operation: 'deliverWebhooks', requestId: null, address: null }, childIds);
  };
}

/**
 * Wraps a sender so that it counts each attempt: `delivered`, `not_taken` for a response other than 2xx, or the
 * failure.
 */
export function countTries(post: PostWebhook, countTry: (outcome: string) => void): PostWebhook {
  return async (url, headers, body) => {
    const answer = await post(url, headers, body);
    countTry(answer.failure ?? (judgeResponse(answer).accepted ? 'delivered' : 'not_taken'));
    return answer;
  };
}
