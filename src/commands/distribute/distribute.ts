import pg from 'pg';
import { requireCluster } from './requirements.ts';
import { localTables, tablesToMake } from './tables.ts';
import { CommandError } from '../command.ts';

type PrintLine = (line: string) => void;

// A function that runs with its owner's rights would reach the nodes over separate connections, which do not see the
// transaction's writes. So on Citus the service can insert entries itself, as it does into other tables of a company.
const ENTER_AS_CALLER = `
  alter function write_audit_entry(text, text, uuid, text, text, text, jsonb, text[], text, text, boolean) security invoker;
  grant insert (company_id, actor_type, actor_id, actor_company_id, operation, outcome, code, targets, fields, request_id,
                address) on audit_log to awareness_service`;

/** Distributes the database at the URL of its owner. @throws as `distribute` does */
export async function distributeDatabase(url: string, print: PrintLine = () => undefined): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'awareness-distribute' });
  await client.connect();
  try {
    await distribute(client, print);
    await client.query(ENTER_AS_CALLER);
    await grantColumnsOnNodes(client);
  } finally {
    await client.end();
  }
}

/**
 * Makes each table a distributed or reference table of Citus, in one transaction: after a failure, nothing has changed.
 * @throws {CommandError} if the database is not in a Citus cluster, or a role lacks a setting
 */
async function distribute(client: pg.Client, print: PrintLine): Promise<void> {
  await requireCluster(client);
  await client.query('begin');
  try {
    await distributeOnce(client, print);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function distributeOnce(client: pg.Client, print: PrintLine): Promise<void> {
  const pendingTables = await tablesToMake(client);
  if (pendingTables.length === 0) return print('nothing to do; the database is already distributed');
  await client.query(PREPARE);
  const foreignKeys = await dropForeignKeys(client);
  print(`dropped: ${foreignKeys.length} foreign keys`);
  for (const { table, kind } of pendingTables) {
    await client.query(
      kind === 'reference' ? 'select create_reference_table($1)' : `select create_distributed_table($1, 'company_id')`,
      [table],
    );
    print(`${kind === 'reference' ? 'on every node' : 'by company'}: ${table}`);
  }
  await restoreForeignKeys(client, foreignKeys);
  print(`restored: ${foreignKeys.length} foreign keys`);
  for (const table of await localTables(client)) print(`on the coordinator: ${table}`);
}

/**
 * Changes to the schema that Citus requires.
 *
 * Citus calls a trigger unsafe if it writes rows of other tables. Our triggers write rows of the same company, which
 * are on the same node, or change the row itself. The triggers of `companies` are dropped, since a single node cannot
 * write a row that every node stores: the command `keys` writes its managers and the limit of a trial.
 *
 * The service adds courses and templates, whose rows are on every node. Citus then locks the companies that their
 * foreign key refers to, which requires the right to update that table. No row-level security policy lets the service
 * change a row of that table.
 *
 * Readers of events follow the transaction order of the node that stores the events. An event written through the
 * coordinator, such as an event about an API key, would have the number of a transaction on the coordinator. So each
 * node sets the number of its own transaction.
 *
 * On Citus, a policy cannot contain a subquery, so the function `watched_domains` runs the query instead. Postgres
 * calls the function for each row, so the function caches its result until the transaction ends. The cached text begins
 * with the id of the company: 36 characters and a space.
 */
const PREPARE = `
  set local citus.multi_shard_modify_mode = 'sequential';
  set local citus.enable_unsafe_triggers = on;
  grant update on companies to awareness_service;
  create or replace function watched_domains() returns text[]
    language plpgsql stable set search_path = public, pg_temp as $$
    declare
      company text := current_company();
      known text := current_setting('app.watched_domains', true);
      domains text[];
    begin
      if company is null then return '{}'; end if;
      if known like company || ' %' then return substr(known, 38)::text[]; end if;
      domains := array(select lower(unnest(c.smbreachprodomains)) from companies c
                        where c.id = current_company() and c.smbreachproenabled);
      perform set_config('app.watched_domains', company || ' ' || domains::text, true);
      return domains;
    end $$;
  create or replace function stamp_event() returns trigger language plpgsql as $$
    begin
      new.transaction_id := pg_current_xact_id();
      return new;
    end $$;
  drop trigger if exists events_stamped on events;
  create trigger events_stamped before insert on events for each row execute function stamp_event();
  alter policy of_watched_domains on breached_accounts using (domain = any (watched_domains()));
  drop trigger if exists new_trial_limited on companies;
  drop trigger if exists managers_derived on companies;
  drop trigger if exists managers_below_derived on companies`;

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/**
 * Drops the foreign keys between tables. Citus cannot distribute a table that refers to a table which is not
 * distributed yet, and some tables refer to each other. Keeps the foreign keys of the job queue's tables.
 */
async function dropForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
       from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`,
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return rows;
}

/** Adds the foreign keys again. Citus then checks the rows on each node. */
async function restoreForeignKeys(client: pg.Client, foreignKeys: readonly ForeignKey[]): Promise<void> {
  for (const { table, name, definition } of foreignKeys) {
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
}

/** A privilege of a role on some columns of a table. */
interface ColumnGrant {
  table: string;
  /** Privilege with its columns, such as `UPDATE (name, locale)`. */
  privilege: string;
  /** Name of the role, quoted. */
  role: string;
}

/**
 * Grants privileges on single columns to the shards, since Citus does not pass these on. An insert is granted on all
 * columns there, because Citus also writes omitted columns; the coordinator has already checked the columns.
 *
 * Can be called again. Must be called after the commit that creates the shards, because it reaches each shard over a
 * separate connection.
 * @throws {CommandError} if a node rejects a grant
 */
async function grantColumnsOnNodes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<ColumnGrant>(GRANTS);
  for (const { table, privilege, role } of rows) {
    const { rows: refused } = await client.query<{ result: string }>(
      'select result from run_command_on_placements($1, $2) where not success',
      [table, `grant ${privilege} on %s to ${role}`],
    );
    if (refused[0]) throw new CommandError(`A node failed to grant ${privilege} on ${table}: ${refused[0].result}`);
  }
}

// `citus_tables` also lists tables that stay on the coordinator and refer to a reference table, because Citus has its
// own copy of them.
const GRANTS = `
  select t.table_name::text as table, g.grantee::regrole::text as role,
         g.privilege_type || case when g.privilege_type = 'INSERT' then ''
                                  else ' (' || string_agg(quote_ident(a.attname), ', ' order by a.attnum) || ')' end as privilege
    from citus_tables t
    join pg_attribute a on a.attrelid = t.table_name and a.attnum > 0 and not a.attisdropped
    cross join aclexplode(a.attacl) as g
   group by t.table_name, g.grantee, g.privilege_type
   order by 1, 2, 3`;
