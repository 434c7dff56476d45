import pg from 'pg';

/** Locks a table against every read and write while `work` runs. */
export async function whileLocked(table: string, work: () => Promise<void>, seconds = 15): Promise<void> {
  const owner = new pg.Client(testService.database.ownerUrl).on('error', () => undefined);
  await owner.connect();
  try {
    // The timeout releases the lock if `work` itself waits for it.
    await owner.query(`set idle_in_transaction_session_timeout = '${seconds}s'`);
    await owner.query(`begin; lock table ${table} in access exclusive mode`);
    await work();
  } finally {
    await owner.end();
  }
}

/** Returns how many connections to the test database wait for a lock. */
export async function countWaitingForLocks(): Promise<number> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await testService.query(waiting)).length;
}
