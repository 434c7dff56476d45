/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin, hiddenOf } from '../support/admin.ts';
import { get } from '../support/client.ts';
import { disableButtons, enableButton, FORWARD_TO, PATH as API_PATH } from '../support/report-button.ts';

const PATH = '/console/report-button';
const read = async () => (await get(API_PATH)).body.data;

let admin: Admin;
beforeEach(async () => {
  admin = await Admin.of('tenant');
});
afterEach(() => disableButtons('tenant'));

test('an admin enables the button, and the page shows the files and the steps', async () => {
  expect((await admin.get(PATH)).html).not.toContain('manifest.xml');
  const saved = await admin.post(PATH, { enabled: 'yes', forwardTo: ` ${FORWARD_TO} ` });
  expect(saved.headers.get('location')).toBe(`${PATH}?notice=saved`);
  const { outlook, forwardTo } = await read();
  expect(forwardTo).toBe(FORWARD_TO);
  const { html } = await admin.get(`${PATH}?notice=saved`);
  for (const text of [
    new URL(outlook.xmlManifestUrl).pathname,
    'outlook.zip',
    'gmail.json',
    'Integrated apps',
    'has been saved',
  ])
    expect(html).toContain(text);
  await admin.post(PATH, { forwardTo: FORWARD_TO });
  expect(await read()).toMatchObject({ enabled: false, outlook: null });
});

test.each(['', 'nobody'])('the address "%s" is rejected next to its field, and nothing changes', async (forwardTo) => {
  const { status, html } = await admin.post(PATH, { enabled: 'yes', forwardTo });
  expect(status).toBe(400);
  expect(html).toContain('Please enter an e-mail address, or set the reporting address');
  expect(html).toContain('checked');
  expect((await read()).enabled).toBe(false);
});

test('an admin replaces the token once, however often the form is sent', async () => {
  const before = await enableButton();
  const form = { ...hiddenOf((await admin.get(`${PATH}/rotate`)).html), overlapHours: '24' };
  for (let times = 0; times < 2; times++) {
    const rotated = await admin.send(`${PATH}/rotate`, form);
    expect(rotated.headers.get('location')).toBe(`${PATH}?notice=rotated`);
  }
  const { outlook, previousTokenExpiresAt } = await read();
  expect(outlook.xmlManifestUrl).not.toContain(before);
  expect(Date.parse(previousTokenExpiresAt) - Date.now()).toBeLessThan(25 * 3_600_000);
  expect((await fetch(`${testService.url}${before}/pane`)).status).toBe(200);
});
