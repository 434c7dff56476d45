import type pg from 'pg';
import { CommandError } from '../command.ts';

/** Settings of the service's role on Citus: policies and triggers read other tables on the node of a row. */
const SETTINGS = {
  'citus.propagate_set_commands': 'local',
  'citus.allow_nested_distributed_execution': 'on',
};

/** @throws {CommandError} that states what is missing, with the statement to fix it */
export async function requireCluster(client: pg.Client): Promise<void> {
  const { rows: extensions } = await client.query(`select from pg_extension where extname = 'citus'`);
  if (extensions.length === 0) {
    throw new CommandError(
      'Citus is not installed in this database. As a superuser, run on each node: create extension citus. ' +
        'Then add the nodes on the coordinator; see docs/guides/citus.md.',
    );
  }
  const { rows: nodes } = await client.query<{ coordinators: number; workers: number }>(
    `select count(*) filter (where groupid = 0)::integer as coordinators,
            count(*) filter (where groupid > 0 and isactive)::integer as workers from pg_dist_node`,
  );
  const { coordinators, workers } = nodes[0]!;
  if (coordinators === 0) {
    throw new CommandError(
      `The coordinator does not know its address. First run: select citus_set_coordinator_host('…').`,
    );
  }
  if (workers === 0)
    throw new CommandError(`The cluster has no other node. First run: select citus_add_node('…', 5432).`);
  await requireSettings(client);
}

async function requireSettings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ settings: string[] }>(
    `select coalesce(array_agg(setting), '{}') as settings from pg_db_role_setting s, unnest(setconfig) as setting
      where setrole = 'awareness_service'::regrole
        and setdatabase in (0, (select oid from pg_database where datname = current_database()))`,
  );
  const missing = Object.entries(SETTINGS).filter(([name, value]) => !rows[0]!.settings.includes(`${name}=${value}`));
  if (missing.length === 0) return;
  const statements = missing.map(([name, value]) => `alter role awareness_service set ${name} = '${value}';`);
  throw new CommandError(
    `The service's role lacks settings. As a superuser, run on each node: ${statements.join(' ')}`,
  );
}
