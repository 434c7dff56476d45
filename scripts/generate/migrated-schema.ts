import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../src/commands/database.ts';
import { dumpSchema } from './dump-schema.ts';
import { startEmbeddedPostgres } from '../embedded-postgres/server.ts';

const SCRATCH = 'schema_scratch';

/** Runs the migrations on a scratch database, on the embedded Postgres of the tests, and dumps its schema. */
export async function migratedSchema(): Promise<string> {
  const dataFolder = join(import.meta.dirname, '../../.postgres/test');
  const server = await startEmbeddedPostgres({ dataFolder, durable: false });
  const admin = new pg.Client({ connectionString: server.adminUrl });
  try {
    await admin.connect();
    // Concurrent runs wait for each other. The database of a killed run is dropped first.
    await admin.query(`select pg_advisory_lock(hashtext('${SCRATCH}'))`);
    await admin.query(`drop database if exists ${SCRATCH} with (force)`);
    await admin.query(`create database ${SCRATCH} owner awareness_owner`);
    const url = server.databaseUrl('owner', SCRATCH);
    await migrate(url);
    const schema = await dumpSchema(url);
    await admin.query(`drop database ${SCRATCH} with (force)`);
    return schema;
  } finally {
    await admin.end();
    await server.stop();
  }
}
