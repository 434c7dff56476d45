import pg from 'pg';
import type { EmbeddedPostgres } from '../../scripts/embedded-postgres/server.ts';
import { newestPgBouncer, PgBouncer } from './pgbouncer.ts';

/** The settings that sessions through a pooler get from their role. */
export const ROLE_SETTINGS = {
  statement_timeout: '12s',
  idle_in_transaction_session_timeout: '12s',
  client_connection_check_interval: '500ms',
};

/** Starts a PgBouncer between the service of every test and its database if TEST_POOLED is set. */
export async function startPooler(server: EmbeddedPostgres): Promise<PgBouncer | undefined> {
  if (!process.env.TEST_POOLED) return undefined;
  await setForRole(server.adminUrl, ROLE_SETTINGS);
  const pooler = await PgBouncer.start(newestPgBouncer()!, server.serviceUrl);
  process.env.TEST_POOLER_PORT = String(pooler.port);
  return pooler;
}

/** Sets parameters of the service's role, in one database or in all. */
export async function setForRole(adminUrl: string, settings: Record<string, string>, database?: string): Promise<void> {
  const admin = new pg.Client(adminUrl);
  await admin.connect();
  const where = database === undefined ? '' : `in database ${database}`;
  try {
    for (const [name, value] of Object.entries(settings)) {
      await admin.query(`alter role awareness_service ${where} set ${name} = '${value}'`);
    }
  } finally {
    await admin.end();
  }
}
