import type pg from 'pg';
import type { TenantAccess } from '../auth/tenant-access.ts';
import type { Logger } from '../logger.ts';
import { deliverWebhooks, type Delivering } from '../resources/webhook-endpoints/deliver-webhooks.ts';
import { type Rounds, startRounds } from './rounds.ts';

export interface WebhookRoundsOptions extends Delivering {
  pool: pg.Pool;
  access: TenantAccess;
  logger: Logger;
}

type DueEndpoint = Record<'companyId' | 'webhookEndpointId', string>;

/**
 * Looks which endpoints something may be sent to, and gives each its turns. They are no jobs of the queue: a turn waits for
 * somebody else's server, and a claim on the row keeps other workers away. An endpoint that hangs has one of the turns
 * until it ends, and is paused then.
 */
export function startWebhookRounds({ pool, access, logger, ...delivering }: WebhookRoundsOptions): Rounds {
  return startRounds<DueEndpoint>({
    findDue: async (most) => {
      const text = 'select company_id as "companyId", endpoint_id as "webhookEndpointId" from due_webhooks($1)';
      return (await pool.query<DueEndpoint>(text, [most])).rows;
    },
    keyOf: ({ webhookEndpointId }) => webhookEndpointId,
    takeTurn: async ({ companyId, webhookEndpointId }, signal) => {
      while (!signal.aborted && (await deliverWebhooks(access.ofJob(companyId), webhookEndpointId, delivering)));
    },
    logger,
    words: {
      look: 'webhooks that are due cannot be looked for',
      turn: 'events could not be sent to a webhook endpoint',
    },
  });
}
