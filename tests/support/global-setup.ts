import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../scripts/embedded-postgres/server.ts';
import type { PgBouncer } from './pgbouncer.ts';
import { createTemplate } from './databases.ts';
import { startPooler } from './pooled.ts';
import { Standby } from './standby.ts';

declare global {
  var embeddedPostgres: EmbeddedPostgres | undefined;
  var pooler: PgBouncer | undefined;
  var standby: Standby | undefined;
}

/**
 * One server for the run, and in it one migrated database with the test world, which each test file clones. With
 * TEST_REPLICA it has a standby, from which the service of every test reads lists.
 */
export default async function globalSetup(): Promise<void> {
  // What Node keeps of compiled modules: a program of ours starts in half the time. Coverage is less exact with it.
  if (!process.env.NODE_V8_COVERAGE) {
    process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/compiled');
  }
  const dataFolder = join(import.meta.dirname, '../../.postgres/test');
  // A standby is told of a change when it is flushed.
  const settings: Record<string, string> = process.env.TEST_REPLICA ? { synchronous_commit: 'on' } : {};
  const server = await startEmbeddedPostgres({ dataFolder, durable: false, settings });
  globalThis.embeddedPostgres = server;
  const template = `template_${process.pid}`;
  process.env.TEST_ADMIN_URL = server.adminUrl;
  process.env.TEST_TEMPLATE = template;
  process.env.TEST_TEMPLATE_OWNER_URL = server.databaseUrl('owner', template);
  process.env.TEST_TEMPLATE_SERVICE_URL = server.databaseUrl('service', template);
  globalThis.pooler = await startPooler(server);
  globalThis.standby = process.env.TEST_REPLICA ? await Standby.start(server.adminUrl, dataFolder) : undefined;
  if (globalThis.standby) process.env.TEST_REPLICA_PORT = String(globalThis.standby.port);
  await createTemplate();
}
