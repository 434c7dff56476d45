import type pg from 'pg';
import type { JobTenants } from '../../db/tenant.ts';
import { Bulkhead } from '../../limits/bulkhead.ts';
import { type Poller, startPoller } from '../../limits/poller.ts';
import type { Logger } from '../../observability/logger.ts';
import { evaluateCampaigns } from './evaluate-campaigns.ts';
import type { SimulationServices } from './simulations/begin-simulations.ts';
import { sendDueMessages } from './messages/send-due-messages.ts';
import { notifyManagers } from './messages/notify-managers.ts';

const SLOTS = 4;

interface CampaignPollerOptions extends SimulationServices {
  pool: pg.Pool;
  access: JobTenants;
  logger: Logger;
}

type DueCompany = Record<'companyId', string>;

/**
 * Polls for companies whose campaigns have work to do. See evaluate-campaigns.ts and messages/send-due-messages.ts for
 * the steps.
 */
export function startCampaignPoller({ pool, access, logger, ...services }: CampaignPollerOptions): Poller {
  const slots = new Bulkhead({ max: SLOTS, maxPerCompany: 1 });
  return startPoller<DueCompany>({
    findDue: async () => {
      const text = 'select company_id as "companyId" from due_campaigns($1)';
      return (await pool.query<DueCompany>(text, [SLOTS])).rows;
    },
    getKey: ({ companyId }) => companyId,
    takeSlot: ({ companyId }) => slots.tryAcquire(companyId),
    processItem: async ({ companyId }, signal) => {
      await evaluateCampaigns(access.ofJob(companyId), { signal, ...services });
      await sendDueMessages(access.ofJob(companyId), signal);
      await notifyManagers(access.ofJob(companyId), signal);
    },
    logger,
    words: { look: 'polling for due campaigns failed', turn: 'evaluating campaigns failed' },
  });
}
