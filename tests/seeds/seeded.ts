import pg from 'pg';
import { openOwnerDatabase } from '../../src/commands/database.ts';
import { seedDemo } from '../../seeds/demo.ts';
import demoKeys from '../../seeds/demo-keys.json' with { type: 'json' };
import { send, TENANT_TABLES } from '../support/client.ts';

export type Holder = keyof typeof demoKeys;
/** Kinds of the companies whose keys seeds/demo-keys.json must hold. */
export const KINDS: Record<Holder, string> = {
  tenant: 'tenant',
  otherTenant: 'tenant',
  msp: 'msp',
  distributor: 'distributor',
  prospect: 'prospect',
};
export const holders = Object.keys(KINDS) as Holder[];

/** First day after the data of the demo. */
export const END = '2026-11-20';

export async function seed(serviceUrl = testService.database.serviceUrl): Promise<boolean> {
  const database = openOwnerDatabase(testService.database.ownerUrl);
  try {
    return await seedDemo(database, serviceUrl);
  } finally {
    await database.destroy();
  }
}

/** Columns that the service generates, different in each database. */
const MADE_BY_SERVICE = [
  ...['sealed_secret', 'received_at', 'derived_at', 'evaluated_at'],
  ...['stored_at', 'merged_at', 'undoable_until', 'answers_until', 'kept_until', 'transaction_id'],
];
const MADE_IDS: Record<string, string> = {
  enrollments: 'attempt_id',
  enrollment_attempts: 'attempt_id',
  membership_periods: 'id',
  simulation_recipients: 'id',
};

/**
 * Tables that each change writes to, with the current time, and the words and figures that follow from the rows of
 * other tables.
 */
const LEFT_OUT = ['audit_log', 'sync_index', 'learner_search_words', 'running_totals'];

/** Returns every row of a database as text, in order. File contents appear only as their SHA-256. */
export async function rowsOf(url: string): Promise<string[]> {
  const tables = ['companies', 'api_keys', 'courses', ...TENANT_TABLES.filter((table) => !LEFT_OUT.includes(table))];
  const client = new pg.Client(url);
  await client.connect();
  const text = tables
    .map((table) => `select '${table}' || ${textOf(table)} as row from ${table} as t`)
    .join(' union all ');
  const { rows } = await client.query<{ row: string }>(`${text} order by row`);
  await client.end();
  return rows.map(({ row }) => row);
}

function textOf(table: string): string {
  if (table === 'file_contents') return `(company_id, sha256, sha256(content))::text`;
  const made = [...MADE_BY_SERVICE, MADE_IDS[table] ?? ''].map((column) => `'${column}'`);
  return `(to_jsonb(t) - array[${made.join(', ')}])::text`;
}

/** Empties every table. The files of the managed catalogue and the log of emails refer to no company. */
export async function emptyOut(): Promise<void> {
  await testService.query(`truncate companies, file_contents, mail_log, ${LEFT_OUT.join(', ')} cascade`);
}

/** Reads a path with a demo key, and returns the data of the response. */
export async function ask(holder: Holder, path: string): Promise<any> {
  const answer = await send('GET', path, { headers: { authorization: `Bearer ${demoKeys[holder]}` } });
  expect({ holder, path, status: answer.status }).toEqual({ holder, path, status: 200 });
  return answer.body.data;
}
