/** @jest-environment-options {"SIMULATION_SENDER_DOMAINS": "parcel-desk.test,portal-login.test"} */
import { type Answer, expectError, get, patch, post } from '../../support/client.ts';
import { companies } from '../../support/world.ts';

const PATH = '/simulation-settings';
const { query } = testService;
const rows = () => query('select company_id, header_secret, stopped_at from simulation_settings');
const stop = (stopped: boolean) => patch(PATH, { stopped });
const data = async (answer: Promise<Answer>) => {
  const { status, body } = await answer;
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return body.data;
};

afterEach(() => query('delete from simulation_settings'));

describe('GET /simulation-settings', () => {
  test('returns the header and sender domains, and creates no secret', async () => {
    expect(await data(get(PATH))).toEqual({
      ...{ headerName: 'X-Awareness-Simulation', headerSecret: null },
      ...{
        senderDomains: ['parcel-desk.test', 'portal-login.test'],
        stopped: false,
        stoppedAt: null,
        scannerNetworks: [],
      },
    });
    expect(await rows()).toEqual([]);
  });

  test('returns the secret of the company', async () => {
    const { headerSecret } = await data(post(`${PATH}/rotate-secret`));
    expect((await data(get(PATH))).headerSecret).toBe(headerSecret);
    expect((await data(get(PATH, 'other'))).headerSecret).toBeNull();
  });
});

describe('PATCH /simulation-settings', () => {
  test('stops only this company, once, and resumes it with the same secret', async () => {
    const first = await data(stop(true));
    expect(first).toMatchObject({ stopped: true, stoppedAt: expect.any(String) });
    expect(await data(stop(true))).toEqual(first);
    expect((await rows()).map(({ company_id }) => company_id)).toEqual([companies.tenant]);
    const { headerSecret } = first;
    expect(await data(stop(false))).toMatchObject({ stopped: false, stoppedAt: null, headerSecret });
  });
});

describe('POST /simulation-settings/rotate-secret', () => {
  test('creates an unguessable secret and leaves a stop in place', async () => {
    const { headerSecret, stoppedAt } = await data(stop(true));
    const rotated = await data(post(`${PATH}/rotate-secret`));
    expect(rotated).toMatchObject({ headerSecret: expect.stringMatching(/^[0-9a-f]{32}$/), stopped: true, stoppedAt });
    expect(rotated.headerSecret).not.toBe(headerSecret);
    expect(await rows()).toMatchObject([{ header_secret: rotated.headerSecret }]);
  });
});

test('the audit log records the stop and the rotation without the secret', async () => {
  await stop(true);
  const { headerSecret } = await data(post(`${PATH}/rotate-secret`));
  const entries = await query('select * from audit_log where company_id = $1', [companies.tenant]);
  const operations = entries.map(({ operation }) => operation);
  expect(operations).toEqual(expect.arrayContaining(['updateSimulationSettings', 'rotateSimulationHeaderSecret']));
  expect(JSON.stringify(entries)).not.toContain(headerSecret);
});

describe('scanner networks', () => {
  const name = (...scannerNetworks: unknown[]) => patch(PATH, { scannerNetworks });

  test('are stored once each in canonical form until they are replaced', async () => {
    const given = ['198.51.100.7/24', '198.51.100.0/24', '203.0.113.9', '2001:DB8:40:0::1/48', '::ffff:0:0/96'];
    const networks = ['198.51.100.0/24', '203.0.113.9/32', '2001:db8:40::/48', '::ffff:0.0.0.0/96'];
    expect((await data(name(...given))).scannerNetworks).toEqual(networks);
    expect(await data(stop(true))).toMatchObject({ stopped: true, scannerNetworks: networks });
    expect(await data(name())).toMatchObject({ stopped: true, scannerNetworks: [] });
  });

  test.each([
    ['a name', 'scanner.example'],
    ['an octet that is too large', '198.51.100.256/24'],
    ['a prefix that is too long', '198.51.100.0/33'],
    ['leading zeros', '198.051.100.0/24'],
    ['a zone', 'fe80::1%eth0'],
    ['all of IPv4', '0.0.0.0/0'],
    ['all of IPv6', '::/0'],
    ['nothing', ''],
    ['a number', 7],
  ])('reject %s with 400 naming the entry', async (_case, network) => {
    const answer = await name('203.0.113.0/24', network);
    expectError(answer, 400, 'invalid_request', ['body/scannerNetworks/1']);
    expect(await rows()).toEqual([]);
  });

  test('reject more than 100 entries', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `10.0.${index}.0/24`);
    expectError(await name(...many), 400, 'invalid_request', ['body/scannerNetworks']);
  });

  test('an empty change returns 400', async () => {
    expectError(await patch(PATH, {}), 400, 'invalid_request');
  });
});
