import type { MetricsConfig } from '../config/config.ts';
import { TASKS } from '../jobs/task-names.ts';
import { type MetricsServerOptions, serveMetrics } from '../observability/metrics/serve-metrics.ts';
import { watchWebhooks } from '../resources/webhooks/watch-webhooks.ts';
import { listen } from './listen.ts';

/** Options of a separate pool with short timeouts, which serves metrics when the rest of the service is in trouble. */
export const METRICS_POOL = { poolSize: 1, connectTimeoutMs: 2000, statementTimeoutMs: 2000 };

/** Serves the metrics on a separate host and port, including the figures that are read from the database. */
export async function serveMetricsPage(
  address: MetricsConfig,
  options: Omit<MetricsServerOptions, 'tasks'>,
): Promise<void> {
  const { registry, logger } = options;
  const page = serveMetrics({ ...options, tasks: TASKS });
  watchWebhooks(registry, options);
  await listen(page, { ...address, name: 'metrics', logger });
}
