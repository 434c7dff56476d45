import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { createApp } from './app.ts';
import { BreachFeed } from './breach-feed/breach-feed.ts';
import { LocalSource } from './breach-feed/local-source.ts';
import { Upstream } from './breach-feed/upstream.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { openPool, type PoolOptions } from './db/pool.ts';
import type { ContractDocument } from './docs/document.ts';
import { createSite } from './docs/site.ts';
import { drainable } from './http/draining.ts';
import { publishContract } from './http/published-contract.ts';
import { answerUnreadableRequests } from './http/unreadable-request.ts';
import type { Worker } from './jobs/worker.ts';
import { createLogs } from './logger.ts';
import { type Readiness, refusePrivilegedRole, requireUtcSessions, waitForDatabase } from './readiness.ts';

const config = readConfigOrExit();
const { logger, accessLog } = createLogs(config.logLevel);
const document = JSON.parse(
  await readFile(new URL('../generated/openapi.json', import.meta.url), 'utf8'),
) as ContractDocument;
const pool = openServicePool({ poolSize: config.databasePoolSize });
const readiness: Readiness = { ready: false, started: false };
const stopping = new AbortController();
let worker: Worker | undefined;
const breachSource = config.breachFeed ? new Upstream(config.breachFeed) : new LocalSource();
const app = await createApp({
  config,
  logger,
  accessLog,
  pool,
  contract: publishContract(document),
  site: createSite({ ...config, document }),
  readiness,
  breachFeed: new BreachFeed({ pool, source: breachSource, logger }),
  loadValidator: async () => (await import('./http/request-validator.ts')).loadRequestValidator(document),
});
const jobs = config.roles.includes('worker') ? await import('./jobs/start.ts') : undefined;

const { listener, beginDraining } = drainable(app);
const server = createServer(listener);
answerUnreadableRequests(server);
server.requestTimeout = 60_000;
server.keepAliveTimeout = config.keepAliveMs;
server.on('error', (err) => {
  logger.fatal({ err }, `cannot listen on ${config.host}:${config.port}`);
  process.exit(1);
});
server.listen(config.port, config.host, () => {
  const { address, port } = server.address() as AddressInfo;
  logger.info({ address, port }, 'listening');
});
process.once('SIGTERM', (signal) => void drain(signal));
process.once('SIGINT', (signal) => void drain(signal));

await waitForDatabase(pool, logger, stopping.signal);
if (!stopping.signal.aborted) {
  await Promise.all([refusePrivilegedRole(pool), requireUtcSessions(pool)]).catch(exitOnConfigError);
  readiness.started = true;
  readiness.ready = true;
  logger.info({ breachFeed: breachSource.name }, 'ready');
  worker = jobs?.startJobs({ config, logger, openPool: openServicePool, breachSource });
}

/** Takes no new connections after a while, lets what runs end (for a bounded time), then closes the pool and leaves. */
async function drain(signal: NodeJS.Signals): Promise<void> {
  if (stopping.signal.aborted) return;
  logger.info({ signal }, 'draining');
  readiness.ready = false;
  stopping.abort();
  beginDraining();
  const workerStopped = worker?.stop(config.drainDelayMs + config.drainTimeoutMs);
  await sleep(config.drainDelayMs);
  const closed = new Promise((resolve) => server.close(resolve));
  const late = setTimeout(() => {
    logger.warn('some requests did not end in time');
    server.closeAllConnections();
  }, config.drainTimeoutMs);
  await Promise.all([closed, workerStopped]);
  clearTimeout(late);
  await pool.end();
  logger.info('stopped');
  process.exit(0);
}

function openServicePool(options: Pick<PoolOptions, 'poolSize' | 'timesAsDates'>): pg.Pool {
  return openPool({
    ...options,
    connectionString: config.databaseUrl,
    statementTimeoutMs: config.statementTimeoutMs,
    connectTimeoutMs: 5000,
    onIdleError: (err) => logger.warn({ err }, 'an idle database connection broke'),
  });
}

function readConfigOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    return exitOnConfigError(error);
  }
}

/** A wrong setting is one sentence, not a stack; 78 is EX_CONFIG of sysexits.h. */
function exitOnConfigError(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(78);
}
