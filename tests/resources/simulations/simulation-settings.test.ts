/** @jest-environment-options {"SIMULATION_SENDERS": "parcel-desk.test,portal-login.test"} */
import { type Answer, get, patch, post } from '../../support/client.ts';
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
  test('says by what messages are known, and makes no secret', async () => {
    expect(await data(get(PATH))).toEqual({
      ...{ headerName: 'X-Awareness-Simulation', headerSecret: null },
      ...{ senderDomains: ['parcel-desk.test', 'portal-login.test'], stopped: false, stoppedAt: null },
    });
    expect(await rows()).toEqual([]);
  });

  test('has the secret of the own company', async () => {
    const { headerSecret } = await data(post(`${PATH}/rotate-secret`));
    expect((await data(get(PATH))).headerSecret).toBe(headerSecret);
    expect((await data(get(PATH, 'other'))).headerSecret).toBeNull();
  });
});

describe('PATCH /simulation-settings', () => {
  test('stops the company alone, once, and lets it go on with the secret that it had', async () => {
    const first = await data(stop(true));
    expect(first).toMatchObject({ stopped: true, stoppedAt: expect.any(String) });
    expect(await data(stop(true))).toEqual(first);
    expect((await rows()).map(({ company_id }) => company_id)).toEqual([companies.tenant]);
    const { headerSecret } = first;
    expect(await data(stop(false))).toMatchObject({ stopped: false, stoppedAt: null, headerSecret });
  });
});

describe('POST /simulation-settings/rotate-secret', () => {
  test('makes a secret that nobody can guess, and leaves a stop as it is', async () => {
    const { headerSecret, stoppedAt } = await data(stop(true));
    const rotated = await data(post(`${PATH}/rotate-secret`));
    expect(rotated).toMatchObject({ headerSecret: expect.stringMatching(/^[0-9a-f]{32}$/), stopped: true, stoppedAt });
    expect(rotated.headerSecret).not.toBe(headerSecret);
    expect(await rows()).toMatchObject([{ header_secret: rotated.headerSecret }]);
  });
});

test('the audit log has who stopped, and no secret', async () => {
  await stop(true);
  const { headerSecret } = await data(post(`${PATH}/rotate-secret`));
  const entries = await query('select * from audit_log where company_id = $1', [companies.tenant]);
  const operations = entries.map(({ operation }) => operation);
  expect(operations).toEqual(expect.arrayContaining(['updateSimulationSettings', 'rotateSimulationHeaderSecret']));
  expect(JSON.stringify(entries)).not.toContain(headerSecret);
});
