import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { TenantAccess } from '../auth/tenant-access.ts';
import type { Logger } from '../logger.ts';
import { deliverWebhooks, type Delivering } from '../resources/webhook-endpoints/deliver-webhooks.ts';

const LOOK_MS = 500;
const AT_ONCE = 20;

export interface WebhookRoundsOptions extends Delivering {
  pool: pg.Pool;
  access: TenantAccess;
  logger: Logger;
}

/**
 * Looks twice a second which endpoints something may be sent to, and gives each its turns. They are no jobs of the queue:
 * a turn waits for somebody else's server, so twenty may wait at once, and a claim on the row keeps other workers away. An
 * endpoint that hangs has one of them until its turn ends, and is paused then.
 */
export function startWebhookRounds({ pool, access, logger, ...delivering }: WebhookRoundsOptions): {
  /** Begins no further turn, and resolves when those at hand have ended. */
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const atWork = new Map<string, Promise<void>>();
  const looking = keepLooking();
  return {
    stop: async () => {
      stopping.abort();
      await looking;
      await Promise.all(atWork.values());
    },
  };

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch((err: unknown) => logger.warn({ err }, 'webhooks that are due cannot be looked for'));
      await sleep(LOOK_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  }

  async function look(): Promise<void> {
    if (atWork.size >= AT_ONCE) return;
    const { rows } = await pool.query<{ companyId: string; endpointId: string }>(
      'select company_id as "companyId", endpoint_id as "endpointId" from due_webhooks($1)',
      [AT_ONCE],
    );
    const due = [...new Map(rows.map((row) => [row.endpointId, row])).values()];
    const free = due.filter(({ endpointId }) => !atWork.has(endpointId)).slice(0, AT_ONCE - atWork.size);
    for (const { companyId, endpointId } of free) {
      const turn = takeTurn(companyId, endpointId).finally(() => atWork.delete(endpointId));
      atWork.set(endpointId, turn);
    }
  }

  async function takeTurn(companyId: string, endpointId: string): Promise<void> {
    try {
      while (!stopping.signal.aborted && (await deliverWebhooks(access.ofJob(companyId), endpointId, delivering)));
    } catch (err) {
      logger.warn({ err, companyId, webhookEndpointId: endpointId }, 'events could not be sent to a webhook endpoint');
    }
  }
}
