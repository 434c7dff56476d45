import type pg from 'pg';

/** Reference tables, which every node stores, because rows of all companies are joined with them. */
const REFERENCE = [
  'companies',
  'event_readers',
  'courses',
  'course_versions',
  'simulation_templates',
  'simulation_switch',
  'breaches',
  'breached_accounts',
];

/**
 * Tables that stay on the coordinator, although their rows belong to companies. A call claims its idempotency key
 * before anything else, and once a transaction has written on a node, functions of the owner can no longer read.
 */
const ON_COORDINATOR = ['idempotency_keys'];

export interface TargetTable {
  table: string;
  kind: 'reference' | 'distributed';
}

/** Lists the tables that must still be distributed, reference tables first. */
export async function tablesToMake(client: pg.Client): Promise<TargetTable[]> {
  const { rows } = await client.query<TargetTable>(
    `select wanted.name as table, case when wanted.place > 0 then 'reference' else 'distributed' end as kind
       from (${TARGET_TABLES}) as wanted
      where not exists (select from citus_tables t where t.table_name = wanted.name::regclass
                           and t.citus_table_type in ('reference', 'distributed'))
      order by wanted.place = 0, wanted.place, wanted.name`,
    [REFERENCE, ON_COORDINATOR],
  );
  return rows;
}

/** Lists the tables that stay on the coordinator. */
export async function localTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
        and c.oid::regclass::text not in (select name from (${TARGET_TABLES}) as wanted)
      order by 1`,
    [REFERENCE, ON_COORDINATOR],
  );
  return rows.map(({ name }) => name);
}

/** Selects the tables to distribute. A tenant table's primary key begins with the company. Omits partitions. */
const TARGET_TABLES = `
  select c.relname::text as name, coalesce(array_position($1::text[], c.relname::text), 0) as place
    from pg_class c
   where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
     and c.relname <> all ($2::text[])
     and (c.relname = any ($1) or exists (
       select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indrelid = c.oid and i.indisprimary and a.attname = 'company_id'))`;
