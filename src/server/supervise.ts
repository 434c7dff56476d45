// The supervisor of several processes that share the port. SIGHUP replaces the processes one by one, SIGTERM ends them.
import { randomBytes } from 'node:crypto';
import { servesHttp } from '../config/config.ts';
import { openPool } from '../db/pool.ts';
import { createLogs } from '../observability/logger.ts';
import { config, databaseUrls } from './settings.ts';
import { Supervisor } from './supervisor.ts';

const { logger } = createLogs(config.logLevel);
const servers = config.roles.filter(servesHttp);
const jobs = config.roles.filter((role) => !servesHttp(role));
const plans = [...Array<typeof servers>(config.processes).fill(servers), jobs].filter((roles) => roles.length > 0);
// A shared secret lets each process read forms and cookies that another process has issued.
const isSecretMissing = config.oauthSecrets.length === 0;
const env = { HTTP_PROCESSES: '', ...(isSecretMissing && { OAUTH_SECRET: randomBytes(32).toString('base64url') }) };
const supervisor = new Supervisor({ plans, env, logger, onEnd: (code) => process.exit(code) });
logger.info({ processes: plans.length }, 'supervising');
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => supervisor.stop());
process.on('SIGHUP', () => void supervisor.restart());

if (config.metrics) {
  const { supervisorMetrics } = await import('../observability/metrics/cluster-metrics.ts');
  const { METRICS_POOL, serveMetricsPage } = await import('./metrics-page.ts');
  const pool = openPool({
    connectionString: databaseUrls.direct,
    ...METRICS_POOL,
    onIdleError: (err) => logger.warn({ err }, 'idle database connection failed'),
  });
  await serveMetricsPage(config.metrics, { ...supervisorMetrics(), pool, logger });
}
