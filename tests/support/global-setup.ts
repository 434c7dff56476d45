import { join } from 'node:path';
import { CitusCluster } from '../citus/cluster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../scripts/embedded-postgres/server.ts';
import { chooseDataFolder } from './data-folder.ts';
import { createTemplate, fillTemplate, freezeDatabase } from './databases.ts';
import type { PgBouncer } from './pgbouncer.ts';
import { startPooler } from './pooled.ts';
import { Standby } from './standby.ts';

declare global {
  var testServer: Pick<EmbeddedPostgres, 'stop'> | undefined;
  var pooler: PgBouncer | undefined;
  var standby: Standby | undefined;
}

/**
 * Starts one database server for the run, with one migrated database of the test world that each test file clones. With
 * TEST_REPLICA, the server has a standby, from which the service of every test reads lists. With TEST_CITUS_BIN, the
 * server is a Citus cluster, and the database is distributed.
 */
export default async function globalSetup(): Promise<void> {
  // With Node's compile cache, our programs start in half the time. The cache makes coverage less exact.
  if (!process.env.NODE_V8_COVERAGE) {
    process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/compiled');
  }
  process.env.TEST_TEMPLATE = `template_${process.pid}`;
  const folder = (process.env.TEST_DATA_FOLDER = chooseDataFolder());
  await (process.env.TEST_CITUS_BIN ? startCitus(process.env.TEST_CITUS_BIN, folder) : startPostgres(folder));
}

async function startPostgres(dataFolder: string): Promise<void> {
  // The primary sends a change to the standby only after its flush, which an asynchronous commit delays.
  const settings: Record<string, string> = process.env.TEST_REPLICA ? { synchronous_commit: 'on' } : {};
  const server = await startEmbeddedPostgres({ dataFolder, durable: false, settings });
  globalThis.testServer = server;
  const template = process.env.TEST_TEMPLATE!;
  process.env.TEST_ADMIN_URL = server.adminUrl;
  process.env.TEST_TEMPLATE_OWNER_URL = server.databaseUrl('owner', template);
  process.env.TEST_TEMPLATE_SERVICE_URL = server.databaseUrl('service', template);
  globalThis.pooler = await startPooler(server);
  globalThis.standby = process.env.TEST_REPLICA ? await Standby.start(server.adminUrl, dataFolder) : undefined;
  if (globalThis.standby) process.env.TEST_REPLICA_PORT = String(globalThis.standby.port);
  await createTemplate();
  await fillTemplate();
}

async function startCitus(bin: string, dataFolder: string): Promise<void> {
  const cluster = await CitusCluster.start(bin, `${dataFolder}-citus-${process.pid}`);
  globalThis.testServer = cluster;
  const template = process.env.TEST_TEMPLATE!;
  const [coordinator, ...workers] = cluster.adminUrls('postgres');
  process.env.TEST_ADMIN_URL = coordinator;
  process.env.TEST_WORKER_URLS = workers.join(' ');
  process.env.TEST_TEMPLATE_OWNER_URL = cluster.url('awareness_owner', template);
  process.env.TEST_TEMPLATE_SERVICE_URL = cluster.url('awareness_service', template);
  await cluster.createDatabase(template);
  await fillTemplate();
  await freezeDatabase(template);
}
