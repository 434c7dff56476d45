import { call, expectError, get } from '../../support/client.ts';
import { companies, type CompanyName, learnerId } from '../../support/world.ts';
import { feedHasSaid, restoreBreaches, setAddress, watch } from '../breaches/breach-state.ts';

const pathOf = (company: CompanyName, number: 1 | 2 | 3 | 4 | 5): string =>
  `/learners/${learnerId(company, number)}/breaches`;
const path = pathOf('tenant', 1);
const anyId = expect.stringMatching(/^[0-9a-f-]{36}$/);
const wander = {
  id: anyId,
  name: 'Wander Travel Club',
  category: 'Travel',
  breachDate: '2024-11-17',
  dataClassNames: ['Email addresses', 'Passwords'],
};
const pixel = {
  id: anyId,
  name: 'Pixel Forge',
  category: 'Stealer log',
  breachDate: '2022-05-03',
  dataClassNames: ['Email addresses'],
};

beforeEach(restoreBreaches);
afterEach(() => setAddress(learnerId('tenant', 1), 'learner1@tenant.test'));

describe('GET /learners/{learnerId}/breaches', () => {
  test('lists the breaches of the learner, newest first, with exactly the documented fields', async () => {
    const { status, body } = await get(path);
    expect(status).toBe(200);
    expect(body.data).toEqual([wander, pixel]);
  });

  test('returns only the name of a breach that the feed does not describe', async () => {
    const { body } = await get(pathOf('tenant', 2));
    const unknown = { category: 'Website', breachDate: null, dataClassNames: [] };
    expect(body.data).toEqual([{ id: anyId, name: 'Ghost', ...unknown }]);
  });

  test('lists the breaches of an inactive learner', async () => {
    expect((await get(pathOf('tenant', 5))).body.data).toEqual([pixel]);
  });

  test.each([3, 4] as const)('returns an empty list for learner %i, who is in no breach', async (number) => {
    expect((await get(pathOf('tenant', number))).body.data).toEqual([]);
  });

  test('gives breaches the same ids as the other lists', async () => {
    const [ids, services, accounts] = await Promise.all([
      get(path).then(({ body }) => body.data.map(({ id }: { id: string }) => id)),
      get('/breaches/services').then(({ body }) => body.data.slice(0, 2).map(({ id }: { id: string }) => id)),
      get('/breaches/accounts').then(({ body }) => body.data[0].breaches.map(({ id }: { id: string }) => id)),
    ]);
    expect(services).toEqual(ids);
    expect(accounts).toEqual(ids);
  });

  test('sorts breaches of one day by id and puts breaches without a date last', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `Breach ${n}`);
    await feedHasSaid('tenant.test', { learner1: names });
    await testService.query(
      `update breaches set breach_date = case when right(name, 1) > '4' then date '2024-01-01' end where name like 'Breach %'`,
    );
    const rows = await testService.query(
      `select id from breaches where name like 'Breach %' order by breach_date desc nulls last, id`,
    );
    const { body } = await get(path);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(rows.map(({ id }) => id));
  });

  test('lists all of 1,000 breaches', async () => {
    await feedHasSaid('tenant.test', { learner1: Array.from({ length: 1000 }, (_, n) => `Breach ${n}`) });
    expect((await get(path)).body.data).toHaveLength(1000);
  });
});

describe('the address of a learner', () => {
  test('is compared case-insensitively', async () => {
    await setAddress(learnerId('tenant', 1), 'LearNER1@TENANT.Test');
    expect((await get(path)).body.data).toEqual([wander, pixel]);
    await setAddress(learnerId('tenant', 1), 'learner1@tenant.test');
    await feedHasSaid('tenant.test', { LEARNER1: ['PixelForge'], learner1: ['PixelForge'] });
    expect((await get(path)).body.data).toEqual([pixel]);
  });

  test('determines the breaches as soon as it changes', async () => {
    await get(path);
    await setAddress(learnerId('tenant', 1), 'press@tenant.test');
    expect((await get(path)).body.data).toEqual([wander]);
    await setAddress(learnerId('tenant', 1), 'nobody@tenant.test');
    expect((await get(path)).body.data).toEqual([]);
  });

  test.each(['learner1@other.test', 'learner1@elsewhere.test', 'learner1@sub.tenant.test'])(
    '%s, outside the watched domains, has no breaches',
    async (address) => {
      for (const domain of ['elsewhere.test', 'sub.tenant.test'])
        await feedHasSaid(domain, { learner1: ['PixelForge'] });
      await get(pathOf('other', 1), 'other');
      await setAddress(learnerId('tenant', 1), address);
      expect((await get(path)).body.data).toEqual([]);
    },
  );

  test('has breaches only in companies that watch its domain', async () => {
    await get(pathOf('other', 1), 'other');
    await setAddress(learnerId('tenant', 1), 'learner1@other.test');
    expect((await get(path)).body.data).toEqual([]);
    await watch('tenant', ['OTHER.test']);
    expect((await get(path)).body.data).toEqual([wander, pixel]);
    expect((await get(pathOf('other', 1), 'other')).body.data).toEqual([wander, pixel]);
  });

  test('has no breaches after the company stops watching its domain', async () => {
    await get(path);
    await watch('tenant', []);
    expect((await get(path)).body.data).toEqual([]);
  });

  test('with special characters is compared literally', async () => {
    for (const alias of ["o'hara", 'ünal', 'a+b', 'a_b', 'a%b']) {
      await feedHasSaid('tenant.test', { [alias]: ['PixelForge'], axb: ['WanderTravel'] });
      await setAddress(learnerId('tenant', 1), `${alias}@tenant.test`);
      expect([alias, (await get(path)).body.data]).toEqual([alias, [pixel]]);
    }
  });
});

describe('access to the breaches of a learner', () => {
  test.each([
    ['an MSP', 'msp', 'childA'],
    ['a distributor', 'distributor', 'childB'],
    ['a distributor', 'distributor', 'directChild'],
  ] as const)('%s reads the breaches of a learner of its child company', async (_case, key, company) => {
    const { body } = await get(`${pathOf(company, 1)}?companyId=${companies[company]}`, key);
    expect(body.data).toEqual([wander, pixel]);
  });

  test.each<[string, CompanyName, string]>([
    ['a learner of a child without companyId', 'msp', pathOf('childA', 1)],
    ['a learner of another child', 'msp', `${pathOf('childB', 1)}?companyId=${companies.childA}`],
    ['its own learner with the companyId of a child', 'msp', `${pathOf('msp', 1)}?companyId=${companies.childA}`],
  ])('%s returns 404', async (_case, key, foreign) => {
    expectError(await get(foreign, key), 404, 'not_found');
  });

  test('uses the watched domains of the child company, not of its MSP', async () => {
    await watch('childA', []);
    await watch('msp', ['msp.test', 'childa.test']);
    await get('/breaches/accounts', 'msp');
    const { body } = await get(`${pathOf('childA', 1)}?companyId=${companies.childA}`, 'msp');
    expect(body).toEqual({ data: [], coverage: { watchedDomains: [], unavailableDomains: [] } });
  });

  test('HEAD returns 200 without a body', async () => {
    const { status, text } = await call('tenant', 'HEAD', path);
    expect([status, text]).toEqual([200, '']);
  });
});
