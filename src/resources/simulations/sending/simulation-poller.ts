import type pg from 'pg';
import type { SimulationsConfig } from '../../../config/simulation-settings.ts';
import type { JobTenants } from '../../../db/tenant.ts';
import { createPersonToken, hashPersonToken } from '../../../identity/person-token.ts';
import { Bulkhead } from '../../../limits/bulkhead.ts';
import { type Poller, startPoller } from '../../../limits/poller.ts';
import type { Logger } from '../../../observability/logger.ts';
import { reproveDomains } from '../settings/domain-repository.ts';
import type { FindTexts } from '../settings/find-texts.ts';
import { assignFollowUpTraining, type Enrol, SETTLED_AFTER } from './assign-follow-up-training.ts';
import { moveSimulations } from './move-simulations.ts';
import { queueDueMessages } from './queue-due-messages.ts';

/**
 * Milliseconds between two DNS lookups of a domain's proof while simulations are running. A proof is valid for a day.
 */
const PROOF_MS = 3_600_000;
/** Maximum number of companies that are processed at the same time. */
const SLOTS = 20;

export interface SimulationPollerOptions {
  pool: pg.Pool;
  access: JobTenants;
  logger: Logger;
  simulations: Pick<SimulationsConfig, 'senders' | 'ratePerMinute'>;
  findTexts: FindTexts;
  enrol: Enrol;
}

type DueCompany = Record<'companyId', string>;

/** Polls for companies whose simulations have work to do. See queue-due-messages.ts for the steps. */
export function startSimulationPoller(options: SimulationPollerOptions): Poller {
  const { pool, access, logger, simulations, findTexts, enrol } = options;
  /** Time of the last lookup of each company's proof. */
  const lookedUpAt = new Map<string, number>();
  const queue = { ...simulations, createToken: createPersonToken, hashToken: hashPersonToken };
  const slots = new Bulkhead({ max: SLOTS, maxPerCompany: 1 });
  return startPoller<DueCompany>({
    findDue: async () => {
      const text = `select company_id as "companyId" from due_simulations($1)
                     union select company_id from due_follow_up_training($2, $1)`;
      return (await pool.query<DueCompany>(text, [SLOTS, SETTLED_AFTER])).rows;
    },
    getKey: ({ companyId }) => companyId,
    takeSlot: ({ companyId }) => slots.tryAcquire(companyId),
    processItem: async ({ companyId }) => {
      const tenant = access.ofJob(companyId);
      const now = new Date();
      if (now.getTime() - (lookedUpAt.get(companyId) ?? 0) > PROOF_MS) {
        lookedUpAt.set(companyId, now.getTime());
        await reproveDomains(tenant, findTexts, now);
      }
      await moveSimulations(tenant, { findTexts, now });
      await queueDueMessages(tenant, queue);
      await assignFollowUpTraining(tenant, enrol);
    },
    logger,
    words: { look: 'polling for due simulations failed', turn: 'sending simulations failed' },
  });
}
