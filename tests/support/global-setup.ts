import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../scripts/embedded-postgres/server.ts';
import type { PgBouncer } from './pgbouncer.ts';
import { createTemplate } from './databases.ts';
import { startPooler } from './pooled.ts';

declare global {
  var embeddedPostgres: EmbeddedPostgres | undefined;
  var pooler: PgBouncer | undefined;
}

/** One server for the run, and in it one migrated database with the test world, which each test file clones. */
export default async function globalSetup(): Promise<void> {
  // What Node keeps of compiled modules: a program of ours starts in half the time. Coverage is less exact with it.
  if (!process.env.NODE_V8_COVERAGE) {
    process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/compiled');
  }
  const server = await startEmbeddedPostgres({
    dataFolder: join(import.meta.dirname, '../../.postgres/test'),
    durable: false,
  });
  globalThis.embeddedPostgres = server;
  const template = `template_${process.pid}`;
  process.env.TEST_ADMIN_URL = server.adminUrl;
  process.env.TEST_TEMPLATE = template;
  process.env.TEST_TEMPLATE_OWNER_URL = server.databaseUrl('owner', template);
  process.env.TEST_TEMPLATE_SERVICE_URL = server.databaseUrl('service', template);
  globalThis.pooler = await startPooler(server);
  await createTemplate();
}
