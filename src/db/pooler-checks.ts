import pg from 'pg';
import { ConfigError } from '../config/variables.ts';
import type { DatabaseUrls } from './database-urls.ts';

const TIMEOUT_MS = 5000;
/** SQLSTATEs for a prepared statement that does not exist, or that exists already. */
const MIXED_UP = ['26000', '42P05'];
const GUIDE = 'see "Behind a pooler" in the guide "Operating"';

/** Recommended settings of the role, because a pooler drops the settings that the service requests when it connects. */
const ROLE_SETTINGS: Record<string, string> = {
  statement_timeout: '12s',
  idle_in_transaction_session_timeout: '12s',
  client_connection_check_interval: '500ms',
};

/**
 * Checks that `direct` leads straight to Postgres, and that a pooler and its role meet the service's requirements.
 * @throws {ConfigError} naming the setting to change
 * @throws the errors of connecting
 */
export async function checkDatabaseUrls({ service, direct, isPooled }: DatabaseUrls): Promise<void> {
  if (await leadsToPooler(direct)) {
    const name = isPooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
    const remedy = isPooled ? 'it must point straight to Postgres' : 'DATABASE_DIRECT_URL is then required';
    throw new ConfigError(`${name} points to a pooler: ${remedy}; ${GUIDE}`);
  }
  if (!isPooled) return;
  await requirePreparedStatements(service);
  await requireRoleSettings(service);
}

/** Reports whether a URL leads to a pooler. A pooler makes up the process id that it sends on connect. */
async function leadsToPooler(url: string): Promise<boolean> {
  return withClients(url, 1, async ([client]) => {
    const { rows } = await client!.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]!.pid !== (client as unknown as { processID: number }).processID;
  });
}

/**
 * Prepares different statements under the same name in two clients. A pooler without support for prepared statements
 * rejects the second statement, or runs it for the first client.
 * @throws {ConfigError} if the pooler mixes up prepared statements
 */
async function requirePreparedStatements(url: string): Promise<void> {
  const isKept = await withClients(url, 2, async ([one, other]) => {
    const prepared = async (client: pg.Client, n: number) => {
      const { rows } = await client.query<{ n: number }>({ name: 'awareness_probe', text: `select ${n} as n` });
      return rows[0]!.n === n;
    };
    const first = [await prepared(one!, 1), await prepared(other!, 2)];
    return [...first, await prepared(one!, 1), await prepared(one!, 1)].every(Boolean);
  }).catch((error: Error & { code?: string }) => {
    if (!MIXED_UP.includes(error.code ?? '')) throw error;
    return false;
  });
  if (isKept) return;
  throw new ConfigError(
    `The pooler of DATABASE_URL mixes up prepared statements; use PgBouncer 1.21 or newer with max_prepared_statements; ${GUIDE}`,
  );
}

/** Requires the role's settings, because the pooler opens the sessions. @throws {ConfigError} if the role lacks one */
async function requireRoleSettings(url: string): Promise<void> {
  const rows = await withClients(url, 1, async ([client]) => {
    const query = `select name, quote_ident(current_user) as role from pg_settings where name = any ($1) and setting = '0'`;
    return (await client!.query<{ name: string; role: string }>(query, [Object.keys(ROLE_SETTINGS)])).rows;
  });
  if (rows.length === 0) return;
  const remedies = rows.map(({ name, role }) => `alter role ${role} set ${name} = '${ROLE_SETTINGS[name]!}'`);
  throw new ConfigError(
    `Behind a pooler, the role of DATABASE_URL needs its own settings: ${remedies.join('; ')}; ${GUIDE}`,
  );
}

async function withClients<T>(url: string, count: number, work: (clients: pg.Client[]) => Promise<T>): Promise<T> {
  const clients = Array.from({ length: count }, () => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    // Without a listener, an error would end the process.
    return client.on('error', () => undefined);
  });
  try {
    for (const client of clients) await client.connect();
    return await work(clients);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}
