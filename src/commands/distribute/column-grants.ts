import type pg from 'pg';
import { CommandError } from '../command.ts';

/** What a role may do with some columns of a table. */
interface ColumnGrant {
  table: string;
  /** Such as `UPDATE`. */
  privilege: string;
  /** Quoted. */
  role: string;
}

/**
 * Gives the shards the rights that are for some columns alone, which Citus does not pass on. On a shard they are for all
 * columns, since Citus writes what is left out of an insert there as well; the coordinator has looked at the columns before.
 * It may be done again. It must come after the commit that makes the shards: each is reached by a connection of its own.
 * @throws {CommandError} when a node refuses
 */
export async function grantColumnsOnNodes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<ColumnGrant>(GRANTS);
  for (const { table, privilege, role } of rows) {
    const { rows: refused } = await client.query<{ result: string }>(
      'select result from run_command_on_placements($1, $2) where not success',
      [table, `grant ${privilege} on %s to ${role}`],
    );
    if (refused[0]) throw new CommandError(`A node does not grant ${privilege} on ${table}: ${refused[0].result}`);
  }
}

const GRANTS = `
  select distinct t.table_name::text as table, g.privilege_type as privilege, g.grantee::regrole::text as role
    from citus_tables t
    join pg_attribute a on a.attrelid = t.table_name and a.attnum > 0 and not a.attisdropped
    cross join aclexplode(a.attacl) as g
   where t.citus_table_type in ('reference', 'distributed')
   order by 1, 2, 3`;
