/** @jest-environment-options {"STALLED_CLIENT_MS": "300"} */
import { connect } from 'node:net';
import { until } from '../process/support.ts';
import { companies, keys } from '../support/world.ts';

/** Connections of the service that are in the middle of something. */
async function countBusy(): Promise<number> {
  const [row] = await testService.query(`select count(*)::integer as busy from pg_stat_activity
    where datname = current_database() and usename = 'awareness_service' and state <> 'idle'`);
  return row!.busy as number;
}

test('a client that stops reading loses the connection, and its query with it', async () => {
  await testService.query(
    `insert into learners (company_id, id, email, first_name, last_name)
     select $1, gen_random_uuid(), 'many' || n || '@tenant.test', 'Many', n from generate_series(1, 60000) as n`,
    [companies.tenant],
  );
  const { port } = new URL(testService.url);
  const socket = connect(Number(port), '127.0.0.1');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined);
  socket.write(`GET /v1/learners HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${keys.tenant}\r\n\r\n`);
  socket.pause();
  await until(async () => (await countBusy()) > 0);
  await until(async () => (await countBusy()) === 0);
  socket.resume();
  await closed;
});
