import type pg from 'pg';
import { CommandError } from '../command.ts';

/** What a role may do with some columns of a table. */
interface ColumnGrant {
  table: string;
  /** Such as `UPDATE (name, locale)`. */
  privilege: string;
  /** Quoted. */
  role: string;
}

/**
 * Gives the shards the rights that are for some columns alone, which Citus does not pass on. Rows may be inserted with all
 * columns there, since Citus writes what is left out as well; the coordinator has looked at the columns before.
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

// Citus keeps a copy of its own of what stays on the coordinator and refers to a table that is on every node.
const GRANTS = `
  select t.table_name::text as table, g.grantee::regrole::text as role,
         g.privilege_type || case when g.privilege_type = 'INSERT' then ''
                                  else ' (' || string_agg(quote_ident(a.attname), ', ' order by a.attnum) || ')' end as privilege
    from citus_tables t
    join pg_attribute a on a.attrelid = t.table_name and a.attnum > 0 and not a.attisdropped
    cross join aclexplode(a.attacl) as g
   group by t.table_name, g.grantee, g.privilege_type
   order by 1, 2, 3`;
