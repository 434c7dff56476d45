/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin } from '../support/admin.ts';
import { get, patch } from '../support/client.ts';
import { textOf } from './setup-page.ts';

const PATH = '/console/settings';
const FORM = { address: '', phone: '', instructions: '', timeZone: '', minGroupSize: '' };
const read = async () => (await get('/company/settings')).body.data;

let admin: Admin;
beforeEach(async () => {
  admin = await Admin.of('tenant');
});
afterEach(() =>
  patch('/company/settings', { reporting: null, timeZone: null, minGroupSize: null, gapAnalysisFollowUp: 'propose' }),
);

test('saves the settings, shows them again, and clears emptied fields', async () => {
  const entered = { address: 'report@tenant.test', phone: '+44 20 7946 0158', instructions: 'Press “Report”.' };
  const saved = await admin.post(PATH, {
    ...entered,
    timeZone: 'Europe/Berlin',
    minGroupSize: '8',
    gapAnalysisFollowUp: 'enrol',
  });
  expect(saved.headers.get('location')).toBe(`${PATH}?notice=saved`);
  expect(await read()).toMatchObject({
    reporting: entered,
    timeZone: 'Europe/Berlin',
    minGroupSize: 8,
    gapAnalysisFollowUp: 'enrol',
  });
  const { html } = await admin.get(`${PATH}?notice=saved`);
  expect(html).toMatch(/value="Europe\/Berlin" selected/);
  for (const text of ['value="report@tenant.test"', 'value="8"', 'Press “Report”.']) expect(html).toContain(text);
  await admin.post(PATH, FORM);
  expect(await read()).toMatchObject({ reporting: null, timeZone: null, minGroupSize: null });
});

test.each([
  ['address', 'nowhere'],
  ['phone', 'x'.repeat(51)],
  ['instructions', 'x'.repeat(1001)],
  ['timeZone', 'CET'],
  ['minGroupSize', '1'],
  ['minGroupSize', 'many'],
])('an invalid %s is reported at the field, and nothing is saved', async (field, value) => {
  const before = await read();
  const page = await admin.post(PATH, { ...FORM, phone: '110', [field]: value });
  expect([page.status, page.html.includes(`id="${field}-fault"`)]).toEqual([400, true]);
  if (field !== 'phone') expect(page.html).toContain('value="110"');
  expect(await read()).toEqual(before);
});

test('an analyst reads the settings and cannot change them', async () => {
  await testService.query(`update admins set role = 'analyst' where email = 'admin1@tenant.test'`);
  try {
    const page = await admin.get(PATH);
    expect(page.html).not.toContain(`action="${PATH}"`);
    expect(textOf(page)).toContain('Smallest group for which a mean is shown');
    expect((await admin.post('/console/passkeys', FORM, PATH)).status).toBe(403);
  } finally {
    await testService.query(`update admins set role = 'owner' where email = 'admin1@tenant.test'`);
  }
});
