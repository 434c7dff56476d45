import { call, expectError, get, patch, post } from '../../support/client.ts';
import { disableButtons, FORWARD_TO, PATH, pathIn } from '../../support/report-button.ts';

const put = (body: object, company: 'tenant' | 'other' = 'tenant') => call(company, 'PUT', PATH, { body });
const statusOf = async (path: string) => (await fetch(`${testService.url}${path}/manifest.xml`)).status;

afterEach(() => disableButtons('tenant', 'other'));

test('the button is disabled until a company enables it, and gets its token then', async () => {
  const none = {
    enabled: false,
    forwardTo: null,
    tokenCreatedAt: null,
    previousTokenExpiresAt: null,
    outlook: null,
    gmail: null,
  };
  expect((await get(PATH)).body.data).toEqual(none);
  const { body } = await put({ enabled: true, forwardTo: FORWARD_TO });
  expect(body.data).toMatchObject({ enabled: true, forwardTo: FORWARD_TO, previousTokenExpiresAt: null });
  expect(body.data.outlook.appPackageUrl).toMatch(/\/report-button\/[\w-]{64}\/outlook\.zip$/);
  expect((await get(PATH)).body.data).toEqual(body.data);
  expect((await get(PATH, 'other')).body.data).toEqual(none);
});

test('disabling the button keeps its token and serves nothing', async () => {
  const enabled = (await put({ enabled: true, forwardTo: FORWARD_TO })).body.data;
  const button = pathIn(enabled.outlook.xmlManifestUrl);
  expect(await statusOf(button)).toBe(200);
  expect((await put({ enabled: false })).body.data).toMatchObject({ enabled: false, forwardTo: null, outlook: null });
  expect(await statusOf(button)).toBe(404);
  expect((await put({ enabled: true, forwardTo: FORWARD_TO })).body.data).toEqual(enabled);
});

test('enabling the button without an address returns 400 unless the company has a reporting address', async () => {
  const refused = await put({ enabled: true });
  expectError(refused, 400, 'invalid_request');
  expect(refused.body.error!.details).toMatchObject([{ field: 'body/forwardTo' }]);
  expect((await get(PATH)).body.data.enabled).toBe(false);
  await patch('/company/settings', { reporting: { address: 'soc@tenant.test' } });
  expect((await put({ enabled: true })).body.data).toMatchObject({ enabled: true, forwardTo: null });
});

test.each([null, { phone: '112' }])(
  'removing the reporting address with %j returns 400 while the button needs it',
  async (reporting) => {
    await patch('/company/settings', { reporting: { address: 'soc@tenant.test' } });
    await put({ enabled: true });
    const refused = await patch('/company/settings', { reporting, timeZone: 'Europe/Paris' });
    expectError(refused, 400, 'invalid_request');
    expect(refused.body.error!.details).toMatchObject([{ field: 'body/reporting/address' }]);
    const { data } = (await get('/company/settings')).body;
    expect(data).toMatchObject({ reporting: { address: 'soc@tenant.test' }, timeZone: null });
    expect((await patch('/company/settings', { timeZone: 'Europe/Paris' })).status).toBe(200);
  },
);

test.each([{ enabled: true, forwardTo: FORWARD_TO }, { enabled: false }])(
  'the reporting address can be removed once the button is %j',
  async (setting) => {
    await patch('/company/settings', { reporting: { address: 'soc@tenant.test' } });
    await put({ enabled: true });
    await put(setting);
    expect((await patch('/company/settings', { reporting: null })).body.data.reporting).toBeNull();
  },
);

test('rotating the token changes the URLs, and the previous token serves no manifest', async () => {
  const before = pathIn((await put({ enabled: true, forwardTo: FORWARD_TO })).body.data.outlook.xmlManifestUrl);
  const { data } = (await post(`${PATH}/rotate`, {})).body;
  const now = pathIn(data.outlook.xmlManifestUrl);
  expect(now).not.toBe(before);
  expect(Date.parse(data.previousTokenExpiresAt) - Date.now()).toBeGreaterThan(167 * 3_600_000);
  expect(await statusOf(now)).toBe(200);
  expect(await statusOf(before)).toBe(404);
  expect((await fetch(`${testService.url}${before}/pane`)).status).toBe(200);
  const atOnce = (await post(`${PATH}/rotate`, { overlapHours: 0 })).body.data;
  expect(atOnce.previousTokenExpiresAt).toBeNull();
  for (const path of [before, now]) expect((await fetch(`${testService.url}${path}/pane`)).status).toBe(404);
});

test('changes to the button are in the audit log', async () => {
  await put({ enabled: true, forwardTo: FORWARD_TO });
  await post(`${PATH}/rotate`, {});
  const entries = await testService.query(
    `select operation, outcome from audit_log where operation like '%ReportButton' order by operation`,
  );
  expect(entries).toEqual(
    expect.arrayContaining([
      { operation: 'replaceReportButton', outcome: 'done' },
      { operation: 'rotateReportButton', outcome: 'done' },
    ]),
  );
});
