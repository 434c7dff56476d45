import type pg from 'pg';
import type { Logger } from '../../observability/logger.ts';
import { atMostEvery } from '../../observability/metrics/at-most-every.ts';
import { readGauge } from '../../observability/metrics/bound-metrics.ts';
import type { Metrics } from '../../observability/metrics/metrics.ts';

const READ_EVERY_MS = 5000;
const READ_TIMEOUT_MS = 2000;

type Figures = Record<'enabled' | 'paused' | 'disabled' | 'oldest', number>;

/** Registers the metrics of the webhook endpoints. They are absent while the database does not respond. */
export function watchWebhooks(registry: Metrics['registry'], watch: { pool: pg.Pool; logger: Logger }): void {
  const read = atMostEvery(READ_EVERY_MS, () => readFigures(watch));
  readGauge(
    registry,
    {
      name: 'webhook_endpoints',
      help: 'Webhook endpoints: enabled (receive events), paused (temporarily none) or disabled.',
      label: 'state',
    },
    async () => {
      const figures = await read();
      return figures && { enabled: figures.enabled, paused: figures.paused, disabled: figures.disabled };
    },
  );
  readGauge(
    registry,
    {
      name: 'webhook_oldest_due_seconds',
      help: 'Seconds since the oldest event became due at an enabled endpoint; 0 if none is due.',
      // Without a label, the gauge would be 0 from the start; with a label, it can be absent.
      label: 'endpoints',
    },
    async () => {
      const figures = await read();
      return figures && { enabled: figures.oldest };
    },
  );
}

async function readFigures({ pool, logger }: { pool: pg.Pool; logger: Logger }): Promise<Figures | undefined> {
  const query: pg.QueryConfig & { query_timeout: number } = {
    text: 'select enabled, paused, disabled, oldest from webhook_figures()',
    query_timeout: READ_TIMEOUT_MS,
  };
  try {
    return (await pool.query<Figures>(query)).rows[0];
  } catch (err) {
    logger.warn({ err }, 'reading webhook endpoints for metrics failed');
    return undefined;
  }
}
