import { Gauge, type Registry } from '@prometheus-io/client';
import type pg from 'pg';
import type { Logger } from '../logger.ts';
import { atMostEvery } from './at-most-every.ts';

const READ_EVERY_MS = 5000;
const READ_TIMEOUT_MS = 2000;
const STATES = ['enabled', 'paused', 'disabled'] as const;

type Figures = Record<(typeof STATES)[number], number> & { oldest: number };

/** Reports the webhook endpoints, the same for every process. Reports nothing while the database does not respond. */
export function watchWebhooks(registry: Registry, watch: { pool: pg.Pool; logger: Logger }): void {
  const read = atMostEvery(READ_EVERY_MS, () => readFigures(watch));
  const registers = [registry];
  new Gauge({
    name: 'webhook_endpoints',
    help: 'Webhook endpoints: enabled ones are sent events, paused ones are not for a while, disabled ones are off.',
    labelNames: ['state'],
    registers,
    async collect() {
      const figures = await read();
      this.reset();
      if (figures) for (const state of STATES) this.set({ state }, figures[state]);
    },
  });
  new Gauge({
    name: 'webhook_oldest_due_seconds',
    help: 'How long the oldest event has been due at an endpoint that is neither paused nor disabled; 0 when none is.',
    // The label allows the metric to be absent: without a label, it would be 0 from the start.
    labelNames: ['endpoints'],
    registers,
    async collect() {
      const figures = await read();
      this.reset();
      if (figures) this.set({ endpoints: 'enabled' }, figures.oldest);
    },
  });
}

async function readFigures({ pool, logger }: { pool: pg.Pool; logger: Logger }): Promise<Figures | undefined> {
  const query: pg.QueryConfig & { query_timeout: number } = {
    text: 'select enabled, paused, disabled, oldest from webhook_figures()',
    query_timeout: READ_TIMEOUT_MS,
  };
  try {
    return (await pool.query<Figures>(query)).rows[0];
  } catch (err) {
    logger.warn({ err }, 'the webhook endpoints could not be read for the metrics');
    return undefined;
  }
}
