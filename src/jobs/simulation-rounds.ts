import type pg from 'pg';
import { createPersonToken } from '../auth/person-token.ts';
import type { TenantAccess } from '../auth/tenant-access.ts';
import type { SimulationsConfig } from '../environment/simulation-settings.ts';
import type { Logger } from '../logger.ts';
import { queueDueMessages } from '../resources/simulations/queue-due-messages.ts';
import { type Rounds, startRounds } from './rounds.ts';

export interface SimulationRoundsOptions {
  pool: pg.Pool;
  access: TenantAccess;
  logger: Logger;
  simulations: Pick<SimulationsConfig, 'senders' | 'pacePerMinute'>;
}

type DueCompany = Record<'companyId', string>;

/** Looks which companies have simulations that begin, end or have something to send, and queues what their pace allows. */
export function startSimulationRounds({ pool, access, logger, simulations }: SimulationRoundsOptions): Rounds {
  const queue = { ...simulations, createToken: createPersonToken };
  return startRounds<DueCompany>({
    findDue: async (most) => {
      const text = 'select company_id as "companyId" from due_simulations($1)';
      return (await pool.query<DueCompany>(text, [most])).rows;
    },
    keyOf: ({ companyId }) => companyId,
    takeTurn: async ({ companyId }) => void (await queueDueMessages(access.ofJob(companyId), queue)),
    logger,
    words: { look: 'simulations that are due cannot be looked for', turn: 'a company could not be sent simulations' },
  });
}
