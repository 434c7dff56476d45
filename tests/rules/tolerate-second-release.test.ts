import pg from 'pg';
import { tolerateSecondRelease } from '../../src/jobs/run.ts';

test('releasing the missing connection of an ended pool does not throw', async () => {
  const pool = new pg.Pool();
  tolerateSecondRelease(pool);
  await pool.end();
  const [error, client] = await new Promise<unknown[]>((resolve) => {
    pool.connect((...args) => {
      args[2]();
      resolve(args);
    });
  });
  expect(error).toMatchObject({ message: 'Cannot use a pool after calling end on the pool' });
  expect(client).toBeUndefined();
});
