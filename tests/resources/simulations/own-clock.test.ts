/** @jest-environment-options {"SIMULATION_SENDER_DOMAINS": "parcel-desk.test", "DNS_SERVERS": "127.53.0.8:5308"} */
import { openServicePool } from '../../support/service-pool.ts';
import { createTenantWriter } from '../../../src/db/tenant-session.ts';
import { createFindTexts } from '../../../src/resources/simulations/settings/find-texts.ts';
import { moveSimulations } from '../../../src/resources/simulations/sending/move-simulations.ts';
import { get, post } from '../../support/client.ts';
import { DnsServer } from '../../../scripts/demo/dns-server.ts';
import { adminId, companies, learnerId } from '../../support/world.ts';
import { CHALLENGE } from '../../support/world-simulations.ts';
import { setPlan } from '../tenant-state.ts';
import { forgetSimulations, makeDraft } from '../../support/own-simulations.ts';
const pool = openServicePool(2);
const server = new DnsServer();
const RECORD = '_awareness-simulation.tenant.test';
let id = '';

beforeAll(() => server.start('127.53.0.8:5308'));
beforeEach(async () => {
  server.answers.set(RECORD, [CHALLENGE]);
  await setPlan({ domainLock: true });
  await makeAdmin({}, 1);
  id = await makeDraft({ recipients: { learnerIds: [learnerId('tenant', 1), learnerId('tenant', 2)] } });
  expect((await post(`/simulations/${id}/schedule`)).status).toBe(200);
});
afterEach(forgetSimulations);
afterAll(async () => {
  server.stop();
  await pool.end();
  await setPlan({});
});

/** Runs the clock at a time in UTC, and returns the state of the simulation. */
async function at(now: string): Promise<{ status: string; blockedBecause: string | null }> {
  const clock = { findTexts: createFindTexts([server.place]), now: new Date(`${now}Z`) };
  await moveSimulations(createTenantWriter(pool, companies.tenant), clock);
  const { status, plan } = (await get(`/simulations/${id}`)).body.data;
  return { status, blockedBecause: plan.blockedBecause };
}

const set = (field: string) =>
  testService.query(`update simulation_recipients set ${field} where simulation_id = $1`, [id]);

const agree = (...admins: string[]) =>
  testService.query('update simulations set needs_approval = true, approved_by = $2 where id = $1', [id, admins]);
/** Updates an admin, by default the second; omitted fields make the admin active since long ago. */
const makeAdmin = ({ status = 'active', createdAt = '2026-01-05', invitedAt = '2026-01-05' } = {}, index: 1 | 2 = 2) =>
  testService.query('update admins set status = $2, created_at = $3, invited_at = $4 where id = $1', [
    ...[adminId('tenant', index), status, createdAt, invitedAt],
  ]);

test('a simulation starts on time and completes after its window once no message waits', async () => {
  expect(await at('2090-01-01T23:59:59')).toEqual({ status: 'scheduled', blockedBecause: null });
  expect(await at('2090-01-02T00:00:00')).toEqual({ status: 'running', blockedBecause: null });
  expect(await at('2090-01-16T00:00:00')).toEqual({ status: 'running', blockedBecause: null });
  await set(`sent_at = '2090-01-02'`);
  expect(await at('2090-01-16T00:00:01')).toEqual({ status: 'completed', blockedBecause: null });
});

test('a simulation completes a day after its window, and is cancelled if it has not started by its end', async () => {
  await at('2090-01-02T00:00:00');
  expect(await at('2090-01-17T00:00:00')).toMatchObject({ status: 'completed' });
  await forgetSimulations();
  id = await makeDraft();
  await post(`/simulations/${id}/schedule`);
  expect(await at('2090-01-16T00:00:00')).toMatchObject({ status: 'cancelled' });
});

test('failed messages do not keep a simulation running', async () => {
  await at('2090-01-02T00:00:00');
  await set(`failed_at = '2090-01-02'`);
  expect(await at('2090-01-16T00:00:00')).toMatchObject({ status: 'completed' });
});

test('a simulation does not start without its domain record, which is looked up again after a minute', async () => {
  server.answers.delete(RECORD);
  expect(await at('2090-01-02T00:00:00')).toEqual({ status: 'scheduled', blockedBecause: 'domain' });
  server.answers.set(RECORD, [CHALLENGE]);
  expect(await at('2090-01-02T00:00:59')).toEqual({ status: 'scheduled', blockedBecause: 'domain' });
  expect(await at('2090-01-02T00:01:01')).toEqual({ status: 'running', blockedBecause: null });
});

test('a simulation does not start before two admins have approved it', async () => {
  await agree(adminId('tenant', 1));
  expect(await at('2090-01-02T00:00:00')).toEqual({ status: 'scheduled', blockedBecause: 'approval' });
  await agree(adminId('tenant', 1), adminId('tenant', 2));
  await makeAdmin();
  expect(await at('2090-01-02T00:01:01')).toEqual({ status: 'running', blockedBecause: null });
});

test.each([
  ['is no longer an active admin', { status: 'invited' }],
  ['became an admin after scheduling', { createdAt: '2089-01-01' }],
  ['was invited again after scheduling', { invitedAt: '2089-01-01' }],
])('the approval of an admin who %s does not count', async (_case, admin) => {
  await agree(adminId('tenant', 1), adminId('tenant', 2));
  await makeAdmin(admin);
  for (const time of ['2090-01-02T00:00:00', '2090-01-02T00:01:01']) {
    expect(await at(time)).toEqual({ status: 'scheduled', blockedBecause: 'approval' });
  }
});

test('a cancelled simulation neither starts nor completes', async () => {
  await post(`/simulations/${id}/cancel`);
  expect(await at('2090-01-02T00:00:00')).toMatchObject({ status: 'cancelled' });
  expect(await at('2090-01-17T00:00:00')).toMatchObject({ status: 'cancelled' });
});
