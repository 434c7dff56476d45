// Who is sent webhooks next, so that no company keeps another one's events waiting.
//
// A turn waits for somebody else's server, for 15 seconds where that hangs. So what is scarce is the slots that turns wait
// in, and each process shares its own by company. Endpoints that took their last event, and those that are new or did not,
// have slots apart:
//
// - A company has at most 4 slots for new and failing endpoints, however often it makes them again. That they were never
//   tried gives them no precedence.
// - A company has at most 20 slots for endpoints that take events, as many as it can have endpoints, and 5 while other
//   companies use slots, too. Its endpoints that hang leave these alone.
// - With 200 slots of each kind, dozens of companies would have to hang at once before another one waits for a slot.
//
// Postgres gives the due endpoints company by company, and leaves out those whose slots are taken: else a crowd of them
// would fill the answer. A claim on the row keeps other processes away, so several processes add to each other's slots.
// Turns are no jobs of the queue, which has few slots for all.
import type pg from 'pg';
import type { TenantAccess } from '../auth/tenant-access.ts';
import { Bulkhead } from '../limits/bulkhead.ts';
import type { Logger } from '../observability/logger.ts';
import { deliverWebhooks, type Delivering } from '../resources/webhooks/delivery/deliver-webhooks.ts';
import { type Poller, startPoller } from './poller.ts';

const SLOTS = 200;
const PER_COMPANY = { accepting: { maxPerCompany: 20, maxBesideOthers: 5 }, others: { maxPerCompany: 4 } };

export interface WebhookPollerOptions extends Delivering {
  pool: pg.Pool;
  access: TenantAccess;
  logger: Logger;
}

interface DueEndpoint {
  companyId: string;
  webhookEndpointId: string;
  /** Whether it accepted its last event. */
  accepts: boolean;
}

const DUE = `select company_id as "companyId", endpoint_id as "webhookEndpointId", accepts
               from due_webhooks($1, $2, $3, $4)`;

/** Looks which endpoints something may be sent to, and gives each its turns. */
export function startWebhookPoller({ pool, access, logger, ...delivering }: WebhookPollerOptions): Poller {
  const accepting = new Bulkhead({ max: SLOTS, ...PER_COMPANY.accepting });
  const others = new Bulkhead({ max: SLOTS, ...PER_COMPANY.others });
  return startPoller<DueEndpoint>({
    findDue: async () => {
      const values = [SLOTS, PER_COMPANY.accepting.maxPerCompany, accepting.fullCompanies, others.fullCompanies];
      return (await pool.query<DueEndpoint>(DUE, values)).rows;
    },
    keyOf: ({ webhookEndpointId }) => webhookEndpointId,
    takeSlot: ({ companyId, accepts }) => (accepts ? accepting : others).tryAcquire(companyId),
    processItem: async ({ companyId, webhookEndpointId }, signal) => {
      while (!signal.aborted && (await deliverWebhooks(access.ofJob(companyId), webhookEndpointId, delivering)));
    },
    logger,
    words: {
      look: 'webhooks that are due cannot be looked for',
      turn: 'events could not be sent to a webhook endpoint',
    },
  });
}
