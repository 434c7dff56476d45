import pg from 'pg';
import { destroyUnresponsive } from '../../src/db/driver/dead-connections.ts';

test('destroyUnresponsive detects silence between consecutive queries', async () => {
  const pool = new pg.Pool({ connectionString: testService.database.serviceUrl, max: 1 });
  pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  destroyUnresponsive(pool, 500);
  const client = await pool.connect();
  const queries = Promise.allSettled([client.query('select 1'), client.query('select pg_sleep(2)')]);
  expect(await queries).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'ETIMEDOUT' } }]);
  client.release(true);
  await pool.end();
});
