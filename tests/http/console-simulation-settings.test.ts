/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "SIMULATION_SENDER_DOMAINS": "parcel-desk.test"} */
import { Admin, hiddenOf } from '../support/admin.ts';
import { get } from '../support/client.ts';
import { groupId, learnerId } from '../support/world.ts';
import { textOf } from './setup-page.ts';

const PATH = '/console/simulations/settings';
const EXCLUSIONS = `${PATH}/exclusions`;
const readSettings = async () => (await get('/simulation-settings')).body.data;
const listExclusions = async () => (await get('/simulation-exclusions')).body.data;

let admin: Admin;
beforeEach(async () => {
  await testService.query('delete from simulation_exclusions; delete from simulation_domains');
  await testService.query('delete from simulation_settings');
  await testService.query(
    `update companies set domain_lock = true, domain = 'tenant.test' where name like 'The tenant%'`,
  );
  admin = await Admin.of('tenant');
});

test('stops all simulations and resumes them', async () => {
  const stopped = await admin.post(PATH, {}, `${PATH}/stop`);
  expect(stopped.headers.get('location')).toBe(`${PATH}?notice=stopped`);
  expect(await readSettings()).toMatchObject({ stopped: true });
  expect(textOf(await admin.get(PATH))).toContain('All simulations have been stopped since');
  await admin.post(PATH, {}, `${PATH}/resume`);
  expect(await readSettings()).toMatchObject({ stopped: false });
});

test('saves the networks of scanners, and reports an invalid network at the field', async () => {
  await admin.post(PATH, { scannerNetworks: '198.51.100.0/24\r\n2001:db8::/32' });
  expect((await readSettings()).scannerNetworks).toEqual(['198.51.100.0/24', '2001:db8::/32']);
  const page = await admin.post(PATH, { scannerNetworks: 'everywhere' });
  expect([page.status, page.html.includes('id="scannerNetworks-fault"')]).toEqual([400, true]);
  expect(page.html).toContain('>everywhere</textarea>');
});

test('adds a domain with its record, looks the record up, and removes the domain after a confirmation', async () => {
  const added = await admin.post(PATH, { domain: 'tenant.test' }, `${PATH}/domains`);
  expect(added.headers.get('location')).toBe(`${PATH}?notice=domainAdded`);
  const [{ id, recordValue }] = (await get('/simulation-domains')).body.data;
  const page = await admin.get(PATH);
  for (const text of ['_awareness-simulation.tenant.test', recordValue, 'Not proved']) {
    expect(textOf(page)).toContain(text);
  }
  const looked = await admin.post(PATH, {}, `${PATH}/domains/${id}/verify`);
  expect(looked.headers.get('location')).toMatch(/notice=(unanswered|missing)$/);
  expect(textOf(await admin.get(`${PATH}/domains/${id}/remove`))).toContain('tenant.test');
  await admin.post(`${PATH}/domains/${id}/remove`);
  expect((await get('/simulation-domains')).body.data).toEqual([]);
  expect((await admin.get(`${PATH}/domains/${id}/remove`)).status).toBe(404);
});

test.each([
  ['gmail.com', 'free e-mail provider'],
  ['elsewhere.test', 'not locked to this domain'],
  [' ', 'such as example.com'],
])('the domain “%s” is rejected at its field', async (domain, reason) => {
  const page = await admin.post(PATH, { domain }, `${PATH}/domains`);
  expect([page.status, textOf(page)]).toEqual([400, expect.stringContaining(reason)]);
});

test('gives the header a new secret once, even if the form is sent twice', async () => {
  await admin.post(PATH, {}, `${PATH}/resume`);
  const before = (await readSettings()).headerSecret;
  expect(textOf(await admin.get(PATH))).toContain(before);
  const hidden = hiddenOf((await admin.get(`${PATH}/rotate`)).html);
  await admin.send(`${PATH}/rotate`, hidden);
  const after = (await readSettings()).headerSecret;
  expect(after).not.toBe(before);
  await admin.send(`${PATH}/rotate`, hidden);
  expect((await readSettings()).headerSecret).toBe(after);
});

test('excludes a person, a group and days, and removes an exclusion', async () => {
  const { email, name } = (await get(`/learners/${learnerId('tenant', 1)}`)).body.data;
  await admin.post(EXCLUSIONS, { email, note: 'On <b>leave</b>' });
  const ofGroup = await admin.post(EXCLUSIONS, { groupId: groupId('tenant', 1) });
  expect(ofGroup.headers.get('location')).toBe(`${EXCLUSIONS}?notice=added`);
  await admin.post(EXCLUSIONS, { from: '2099-12-24', to: '2099-12-31' });
  const page = await admin.get(EXCLUSIONS);
  for (const text of [name, 'On <b>leave</b>', 'Group 1', '24 December 2099']) expect(textOf(page)).toContain(text);
  const [{ id }] = await listExclusions();
  await admin.post(EXCLUSIONS, {}, `${EXCLUSIONS}/${id}/remove`);
  expect(await listExclusions()).toHaveLength(2);
});

test.each<[Record<string, string>, string]>([
  [{}, 'Please fill in either'],
  [{ from: '2099-12-24' }, 'id="to-fault"'],
  [{ from: '2099-12-31', to: '2099-12-24' }, '-fault"'],
  [{ email: 'nobody@tenant.test' }, 'Nobody has this e-mail address.'],
  [{ email: 'nobody@tenant.test', from: '2099-12-24', to: '2099-12-24' }, 'Please fill in either'],
])('the exclusion %j is rejected, keeps its fields and changes nothing', async (fields, reason) => {
  const page = await admin.post(EXCLUSIONS, { ...fields, note: 'Kept words' });
  expect([page.status, page.html]).toEqual([400, expect.stringContaining(reason)]);
  expect(page.html).toContain('Kept words');
  expect(await listExclusions()).toEqual([]);
});
