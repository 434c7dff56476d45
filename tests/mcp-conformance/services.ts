import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { migrate, openOwnerDatabase } from '../../src/commands/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../scripts/embedded-postgres/server.ts';
import { seedDemo } from '../../seeds/demo.ts';
import { createApp } from '../../src/app.ts';
import { openBreachFeed } from '../../src/resources/breaches/feed/open-breach-feed.ts';
import { readConfig } from '../../src/config/config.ts';
import { openPool } from '../../src/db/pool.ts';
import { publishContract } from '../../src/rest/published-contract.ts';
import { loadRequestValidator } from '../../src/rest/request-validator.ts';
import { createLogs } from '../../src/observability/logger.ts';
import { createMetrics } from '../../src/observability/metrics/metrics.ts';
import { NO_SITE } from '../support/no-site.ts';
import type { CreateServer } from '../../src/mcp/server.ts';

const DATABASE = 'conformance';

/** Creates a database with the demo data. */
export async function startDatabase(): Promise<{ server: EmbeddedPostgres; serviceUrl: string }> {
  const dataFolder = join(import.meta.dirname, '../../.postgres/conformance');
  const server = await startEmbeddedPostgres({ dataFolder, durable: false });
  const admin = new pg.Client(server.adminUrl);
  await admin.connect();
  await admin.query(`drop database if exists ${DATABASE} with (force)`);
  await admin.query(`create database ${DATABASE} owner awareness_owner`);
  await admin.end();
  const ownerUrl = server.databaseUrl('owner', DATABASE);
  await migrate(ownerUrl);
  const owner = openOwnerDatabase(ownerUrl);
  await seedDemo(owner, server.databaseUrl('service', DATABASE));
  await owner.destroy();
  return { server, serviceUrl: server.databaseUrl('service', DATABASE) };
}

export interface RunningService {
  /** URL of the service, without a trailing slash. */
  url: string;
  close(): Promise<void>;
}

export interface ServiceOptions {
  databaseUrl: string;
  /** The public URL, if it differs from the URL on which the service listens. */
  publicUrl?: string;
  /** Creates a server whose tools replace the tools of the contract. */
  createMcpServer?: CreateServer;
  /** Returns additional settings for the URL on which the service listens. */
  settings?: (url: string) => Record<string, string>;
}

const document = JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as {
  info: { version: string };
};

/** Starts the service as `src/main.ts` composes it, without a worker. Its rate limit exceeds the suite's calls. */
export async function startService({
  databaseUrl,
  publicUrl,
  createMcpServer,
  settings,
}: ServiceOptions): Promise<RunningService> {
  const { server, url } = await listen();
  const config = readConfig({
    PUBLIC_URL: publicUrl ?? url,
    OAUTH_SECRET: randomBytes(32).toString('hex'),
    SECRETS_KEY: randomBytes(32).toString('base64'),
    RATE_LIMIT_PER_MINUTE: '10000',
    LOG_LEVEL: 'warn',
    ...settings?.(url),
  });
  const logs = createLogs(config.logLevel);
  const pool = openPool({
    connectionString: databaseUrl,
    poolSize: config.databasePoolSize,
    statementTimeoutMs: config.statementTimeoutMs,
    connectTimeoutMs: 5000,
    onIdleError: (err) => logs.logger.warn({ err }, 'idle database connection failed'),
  });
  const app = await createApp({
    config,
    ...logs,
    metrics: createMetrics(),
    pool,
    contract: publishContract(document),
    site: NO_SITE,
    loadValidator: () => loadRequestValidator(document),
    readiness: { ready: true, started: true },
    breachFeed: openBreachFeed({ pool, logger: logs.logger }),
    ...(createMcpServer && { createMcpServer }),
  });
  server.on('request', app.listener);
  return {
    url,
    async close() {
      await closeServer(server);
      await pool.end();
    },
  };
}

export async function listen(): Promise<{ server: Server; url: string }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
