import type { Request, RequestHandler, Response } from 'express';
import type pg from 'pg';
import { KeyDirectory } from '../auth/key-directory.ts';
import { TenantAccess } from '../auth/tenant-access.ts';
import type { BreachFeed } from '../breach-feed/breach-feed.ts';
import type { Config } from '../config.ts';
import { type KeyBudget, limitAnonymousByAddress, limitByKey, limitFailuresByAddress } from './rate-limits.ts';
import { createInvoke, type Invoke } from '../operations/invoke.ts';
import { createHandlers } from '../operations/operations.ts';

/** What all that acts for a caller shares: who they are, how often they may call, and what is done for them. */
export interface SharedServices {
  keys: KeyDirectory;
  limitFailures: RequestHandler;
  /** The same for those who are no step of a route. Rejects with what it refuses by. */
  countFailure: (req: Request, res: Response) => Promise<void>;
  /** Limits what an address begins without a key. */
  limitAnonymous: RequestHandler;
  budget: KeyBudget;
  invoke: Invoke;
}

export interface SharedServicesOptions {
  config: Config;
  pool: pg.Pool;
  breachFeed: BreachFeed;
}

export function createSharedServices({ config, pool, breachFeed }: SharedServicesOptions): SharedServices {
  const limitFailures = limitFailuresByAddress(config.authFailuresPerMinute);
  return {
    keys: new KeyDirectory(pool, config.keyCacheMs),
    limitFailures,
    countFailure: (req, res) => untilNext(limitFailures, req, res),
    limitAnonymous: limitAnonymousByAddress(config.authFailuresPerMinute),
    budget: limitByKey(config.rateLimitPerMinute),
    invoke: createInvoke(new TenantAccess(pool), createHandlers({ breachFeed })),
  };
}

/** Runs a middleware alone; rejects with what it passes on. */
function untilNext(middleware: RequestHandler, req: Request, res: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void middleware(req, res, (error?: Error | 'route' | 'router') =>
      error instanceof Error ? reject(error) : resolve(),
    );
  });
}
