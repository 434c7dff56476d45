// Command-line interface of `simulations`.
import type { Knex } from 'knex';
import { runCommand, UsageError } from '../command.ts';
import { recordAsOperator } from '../keys/operator-entries.ts';
import type { WithDatabase } from '../keys/owner-database.ts';

const HELP = `Stops and restarts all phishing simulations.

Usage: simulations stop     stop sending for all simulations of all companies, within a second
       simulations start    resume; overdue messages are sent while their window is open
       simulations status   print the state, and how many simulations are scheduled or running

A stop and a start are recorded in the audit log of each company with a scheduled or running
simulation. Repeating a command changes nothing.

In a checkout, run make simulations ARGS='stop', or node src/commands/simulations.ts stop with
Node 22.18 or newer. DATABASE_OWNER_URL names the database. Exit codes: 0 done, 1 rejected,
64 invalid arguments, 78 invalid settings.`;

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
