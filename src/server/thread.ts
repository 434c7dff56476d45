// A thread of `src/http/thread-pool.ts`. It serves requests with large bodies, each on a connection from a message.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { setPriority } from 'node:os';
import { MessagePort, parentPort } from 'node:worker_threads';
import { createThreadApp } from '../app.ts';
import { openBreachFeed } from '../resources/breaches/feed/open-breach-feed.ts';
import { readConfig } from '../config/config.ts';
import { readEnvironment } from '../config/secret-files.ts';
import { readDatabaseUrls } from '../db/database-urls.ts';
import { openPool } from '../db/pool.ts';
import { loadRequestValidator } from '../rest/request-validator.ts';
import { createLogs } from '../observability/logger.ts';
import { PortStream } from '../http/body/port-stream.ts';

/** Number of connections in the pool: enough for two changes at a time, from different companies. */
const POOL_SIZE = 5;
/** Niceness of the thread (on Linux, each thread has its own). With 5, the event loop gets three times the CPU time. */
const NICENESS = 5;

// The process that received the request has already counted it. It acts as a trusted proxy.
const limits = { RATE_LIMIT_PER_MINUTE: '0', AUTH_FAILURES_PER_MINUTE: '0', TRUSTED_PROXY_HOPS: '1' };
const env = readEnvironment();
const config = readConfig({ ...env, ...limits, ROLES: 'api' });
const { service: connectionString, isPooled } = readDatabaseUrls(env);
const { logger } = createLogs(config.logLevel);
const pool = openPool({
  connectionString,
  isPooled,
  poolSize: POOL_SIZE,
  statementTimeoutMs: config.statementTimeoutMs,
  connectTimeoutMs: 5000,
  onIdleError: (err) => logger.warn({ err }, 'idle database connection failed'),
});
const document = JSON.parse(await readFile(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as object;
let statements: string[] = [];
const app = await createThreadApp({
  config,
  logger,
  accessLog: createLogs('silent').accessLog,
  metrics: {
    request: () => undefined,
    toolCall: () => undefined,
    xapiStatement: (outcome) => void statements.push(outcome),
  },
  pool,
  readiness: { ready: true, started: true },
  // No operation with a large body uses the breach feed.
  breachFeed: openBreachFeed({ pool, logger }),
  loadValidator: () => loadRequestValidator(document),
});
const server = createServer({ ...app.messages, requestTimeout: 0, headersTimeout: 0 }, app.listener);
if (process.platform === 'linux') setPriority(NICENESS);
parentPort!.on('message', (message: MessagePort | null) => {
  if (message instanceof MessagePort) server.emit('connection', new PortStream(message));
  else {
    parentPort!.postMessage(statements);
    statements = [];
  }
});
