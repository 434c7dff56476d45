import type pg from 'pg';
import type { BreachFeedConfig } from '../../../config/config.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Metrics } from '../../../observability/metrics/metrics.ts';
import { watchBreaker } from '../../../observability/metrics/watch-breaker.ts';
import { BreachFeed } from './breach-feed.ts';
import { type LocalFeed, LocalSource } from './local-source.ts';
import { Upstream } from './upstream.ts';

export interface OpenBreachFeedOptions {
  pool: pg.Pool;
  logger: Logger;
  /** The upstream; undefined for the local feed. */
  config?: BreachFeedConfig | undefined;
  /** The content of the local feed; invented breaches unless given. */
  localFeed?: LocalFeed;
  metrics?: Pick<Metrics, 'registry' | 'breachFeedAnswer'>;
}

/** Opens the breach feed of a process. */
export function openBreachFeed({ pool, logger, config, localFeed, metrics }: OpenBreachFeedOptions): BreachFeed {
  const source = config ? new Upstream(config) : new LocalSource(localFeed);
  if (metrics && source instanceof Upstream) watchBreaker(metrics.registry, source);
  return new BreachFeed({ pool, source, logger, ...(metrics && { onAnswer: metrics.breachFeedAnswer }) });
}
