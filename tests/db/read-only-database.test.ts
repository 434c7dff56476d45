/** @jest-environment-options {"TEST_POOLER": "none", "TEST_REPLICA": "none"} */
import { expectError, get, post } from '../support/client.ts';

const grace = { email: 'grace@tenant.test', firstName: 'Grace', lastName: 'Hopper' };

/** Makes new sessions read-only or not, as on a server that is not the primary, and closes existing ones. */
async function setReadOnly(readOnly: boolean): Promise<void> {
  await testService.query(`do $$ begin
    execute format('alter database %I set default_transaction_read_only = ${readOnly ? 'on' : 'off'}', current_database());
    perform pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = 'awareness_service';
  end $$`);
}

test('a change on a read-only server returns 502, and the next call uses a new connection', async () => {
  expect((await get('/learners')).status).toBe(200);
  await setReadOnly(true);
  for (let calls = 0; calls < 3; calls++) {
    expectError(await post('/learners', grace), 502, 'service_unavailable');
  }
  // Existing connections stay read-only until they are discarded.
  await testService.query(`do $$ begin
    execute format('alter database %I set default_transaction_read_only = off', current_database());
  end $$`);
  expect((await post('/learners', grace)).status).toBe(200);
});
