/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "SIMULATION_SENDER_DOMAINS": "parcel-desk.test", "DNS_SERVERS": "127.53.0.19:5319"} */
import { openServicePool } from '../support/service-pool.ts';
import { createTenantWriter } from '../../src/db/tenant-session.ts';
import { createFindTexts } from '../../src/resources/simulations/settings/find-texts.ts';
import { moveSimulations } from '../../src/resources/simulations/sending/move-simulations.ts';
import { callWith } from '../resources/api-keys/key-calls.ts';
import { forgetSimulations, makeDraft, makeTemplate, SENDER } from '../support/own-simulations.ts';
import { setPlan } from '../resources/tenant-state.ts';
import { Admin } from '../support/admin.ts';
import { DnsServer } from '../../scripts/demo/dns-server.ts';
import { expectError, fingerprintOf, get, patch, post } from '../support/client.ts';
import { adminId, companies, learnerId, unknownId } from '../support/world.ts';
import { CHALLENGE, simulationId } from '../support/world-simulations.ts';
import { textOf } from './setup-page.ts';

const PATH = '/console/simulations';
const server = new DnsServer();
const pool = openServicePool(2);
let [mary, dorothy] = [new Admin(''), new Admin('')];

beforeAll(async () => {
  await server.start('127.53.0.19:5319');
  server.answers.set('_awareness-simulation.tenant.test', [CHALLENGE]);
  await setPlan({ domainLock: true });
  await testService.query(`update admins set created_at = '2026-01-05'`);
  await testService.query(`update admins set status = 'active' where id = $1`, [adminId('tenant', 2)]);
  await testService.query(
    `insert into learners (company_id, id, email, email_key, first_name, last_name)
     select $1, gen_random_uuid(), 'many' || n || '@tenant.test', 'many' || n || '@tenant.test', 'Many', 'People'
       from generate_series(1, 497) as n`,
    [companies.tenant],
  );
  [mary, dorothy] = [await Admin.of('tenant', 1), await Admin.of('tenant', 2)];
});
afterEach(forgetSimulations);
afterAll(async () => {
  server.stop();
  await pool.end();
});

/** Uses an API key to schedule a simulation with 501 recipients. */
async function scheduleMany(fields: object = {}): Promise<string> {
  const id = await makeDraft(fields);
  expect((await post(`/simulations/${id}/schedule`)).body.data.plan).toMatchObject({ needsApproval: true });
  return id;
}

const approve = (admin: Admin, id: string) => admin.post(PATH, {}, `${PATH}/${id}/approve`);
const stateOf = async (id: string) => {
  const { status, plan } = (await get(`/simulations/${id}`)).body.data;
  return { status, by: plan.approvedBy, because: plan.blockedBecause };
};
const whenItBegins = async () => {
  const clock = { findTexts: createFindTexts([server.place]), now: new Date('2090-01-02T00:00:00Z') };
  await moveSimulations(createTenantWriter(pool, companies.tenant), clock);
};

test('a simulation of 501 recipients begins only after two admins have approved it', async () => {
  const id = await scheduleMany();
  const page = textOf(await mary.get(PATH));
  for (const shown of [
    'Parcel notice, winter',
    '501',
    'Parcel on hold',
    SENDER,
    'the API key “tests”',
    '2 Jan 2090',
    'waiting for approval',
    'nobody',
  ]) {
    expect(page).toContain(shown);
  }
  const answer = await approve(mary, id);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, PATH]);
  expect(textOf(await mary.get(PATH))).toContain('Mary tenant');
  await whenItBegins();
  expect(await stateOf(id)).toEqual({ status: 'scheduled', by: [adminId('tenant', 1)], because: 'approval' });
  expect((await approve(dorothy, id)).status).toBe(303);
  const both = [adminId('tenant', 1), adminId('tenant', 2)];
  expect(await stateOf(id)).toEqual({ status: 'scheduled', by: both, because: null });
  await whenItBegins();
  expect(await stateOf(id)).toEqual({ status: 'running', by: both, because: null });
  const { entries } = (await get('/audit-log?operation=approveSimulation')).body.data;
  expect(entries.map(({ actorType, actorId }: Record<string, string>) => [actorType, actorId])).toEqual(
    both.toReversed().map((actor) => ['admin', actor]),
  );
});

test('the approval page names the scheduling admin, or unknown if the admin no longer exists', async () => {
  const id = await scheduleMany();
  const scheduler = async (by: string) => {
    await testService.query('update simulations set scheduled_by = $2 where id = $1', [id, by]);
    return /Scheduled by *([^,]*),/.exec(textOf(await mary.get(PATH)))![1];
  };
  expect(await scheduler(adminId('tenant', 2))).toBe('Dorothy tenant');
  expect(await scheduler(unknownId)).toBe('unknown');
});

test('the same admin counts once, even with several sessions', async () => {
  const id = await scheduleMany();
  const again = await Admin.of('tenant', 1);
  const answers = await Promise.all([approve(mary, id), approve(again, id)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect((await again.get(PATH)).html).not.toContain(`${id}/approve`);
  expect(await stateOf(id)).toMatchObject({ by: [adminId('tenant', 1)], because: 'approval' });
});

test('concurrent approvals of two admins both count', async () => {
  const id = await scheduleMany();
  await Promise.all([approve(mary, id), approve(dorothy, id)]);
  expect(await stateOf(id)).toMatchObject({ because: null });
});

test('an API key created by an admin cannot approve', async () => {
  const id = await scheduleMany();
  const { html } = await mary.post('/console/keys', { name: 'All', may: 'all' });
  const key = /sk_[0-9a-z]{12}_[0-9a-f]{72}/.exec(html)![0];
  expectError(await callWith(key, 'POST', `/simulations/${id}/approve`), 403, 'admin_required');
  expect(await stateOf(id)).toMatchObject({ by: [] });
});

test.each(['created_at', 'invited_at'])(
  'an admin whose %s is after the scheduling gets 403 and the reason',
  async (at) => {
    const id = await scheduleMany();
    const set = (time: string) =>
      testService.query(`update admins set ${at} = ${time} where id = $1`, [adminId('tenant', 2)]);
    await set(`now() + interval '1 minute'`);
    const { status, html } = await approve(dorothy, id);
    await set(`'2026-01-05'`);
    expect(status).toBe(403);
    expect(html).toContain('role="alert">Sie sind erst Administrator geworden');
    expect(await stateOf(id)).toMatchObject({ by: [] });
  },
);

test('the approval of an admin whose address changed after the scheduling does not count', async () => {
  const id = await scheduleMany();
  const give = (email: string) => patch(`/admins/${adminId('tenant', 2)}`, { email });
  expect((await give('ADMIN2@tenant.test')).status).toBe(200);
  expect((await approve(dorothy, id)).status).toBe(303);
  await approve(mary, id);
  expect((await give('mary+2@tenant.test')).status).toBe(200);
  await whenItBegins();
  expect(await stateOf(id)).toMatchObject({ status: 'scheduled', because: 'approval' });
  await give('admin2@tenant.test');
  dorothy = await Admin.of('tenant', 2);
  expect((await approve(dorothy, await scheduleMany())).status).toBe(403);
  await testService.query('update admins set email_changed_at = null where id = $1', [adminId('tenant', 2)]);
  expect((await approve(dorothy, await scheduleMany())).status).toBe(303);
});

test.each([
  ['ADMIN1@tenant.test', 'admin1+two@tenant.test'],
  ['admin1+two@tenant.test', 'admin1+three@tenant.test'],
  ['mary.jackson@gmail.com', 'MaryJackson+2@googlemail.com'],
])('admins with the addresses %s and %s count as one', async (first, second) => {
  const [one, two] = [adminId('tenant', 1), adminId('tenant', 2)];
  const set = (id: string, email: string) =>
    testService.query('update admins set email = $2 where id = $1', [id, email]);
  const signedIn = async () => [await Admin.of('tenant', 1), await Admin.of('tenant', 2)] as const;
  const id = await scheduleMany();
  await set(one, first);
  await set(two, second);
  try {
    const [mine, other] = await signedIn();
    expect((await approve(mine, id)).status).toBe(303);
    expect((await approve(other, id)).status).toBe(403);
    expect(await stateOf(id)).toMatchObject({ by: [one] });
    // Records both approvals, as if an address had changed after the second.
    await testService.query('update simulations set approved_by = $2 where id = $1', [id, [one, two]]);
    await whenItBegins();
    expect(await stateOf(id)).toMatchObject({ status: 'scheduled', because: 'approval' });
  } finally {
    await set(one, 'admin1@tenant.test');
    await set(two, 'admin2@tenant.test');
    [mary, dorothy] = await signedIn();
  }
});

test('a simulation that waits for no approval cannot be approved, and a scheduled one can be cancelled', async () => {
  const id = await makeDraft({ recipients: { learnerIds: [learnerId('tenant', 1)] } });
  for (const step of ['', 'schedule', 'cancel']) {
    if (step) await post(`/simulations/${id}/${step}`);
    expect((await approve(mary, id)).status).toBe(400);
  }
  const other = await scheduleMany();
  const path = `${PATH}/${other}/cancel`;
  expect(textOf(await mary.get(path))).toContain('Parcel notice, winter');
  expect(await stateOf(other)).toMatchObject({ status: 'scheduled' });
  expect((await mary.post(path)).status).toBe(303);
  expect(await stateOf(other)).toMatchObject({ status: 'cancelled' });
  expect((await mary.get(path)).status).toBe(404);
});

test('HTML in names is escaped', async () => {
  const template = await makeTemplate();
  await testService.query(`update simulation_templates set name = '<b id=y>' where id = $1`, [template]);
  const id = await makeDraft({ name: '"><b id=x>' }, template);
  await post(`/simulations/${id}/schedule`);
  for (const page of [await mary.get(PATH), await mary.get(`${PATH}/${id}/cancel`)]) {
    expect(page.html).not.toMatch(/<b id=/);
    expect(textOf(page)).toContain('<b id=x>');
  }
});

test('foreign simulations, those of other platforms, and forms without a token are rejected', async () => {
  const id = await scheduleMany();
  const before = await fingerprintOf('tenant');
  const stranger = await Admin.of('other');
  expect(textOf(await stranger.get(PATH))).not.toContain('Parcel notice');
  for (const action of ['approve', 'cancel']) {
    expect((await stranger.post(PATH, {}, `${PATH}/${id}/${action}`)).status).toBe(404);
    expect((await mary.post(PATH, {}, `${PATH}/${simulationId('tenant', 2)}/${action}`)).status).toBe(403);
    expect((await mary.post(PATH, {}, `${PATH}/nonsense/${action}`)).status).toBe(404);
    expect((await mary.send(`${PATH}/${id}/${action}`, {})).status).toBe(403);
  }
  expect(await fingerprintOf('tenant')).toBe(before);
});

test('a company without the module has no simulations page', async () => {
  await testService.query('update companies set smphish = false where id = $1', [companies.prospect]);
  const prospect = await Admin.of('prospect');
  expect((await prospect.get('/console')).html).not.toContain(PATH);
  expect((await mary.get('/console')).html).toContain(PATH);
  expect((await prospect.get(PATH)).status).toBe(404);
});

test('an approval no longer counts once the role of its admin has changed', async () => {
  const id = await scheduleMany();
  expect((await approve(dorothy, id)).status).toBe(303);
  expect((await patch(`/admins/${adminId('tenant', 2)}`, { role: 'analyst' })).status).toBe(200);
  expect((await approve(dorothy, id)).status).toBe(403);
  expect((await approve(mary, id)).status).toBe(303);
  expect(await stateOf(id)).toMatchObject({ because: 'approval' });
  await testService.query(`update admins set role = 'owner', role_changed_at = null where id = $1`, [
    adminId('tenant', 2),
  ]);
  await testService.query('delete from messages');
});
