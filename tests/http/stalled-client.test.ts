/** @jest-environment-options {"STALLED_CLIENT_MS": "300"} */
import { connect } from 'node:net';
import { companies, keys } from '../support/world.ts';

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
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const [row] = await testService.query(`select count(*)::integer as busy from pg_stat_activity
    where datname = current_database() and usename = 'awareness_service' and state <> 'idle'`);
  expect(row!.busy).toBe(0);
  socket.resume();
  await closed;
});
