/** @jest-environment-options {"TEST_POOLER": "none", "TEST_REPLICA": "none"} */
import { expectError, get, post } from '../support/client.ts';

const grace = { email: 'grace@tenant.test', firstName: 'Grace', lastName: 'Hopper' };

/** Makes sessions that begin from now on read only or not, as on a server that is not the primary; ends those there are. */
async function setReadOnly(readOnly: boolean): Promise<void> {
  await testService.query(`do $$ begin
    execute format('alter database %I set default_transaction_read_only = ${readOnly ? 'on' : 'off'}', current_database());
    perform pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = 'awareness_service';
  end $$`);
}

test('a change on a server that only reads is a 502, and the next connection is a new one', async () => {
  expect((await get('/learners')).status).toBe(200);
  await setReadOnly(true);
  for (let calls = 0; calls < 3; calls++) {
    expectError(await post('/learners', grace), 502, 'service_unavailable');
  }
  // What is connected now stays read only until it is thrown away.
  await testService.query(`do $$ begin
    execute format('alter database %I set default_transaction_read_only = off', current_database());
  end $$`);
  expect((await post('/learners', grace)).status).toBe(200);
});
