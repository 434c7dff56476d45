import type { JobHelpers } from 'graphile-worker';
import pg from 'pg';
import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { createTasks, type TaskServices } from '../../../src/jobs/tasks.ts';
import { purgeRemovedUsers } from '../../../src/resources/directory/purge-removed-users.ts';
import { until } from '../../support/until.ts';
import { del, get, post } from '../../support/client.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { companies, groupId } from '../../support/world.ts';
import { ask, ENTERPRISE, expectScimError, find, idsOf, makeUser, newUser } from './directory-support.ts';

const pool = openServicePool(1);
afterAll(() => pool.end());

async function makeDeleted(name: string): Promise<string> {
  const id = await makeUser(name);
  await post(`/groups/${groupId('tenant', 1)}/learners/add`, { learnerIds: [id] });
  expect((await ask('DELETE', `/Users/${id}`)).status).toBe(204);
  return id;
}

test('a deleted user returns 404 to directories and is an inactive learner without groups in the API', async () => {
  const id = await makeDeleted('gone');
  for (const [method, body] of [
    ['GET'],
    ['DELETE'],
    ['PUT', newUser('gone')],
    ['PATCH', { Operations: [{ op: 'add', value: {} }] }],
  ] as const)
    expectScimError(await ask(method, `/Users/${id}`, body && { body }), 404);
  expect(idsOf(await find('Users', 'userName eq "gone@tenant.test"'))).toEqual([]);
  expect(idsOf(await ask('GET', '/Users?count=200'))).not.toContain(id);
  expect((await get(`/learners/${id}`)).body.data).toMatchObject({
    inactive: true,
    groups: [],
    managedBy: 'directory',
  });
});

test('a deleted user who is created again gets the same id', async () => {
  const id = await makeDeleted('back');
  const changed = newUser('back', { displayName: 'Back', externalId: 'again' });
  expect(await ask('POST', '/Users', { body: changed })).toMatchObject({
    status: 201,
    body: { id, active: true, displayName: 'Back', externalId: 'again' },
  });
  expect((await get(`/learners/${id}`)).body.data).toMatchObject({ inactive: false });
  await ask('DELETE', `/Users/${id}`);
  const renamed = newUser('elsewhere', { emails: [{ value: 'BACK@tenant.test' }] });
  expect((await ask('POST', '/Users', { body: renamed })).body).toMatchObject({
    id,
    userName: 'elsewhere@tenant.test',
  });
});

const numbered = (employeeNumber: string) => ({ [ENTERPRISE]: { employeeNumber } });

test('a returning employee with another name and address is found by employeeNumber', async () => {
  const id = await makeUser('left', numbered('RE-1'));
  await ask('DELETE', `/Users/${id}`);
  const returned = newUser('returned', { externalId: 'another', ...numbered('RE-1') });
  expect(await ask('POST', '/Users', { body: returned })).toMatchObject({
    status: 201,
    body: { id, userName: 'returned@tenant.test', emails: [{ value: 'returned@tenant.test' }], active: true },
  });
  expect(idsOf(await find('Users', 'employeeNumber eq "RE-1"'))).toEqual([id]);
});

test('a returning employee with another employeeNumber is found by externalId', async () => {
  const id = await makeUser('left2', { externalId: 'same', ...numbered('RE-2') });
  await ask('DELETE', `/Users/${id}`);
  const returned = newUser('returned2', { externalId: 'same', ...numbered('RE-3') });
  expect((await ask('POST', '/Users', { body: returned })).body).toMatchObject({ id, ...numbered('RE-3') });
});

test('another user can take the employeeNumber and userName of a deleted user', async () => {
  const left = await makeUser('left3', numbered('RE-4'));
  await ask('DELETE', `/Users/${left}`);
  const back = await makeUser('left4');
  await ask('DELETE', `/Users/${back}`);
  const answer = await ask('POST', '/Users', { body: newUser('left4', numbered('RE-4')) });
  expect(answer).toMatchObject({ status: 201, body: { id: back, ...numbered('RE-4') } });
  expect((await get(`/learners/${left}`)).body.data).toMatchObject({ externalLearnerId: null, inactive: true });
  const other = await makeUser('stayed');
  const renamed = newUser('stayed', { userName: 'left3@tenant.test' });
  expect((await ask('PUT', `/Users/${other}`, { body: renamed })).body.userName).toBe('left3@tenant.test');
});

test('a value of an API learner returns 409 naming the attribute and the learner', async () => {
  const learner = { email: 'held@tenant.test', firstName: 'A', lastName: 'B', externalLearnerId: 'RE-5' };
  const { id } = (await post('/learners', learner)).body.data;
  const byNumber = await ask('POST', '/Users', { body: newUser('holder', numbered('RE-5')) });
  expectScimError(byNumber, 409, 'uniqueness');
  expect(byNumber.body.detail).toBe(`User ${id} already has this \`employeeNumber\`.`);
  const byAddress = await ask('POST', '/Users', {
    body: newUser('holder', { emails: [{ value: 'HELD@tenant.test' }] }),
  });
  expectScimError(byAddress, 409, 'uniqueness');
  expect(byAddress.body.detail).toBe(`User ${id} already has this \`emails.value\`.`);
  expect(idsOf(await find('Users', 'employeeNumber eq "RE-5"'))).toEqual([id]);
});

test('the address of a deleted user returns 409 with the call that frees it', async () => {
  const left = await makeUser('left5');
  await ask('DELETE', `/Users/${left}`);
  const other = await makeUser('stayed5');
  const body = newUser('stayed5', { emails: [{ value: 'left5@tenant.test' }] });
  const answer = await ask('PUT', `/Users/${other}`, { body });
  expectScimError(answer, 409, 'uniqueness');
  expect(answer.body.detail).toContain(`DELETE /v1/learners/${left}`);
  await del(`/learners/${left}`);
  expect((await ask('PUT', `/Users/${other}`, { body })).status).toBe(200);
});

test('a deleted user who is activated by the API is visible to directories again', async () => {
  const id = await makeDeleted('woken');
  await post('/learners/activate', { learnerIds: [id] });
  expect((await ask('GET', `/Users/${id}`)).body).toMatchObject({ active: true });
});

test('a user deleted by the API returns 404 and is not restored by a new creation', async () => {
  const id = await makeUser('deleted');
  await del(`/learners/${id}`);
  expectScimError(await ask('GET', `/Users/${id}`), 404);
  expect((await ask('POST', '/Users', { body: newUser('deleted') })).body.id).not.toBe(id);
});

test('only users deleted more than 90 days ago are purged, in batches', async () => {
  const [old, recent, active] = [await makeDeleted('old'), await makeDeleted('recent'), await makeDeleted('revived')];
  const more = [await makeDeleted('old2'), await makeDeleted('old3')];
  await testService.query(
    `update directory_learners set removed_at = now() - interval '91 days' where learner_id = any($1)`,
    [[old, active, ...more]],
  );
  await testService.query('update learners set inactive = false where id = $1', [active]);
  await purgeRemovedUsers(new TenantAccess(pool).ofJob(companies.tenant), 2);
  for (const id of [old, ...more]) expect((await get(`/learners/${id}`)).status).toBe(404);
  for (const id of [recent, active]) expect((await get(`/learners/${id}`)).status).toBe(200);
});

test('the purge is queued once for each company with users to purge', async () => {
  await makeDeleted('queued');
  const { start_day: startDay } = createTasks({ pool } as TaskServices);
  const queuedAfter = async (days: number): Promise<unknown[]> => {
    await testService.query(
      `update directory_learners set removed_at = now() - $1 * interval '1 day' where removed_at is not null`,
      [days],
    );
    for (let times = 0; times < 2; times++) await startDay!({}, {} as JobHelpers);
    return testService.query(
      `select payload ->> 'companyId' as company from graphile_worker._private_jobs j
         join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'purge_removed_users'`,
    );
  };
  expect(await queuedAfter(89.9)).toEqual([]);
  expect(await queuedAfter(90.1)).toEqual([{ company: companies.tenant }]);
});

test('a user who is activated during the purge is kept', async () => {
  const id = await makeDeleted('returns');
  await testService.query(
    `update directory_learners set removed_at = now() - interval '91 days' where learner_id = $1`,
    [id],
  );
  const client = new pg.Client(testService.database.ownerUrl).on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  await client.query('select from company_seats where company_id = $1 for update', [companies.tenant]);
  await client.query('update learners set inactive = false where id = $1', [id]);
  const purged = purgeRemovedUsers(new TenantAccess(pool).ofJob(companies.tenant));
  // Reads pg_stat_activity because the locks are on another node on Citus.
  const waiting = `select from pg_stat_activity where state = 'active' and wait_event_type is not null
                      and datname = current_database() and query like '%company_seats%' and pid <> pg_backend_pid()`;
  await until(async () => (await testService.query(waiting)).length > 0);
  await client.query('commit');
  await client.end();
  await purged;
  expect((await get(`/learners/${id}`)).body.data).toMatchObject({ inactive: false });
});
