import { expectError, get, patch } from '../../support/client.ts';
import { companies } from '../../support/world.ts';

const PATH = '/company/settings';

afterEach(() => testService.query('delete from company_settings'));

test('a company has no minimum group size until it sets one, and can remove it again', async () => {
  expect((await get(PATH)).body.data).toEqual({
    minGroupSize: null,
    timeZone: null,
    adminPasskeys: 'optional',
    gapAnalysisFollowUp: 'propose',
    reporting: null,
  });
  for (const minGroupSize of [10, 10, 2, 100, null]) {
    const { status, body } = await patch(PATH, { minGroupSize });
    expect({ status, data: body.data }).toEqual({
      status: 200,
      data: {
        minGroupSize,
        timeZone: null,
        adminPasskeys: 'optional',
        gapAnalysisFollowUp: 'propose',
        reporting: null,
      },
    });
    expect((await get(PATH)).body.data).toEqual({
      minGroupSize,
      timeZone: null,
      adminPasskeys: 'optional',
      gapAnalysisFollowUp: 'propose',
      reporting: null,
    });
    expect((await get(PATH, 'other')).body.data).toEqual({
      minGroupSize: null,
      timeZone: null,
      adminPasskeys: 'optional',
      gapAnalysisFollowUp: 'propose',
      reporting: null,
    });
  }
});

test.each([[1], [101], [5.5], ['5'], [0], [-5]])('a minimum group size of %j returns 400', async (minGroupSize) => {
  expectError(await patch(PATH, { minGroupSize }), 400, 'invalid_request', ['body/minGroupSize']);
});

test('an empty change returns 400, and so does companyId', async () => {
  expectError(await patch(PATH, {}), 400, 'invalid_request', ['body']);
  expectError(await get(`${PATH}?companyId=${companies.childA}`, 'msp'), 400, 'invalid_request', ['query/companyId']);
});

test('a change of one setting keeps the other', async () => {
  expect((await patch(PATH, { timeZone: 'europe/berlin' })).body.data).toEqual({
    minGroupSize: null,
    timeZone: 'Europe/Berlin',
    adminPasskeys: 'optional',
    gapAnalysisFollowUp: 'propose',
    reporting: null,
  });
  expect((await patch(PATH, { minGroupSize: 7 })).body.data).toEqual({
    minGroupSize: 7,
    timeZone: 'Europe/Berlin',
    adminPasskeys: 'optional',
    gapAnalysisFollowUp: 'propose',
    reporting: null,
  });
  expect((await patch(PATH, { timeZone: null })).body.data).toEqual({
    minGroupSize: 7,
    timeZone: null,
    adminPasskeys: 'optional',
    gapAnalysisFollowUp: 'propose',
    reporting: null,
  });
});

test.each(['+01:00', 'Mars/Base', '', 'BST', 'CET', 'eet', 7])('the time zone %j returns 400', async (timeZone) => {
  expectError(await patch(PATH, { timeZone }), 400, 'invalid_request', ['body/timeZone']);
});

test('the reporting channels are replaced as a whole, kept by other changes, and removed by null', async () => {
  const phone = '+44 20 7946 0158';
  const first = await patch(PATH, { reporting: { address: ' report@tenant.test ', phone } });
  expect(first.body.data.reporting).toEqual({ address: 'report@tenant.test', phone, instructions: null });
  await patch(PATH, { minGroupSize: 5 });
  expect((await get(PATH)).body.data.reporting).toMatchObject({ phone });
  expect((await get(PATH, 'other')).body.data.reporting).toBeNull();
  const instructions = 'Press “Report message”.';
  const second = await patch(PATH, { reporting: { instructions } });
  expect(second.body.data.reporting).toEqual({ address: null, phone: null, instructions });
  expect((await patch(PATH, { reporting: null })).body.data.reporting).toBeNull();
});

test.each([
  [{ address: 'nowhere' }, ['body/reporting/address', 'body/reporting']],
  [{ phone: ' ' }, ['body/reporting/phone', 'body/reporting']],
  [{ instructions: 'x'.repeat(1001) }, ['body/reporting/instructions', 'body/reporting']],
  [{ button: 'x' }, ['body/reporting/button', 'body/reporting']],
  [{}, ['body/reporting']],
])('the reporting channels %j return 400', async (reporting, fields) => {
  expectError(await patch(PATH, { reporting }), 400, 'invalid_request', fields);
});
