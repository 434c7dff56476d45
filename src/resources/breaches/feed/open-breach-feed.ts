import type pg from 'pg';
import type { BreachFeedConfig } from '../../../config/config.ts';
import type { Logger } from '../../../observability/logger.ts';
import { boundCounter, flagGauge } from '../../../observability/metrics/bound-metrics.ts';
import type { Metrics } from '../../../observability/metrics/metrics.ts';
import { BreachFeed } from './breach-feed.ts';
import { type LocalFeed, LocalSource } from './local-source.ts';
import { Upstream } from './upstream.ts';

export interface OpenBreachFeedOptions {
  pool: pg.Pool;
  logger: Logger;
  /** Settings of the upstream; undefined for the local feed. */
  config?: BreachFeedConfig | undefined;
  /** Content of the local feed; made-up breaches by default. */
  localFeed?: LocalFeed;
  registry?: Metrics['registry'];
}

/** Opens the breach feed of a process. */
export function openBreachFeed({ pool, logger, config, localFeed, registry }: OpenBreachFeedOptions): BreachFeed {
  const source = config ? new Upstream(config) : new LocalSource(localFeed);
  if (!registry) return new BreachFeed({ pool, source, logger });
  const onAnswer = boundCounter(registry, {
    name: 'breach_feed_answers_total',
    help: 'Lookups of breach data: cached, asked (from the feed), or the kind of failure.',
    labels: ['outcome'],
  });
  if (source instanceof Upstream) watchBreaker(registry, source);
  return new BreachFeed({ pool, source, logger, onAnswer });
}

function watchBreaker(registry: Metrics['registry'], upstream: Upstream): void {
  const about = {
    name: 'breach_feed_breaker_open',
    help: '1 while the breach feed is not requested after repeated failures, otherwise 0.',
  };
  flagGauge(registry, about, () => upstream.isOpen);
}
