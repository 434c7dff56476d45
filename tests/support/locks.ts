import pg from 'pg';

/** Has everybody who reads or writes a table wait, for as long as the work takes. */
export async function whileLocked(table: string, work: () => Promise<void>, seconds = 15): Promise<void> {
  const owner = new pg.Client(testService.database.ownerUrl).on('error', () => undefined);
  await owner.connect();
  try {
    // The lock goes by itself when a call waits for it for ever.
    await owner.query(`set idle_in_transaction_session_timeout = '${seconds}s'`);
    await owner.query(`begin; lock table ${table} in access exclusive mode`);
    await work();
  } finally {
    await owner.end();
  }
}
