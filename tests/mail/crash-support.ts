import pg from 'pg';
import { type Service } from '../process/support.ts';
import { until } from '../support/until.ts';

export async function kill(service: Service): Promise<void> {
  service.child.kill('SIGKILL');
  await service.exit;
}

const holders = new Set<pg.Client>();

/** Runs a statement as the owner of the tables, and holds its locks until the returned function is called. */
export async function holdLock(text: string, values: unknown[] = []): Promise<() => Promise<void>> {
  const holder = new pg.Client(testService.database.ownerUrl);
  holders.add(holder);
  await holder.connect();
  await holder.query('begin');
  await holder.query(text, values);
  return async () => {
    if (holders.delete(holder)) await holder.end();
  };
}

/** Releases the locks that a failed test has left; for afterEach. */
export async function releaseLocks(): Promise<void> {
  const held = [...holders];
  holders.clear();
  await Promise.all(held.map((holder) => holder.end()));
}

/** Resolves when this many connections wait for a lock. */
export function whenWaiting(connections: number): Promise<void> {
  return until(async () => {
    const waiting = await testService.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return waiting.length === connections;
  });
}
