// The command line of `simulations`.
import type { Knex } from 'knex';
import { runCommand, UsageError } from '../command.ts';
import { recordAsOperator } from '../keys/operator-entries.ts';
import type { WithDatabase } from '../keys/owner-database.ts';

const HELP = `The operator's stop of phishing simulations.

Usage: simulations stop     nothing of any simulation of any company is sent any more, within a second
       simulations start    they go on; what was to be sent meanwhile is sent while its window is open
       simulations status   say which it is, and how many simulations wait or run

A stop and its end are in the audit log of each company that has a simulation which waits or
runs. Doing again what is done already changes nothing.

Type simulations as make simulations ARGS='stop' in a checkout, or as
node src/commands/simulations.ts stop with Node 22.18 or newer. The database is the one of
DATABASE_OWNER_URL. Exit codes: 0 done, 1 refused, 64 wrong usage, 78 wrong settings.`;

/** Runs the command in the process's arguments, on the database that `withDatabase` opens. */
export function runSimulations(withDatabase: WithDatabase): Promise<void> {
  return runCommand(async () => {
    const [word, ...more] = process.argv.slice(2);
    if (word === '--help' || word === '-h') return console.log(HELP);
    if (more.length > 0 || (word !== 'stop' && word !== 'start' && word !== 'status')) {
      throw new UsageError('Give one of stop, start and status. See: simulations --help');
    }
    await withDatabase(async (database) => {
      if (word !== 'status') await database.transaction((change) => turn(change, word));
      console.log(await readStatus(database));
    });
  });
}

async function turn(change: Knex.Transaction, word: 'stop' | 'start'): Promise<void> {
  const isStop = word === 'stop';
  const row = change('simulation_switch');
  const turned = await (isStop ? row.whereNull('stopped_at') : row.whereNotNull('stopped_at')).update({
    stopped_at: isStop ? new Date() : null,
  });
  if (turned === 0) return;
  const companyIds = await active(change).distinct().pluck<string[]>('company_id');
  const operation = isStop ? 'stopSimulations' : 'startSimulations';
  const target = (id: string) => ({ field: 'companyId', id });
  await recordAsOperator(
    change,
    companyIds.map((companyId) => ({ companyId, operation, target: target(companyId), fields: [] })),
  );
}

function active(database: Knex): Knex.QueryBuilder {
  return database('simulations').where({ is_own: true }).whereIn('status', ['scheduled', 'running']);
}

async function readStatus(database: Knex): Promise<string> {
  const row = await database<{ stopped_at: Date | null }>('simulation_switch').first();
  const { length } = await active(database).pluck('id');
  const since = row?.stopped_at ? `stopped since ${row.stopped_at.toISOString()}` : 'not stopped';
  return `Simulations are ${since}; ${length} are scheduled or running.`;
}
