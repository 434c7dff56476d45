// Steps for migrations of tables in use. No step holds a lock for long that blocks readers or writers. A step that was
// killed halfway can be run again. The steps commit as they go, so their migration needs
// `export const config = { transaction: false }` and must consist of these steps only.
import type { Knex } from 'knex';

interface BatchedUpdate {
  table: string;
  /** SQL after SET. Write `\\?` for an operator with a question mark. */
  set: string;
  /** Condition that selects the rows to change. It must be false for a changed row; otherwise the update never ends. */
  where: string;
  /** Number of rows of the table to look at in one transaction; 5000 by default. */
  batchRows?: number;
}

/**
 * Updates a table in the order of its primary key, one transaction per batch, until no row is left. NOTE: the running
 * release still writes rows in the old form. A trigger or a default must correct them.
 * @throws if the table has no primary key
 */
export async function inBatches(knex: Knex, update: BatchedUpdate): Promise<void> {
  refuseTransaction(knex);
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(PRIMARY_KEY, [update.table]);
  const key = rows.map(({ name }) => name);
  if (key.length === 0) throw new Error(`${update.table} has no primary key`);
  while ((await walk(knex, update, key)) > 0);
}

/** Makes one pass over the table. Returns the number of changed rows. */
async function walk(knex: Knex, { table, set, where, batchRows = 5000 }: BatchedUpdate, key: string[]) {
  const columns = key.map((name) => `"${name}"`).join(', ');
  const values = key.map(() => '?').join(', ');
  // The aliases differ from the columns: ORDER BY would otherwise sort by these texts.
  const texts = key.map((name, index) => `"${name}"::text as key_${index}`).join(', ');
  let changed = 0;
  for (let after: string[] | undefined = []; after;) {
    const beyond: string = after.length > 0 ? `(${columns}) > (${values})` : 'true';
    const { rows }: { rows: Record<string, string>[] } = await knex.raw(
      `select ${texts} from ${table} where ${beyond} order by ${columns} offset ? limit 1`,
      [...after, batchRows - 1],
    );
    const last: string[] | undefined = rows[0] && Object.values(rows[0]);
    const { rowCount } = await knex.raw<{ rowCount: number }>(
      `update ${table} set ${set} where ${beyond} and ${last ? `(${columns}) <= (${values})` : 'true'} and (${where})`,
      [...after, ...(last ?? [])],
    );
    changed += rowCount;
    after = last;
  }
  return changed;
}

const PRIMARY_KEY = `
  select attname as name
    from pg_constraint join unnest(conkey) with ordinality as k (attnum, place) on true
    join pg_attribute a on a.attrelid = conrelid and a.attnum = k.attnum
   where contype = 'p' and conrelid = to_regclass(?) order by place`;

interface NewIndex {
  name: string;
  /** Table and columns, such as `learners (company_id, email_key)`, and the condition of a partial index. */
  on: string;
  unique?: boolean;
}

/** Creates an index while the table is read and written. First drops an invalid index that a killed run has left. */
export async function createIndexConcurrently(knex: Knex, { name, on, unique = false }: NewIndex): Promise<void> {
  refuseTransaction(knex);
  const { rows } = await knex.raw<{ rows: { valid: boolean }[] }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass(?)',
    [name],
  );
  if (rows[0]?.valid) return;
  if (rows[0]) await withoutLockTimeout(knex, `drop index concurrently "${name}"`);
  await withoutLockTimeout(knex, `create ${unique ? 'unique ' : ''}index concurrently "${name}" on ${on}`);
}

/** Drops an index while the table is read and written. Does nothing if the index does not exist. */
export async function dropIndexConcurrently(knex: Knex, name: string): Promise<void> {
  refuseTransaction(knex);
  await withoutLockTimeout(knex, `drop index concurrently if exists "${name}"`);
}

/** Adds a check or a foreign key, then checks the existing rows while the table can still be written. */
export async function addConstraint(knex: Knex, table: string, name: string, definition: string): Promise<void> {
  refuseTransaction(knex);
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    'select from pg_constraint where conrelid = to_regclass(?) and conname = ?',
    [table, name],
  );
  if (rows.length === 0) await knex.raw(`alter table ${table} add constraint "${name}" ${definition} not valid`);
  await knex.raw(`alter table ${table} validate constraint "${name}"`);
}

/** Forbids null in a column. With a validated check, SET NOT NULL does not read the table under its exclusive lock. */
export async function setNotNull(knex: Knex, table: string, column: string): Promise<void> {
  const check = `${table}_${column}_is_set`;
  await addConstraint(knex, table, check, `check ("${column}" is not null)`);
  await knex.raw(`alter table ${table} alter column "${column}" set not null, drop constraint "${check}"`);
}

/**
 * Runs CREATE or DROP INDEX CONCURRENTLY, which wait for earlier transactions but block no reader or writer. A lock
 * timeout would only leave an invalid index behind.
 */
async function withoutLockTimeout(knex: Knex, sql: string): Promise<void> {
  const pool = knex.client as { acquireConnection(): Promise<unknown>; releaseConnection(one: unknown): Promise<void> };
  const connection = await pool.acquireConnection();
  try {
    const { rows } = await knex
      .raw<{ rows: { before: string }[] }>(`select current_setting('lock_timeout') as before`)
      .connection(connection);
    await knex.raw('set lock_timeout = 0').connection(connection);
    try {
      await knex.raw(sql).connection(connection);
    } finally {
      await knex.raw(`select set_config('lock_timeout', ?, false)`, [rows[0]!.before]).connection(connection);
    }
  } finally {
    await pool.releaseConnection(connection);
  }
}

function refuseTransaction(knex: Knex): void {
  if (knex.isTransaction)
    throw new Error('This step commits as it goes; the migration needs config = { transaction: false }');
}
