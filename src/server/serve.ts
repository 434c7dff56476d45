import { readFile } from 'node:fs/promises';
import cluster from 'node:cluster';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { createApp } from '../app.ts';
import { servesHttp, type MetricsConfig } from '../config/config.ts';
import { openBreachFeed } from '../resources/breaches/feed/open-breach-feed.ts';
import { routeConsole } from '../observability/tracing/console.ts';
import { connectionShares } from '../db/connection-shares.ts';
import { openPool, type PoolOptions } from '../db/pool.ts';
import { Replica, setReplica } from '../db/replica.ts';
import type { ContractDocument } from '../docs/document.ts';
import { scimFailures } from '../scim/scim-responses.ts';
import { createSite } from '../docs/site.ts';
import { bufferedBodies, spooledBodies } from '../http/body/body-bulkheads.ts';
import { Draining } from '../http/connection/draining.ts';
import { ThreadPool } from '../http/thread-pool.ts';
import { publishContract } from '../rest/published-contract.ts';
import { spooledResponses } from '../http/response/stream-response.ts';
import { respondToMalformedRequests } from '../http/connection/malformed-request.ts';
import type { Worker } from '../jobs/worker.ts';
import { createLogs } from '../observability/logger.ts';
import { createMetrics } from '../observability/metrics/metrics.ts';
import { watchProcess } from '../observability/metrics/process-metrics.ts';
import { watchPool } from '../observability/metrics/watch-pool.ts';
import { watchReplica } from '../observability/metrics/watch-replica.ts';
import { watchShare } from '../observability/metrics/watch-share.ts';
import { type Readiness, waitForDatabase } from '../http/readiness.ts';
import { currentTraceId } from '../observability/tracing/tracing.ts';
import { listen } from './listen.ts';
import { config, databaseUrls, exitOnConfigError, tracingConfig } from './settings.ts';
import { READY } from './supervisor.ts';

const POOL_END_MS = 1000;

const { logger, accessLog } = createLogs(config.logLevel, undefined, tracingConfig && currentTraceId);
routeConsole(logger);
const tracing =
  tracingConfig && (await import('../observability/tracing/open-telemetry.ts')).startTracing(tracingConfig, logger);
const metrics = createMetrics();
const document = JSON.parse(
  await readFile(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
) as ContractDocument;
const pool = openServicePool('requests', {
  connectionString: databaseUrls.service,
  isPooled: databaseUrls.isPooled,
  poolSize: config.databasePoolSize,
});
const readiness: Readiness = { ready: false, started: false };
watchShares(pool);
if (databaseUrls.read !== undefined) useReplica(databaseUrls.read);
const stopping = new AbortController();
const draining = new Draining();
let worker: Worker | undefined;
const breachFeed = openBreachFeed({ pool, logger, config: config.breachFeed, registry: metrics.registry });
const inStepPool = openServicePool('in_step', { poolSize: 1 });
const inStep = { pool: inStepPool, redisUrl: config.redisUrl, logger, signal: stopping.signal };
const threads = new ThreadPool({
  program: new URL('./thread.ts', import.meta.url),
  env: process.env,
  logger,
  onStatement: metrics.xapiStatement,
});
const app = await createApp({
  inStep,
  threads,
  config,
  logger,
  accessLog,
  metrics,
  draining,
  pool,
  contract: publishContract(document),
  site: createSite({ ...config, document }),
  readiness,
  breachFeed,
  loadValidator: async () => (await import('../rest/request-validator.ts')).loadRequestValidator(document),
});
const jobs = config.roles.every(servesHttp) ? undefined : await import('../jobs/start.ts');

const server = createServer({ ...app.messages, requireHostHeader: false }, app.listener);
server.on('connection', (socket) => draining.connect(socket));
respondToMalformedRequests(server, [scimFailures]);
server.requestTimeout = 60_000;
server.keepAliveTimeout = config.keepAliveMs;
if (config.metrics) {
  watchProcess(metrics.registry);
  if (cluster.isWorker)
    (await import('../observability/metrics/cluster-metrics.ts')).reportToSupervisor(metrics.registry);
  else await serveMetricsOn(config.metrics);
}
if (config.roles.includes('api') && !config.contentHost) {
  const missing = ['frames of one package', 'dialogs', 'popups', 'downloads', 'storage', 'captions'];
  logger.warn({ setting: 'CONTENT_URL', missing }, 'course packages play without an origin');
}
process.once('SIGTERM', (signal) => void drain(signal));
process.once('SIGINT', (signal) => void drain(signal));
// A process without a supervisor listens from the start: /health succeeds, and /ready reports that it is waiting.
if (!cluster.isWorker) await listen(server, { ...config, name: 'listening', logger });

const wait = { pool, urls: databaseUrls, logger, signal: stopping.signal };
await waitForDatabase(wait).catch(exitOnConfigError);
if (!stopping.signal.aborted) {
  readiness.started = true;
  readiness.ready = true;
  // The supervisor passes connections to every listening process, so its processes listen only once they are ready. A
  // process that runs only jobs does not listen.
  if (cluster.isWorker && config.roles.some(servesHttp)) await listen(server, { ...config, name: 'listening', logger });
  logger.info({ breachFeed: breachFeed.sourceName }, 'ready');
  process.send?.(READY);
  worker = jobs?.startJobs({ config, logger, metrics, openPool: openServicePool, breachFeed, onGiveUp: restart });
  readiness.worker = worker;
}

async function serveMetricsOn(address: MetricsConfig): Promise<void> {
  const { METRICS_POOL, serveMetricsPage } = await import('./metrics-page.ts');
  const ownPool = openServicePool('metrics', METRICS_POOL);
  await serveMetricsPage(address, { registry: metrics.registry, pool: ownPool, logger });
}

/** Ends the process, so that a supervisor starts it again. */
function restart(): void {
  void drain('worker stalled', 1);
}

/** Stops accepting connections after a delay, gives running work a limited time to end, closes the pool and exits. */
async function drain(reason: string, exitCode = 0): Promise<void> {
  if (stopping.signal.aborted) return;
  logger.info({ reason }, 'draining');
  readiness.ready = false;
  stopping.abort();
  draining.begin();
  const workerStopped = worker?.stop(config.drainDelayMs + config.drainTimeoutMs);
  await sleep(config.drainDelayMs);
  const closed = draining.close(server);
  const running = new Set(['requests', ...(workerStopped ? ['jobs'] : [])]);
  const late = setTimeout(() => {
    logger.warn({ running: [...running], unanswered: draining.unanswered }, 'drain timed out with work still running');
    server.closeAllConnections();
  }, config.drainTimeoutMs);
  await Promise.all([closed.then(() => running.delete('requests')), workerStopped?.then(() => running.delete('jobs'))]);
  await threads.close();
  clearTimeout(late);
  // A connection to a dead machine would take minutes to end.
  await Promise.all([Promise.race([pool.end(), sleep(POOL_END_MS)]), tracing?.stop()]);
  logger.info('stopped');
  process.exit(exitCode);
}

function openServicePool(name: string, options: Pick<PoolOptions, 'poolSize'> & Partial<PoolOptions>): pg.Pool {
  const opened = openPool({
    connectionString: databaseUrls.direct,
    statementTimeoutMs: config.statementTimeoutMs,
    connectTimeoutMs: 5000,
    onIdleError: (err) => logger.warn({ err }, 'idle database connection failed'),
    ...options,
  });
  watchPool(metrics.registry, name, opened);
  return opened;
}

function useReplica(url: string): void {
  const { isPooled } = databaseUrls;
  const standby = openServicePool('replica', { connectionString: url, isPooled, poolSize: config.databasePoolSize });
  const replica = new Replica({ primary: pool, pool: standby, logger });
  setReplica(pool, replica);
  watchReplica(metrics.registry, replica);
  const { lists, reads } = connectionShares(standby);
  watchShare(metrics.registry, 'replicaLists', lists);
  watchShare(metrics.registry, 'replicaReads', reads);
}

function watchShares(connections: pg.Pool): void {
  const shares = {
    ...connectionShares(connections),
    bodiesOnDisk: spooledBodies,
    bodiesInMemory: bufferedBodies,
    // The names are labels of a published metric.
    answersOnDisk: spooledResponses,
  };
  for (const [name, share] of Object.entries(shares)) watchShare(metrics.registry, name, share);
}
