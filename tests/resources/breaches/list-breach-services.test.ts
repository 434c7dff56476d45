import { type Answer, call, expectError, get } from '../../support/client.ts';
import { companies, type CompanyName, learnerId } from '../../support/world.ts';
import { feedHasSaid, restoreBreaches, setAddress, watch, coverageOf } from './breach-state.ts';

const path = '/breaches/services';
const anyId = expect.stringMatching(/^[0-9a-f-]{36}$/);

interface Service {
  name: string;
  accountCount: number;
  affectedAccounts: { email: string; accountType: string }[];
}

const namesOf = ({ body }: Answer): string[] => body.data.map(({ name }: Service) => name).toSorted();

/** Returns the aliases of the affected accounts by service, and expects accountCount to match. */
function affectedOf({ body }: Answer): Record<string, string[]> {
  const services = body.data as Service[];
  for (const { accountCount, affectedAccounts } of services) expect(accountCount).toBe(affectedAccounts.length);
  const affected = services.filter(({ accountCount }) => accountCount > 0);
  return Object.fromEntries(
    affected.map(({ name, affectedAccounts }) => [name, affectedAccounts.map(({ email }) => email.split('@')[0]!)]),
  );
}

/** Returns the test world's feed response about a company, without undated breaches. */
const datedServicesOf = (company: CompanyName) => {
  const domain = `${company.toLowerCase()}.test`;
  const account = { domain, externalLearnerId: null };
  const learner1 = { ...account, email: `learner1@${domain}`, externalLearnerId: 'HR-1', accountType: 'activeLearner' };
  return [
    {
      id: anyId,
      name: 'Wander Travel Club',
      category: 'Travel',
      breachDate: '2024-11-17',
      accountCount: 2,
      dataClassNames: ['Email addresses', 'Passwords'],
      affectedAccounts: [learner1, { ...account, email: `press@${domain}`, accountType: 'nonLearner' }],
    },
    {
      id: anyId,
      name: 'Pixel Forge',
      category: 'Stealer log',
      breachDate: '2022-05-03',
      accountCount: 2,
      dataClassNames: ['Email addresses'],
      affectedAccounts: [
        learner1,
        { ...account, email: `learner5@${domain}`, externalLearnerId: 'HR-5', accountType: 'inactiveLearner' },
      ],
    },
  ];
};

beforeEach(restoreBreaches);

describe('GET /breaches/services', () => {
  test('lists known breaches with the accounts of the company, newest first and undated ones last', async () => {
    const { status, body } = await get(path);
    expect(status).toBe(200);
    expect(body.data.slice(0, 2)).toEqual(datedServicesOf('tenant'));
    const undated = { id: anyId, category: 'Website', breachDate: null, dataClassNames: [] };
    const account = { email: 'learner2@tenant.test', domain: 'tenant.test', externalLearnerId: 'HR-2' };
    expect(body.data).toHaveLength(4);
    expect(body.data).toContainEqual({ ...undated, name: 'QuietShop', accountCount: 0, affectedAccounts: [] });
    expect(body.data).toContainEqual({
      ...undated,
      name: 'Ghost',
      accountCount: 1,
      affectedAccounts: [{ ...account, accountType: 'activeLearner' }],
    });
  });

  test('breaches of the same day and undated ones are ordered by id', async () => {
    await get(path);
    const rows = await testService.query('select title from breaches order by breach_date desc nulls last, id');
    expect((await get(path)).body.data.map(({ name }: Service) => name)).toEqual(rows.map(({ title }) => title));
  });

  test('a company without domains gets all services, none of which affects it', async () => {
    await watch('prospect', []);
    const answer = await get(path, 'prospect');
    expect(namesOf(answer)).toEqual(['Pixel Forge', 'QuietShop', 'Wander Travel Club']);
    expect(affectedOf(answer)).toEqual({});
    const affecting = await get(`${path}?hasAffectedAccounts=true`, 'prospect');
    expect(affecting.body).toEqual({ data: [], coverage: coverageOf([]) });
  });

  test('HEAD returns no body', async () => {
    const { status, text } = await call('tenant', 'HEAD', path);
    expect([status, text]).toEqual([200, '']);
  });
});

describe('filters', () => {
  test.each([
    ['hasAffectedAccounts=true', ['Ghost', 'Pixel Forge', 'Wander Travel Club']],
    ['hasAffectedAccounts=false', ['QuietShop']],
    ['hasAffectedAccounts=true&accountType=activeLearner', ['Ghost', 'Pixel Forge', 'Wander Travel Club']],
    ['hasAffectedAccounts=false&accountType=activeLearner', ['QuietShop']],
    ['hasAffectedAccounts=true&accountType=employee', ['Ghost', 'Pixel Forge', 'Wander Travel Club']],
    ['hasAffectedAccounts=true&accountType=inactiveLearner', ['Pixel Forge']],
    ['hasAffectedAccounts=false&accountType=inactiveLearner', ['Ghost', 'QuietShop', 'Wander Travel Club']],
    ['hasAffectedAccounts=true&accountType=nonLearner', ['Wander Travel Club']],
    ['hasAffectedAccounts=false&accountType=nonLearner', ['Ghost', 'Pixel Forge', 'QuietShop']],
    ['accountType=nonLearner', ['Ghost', 'Pixel Forge', 'QuietShop', 'Wander Travel Club']],
  ])('%s returns the matching services', async (query, names) => {
    expect(namesOf(await get(`${path}?${query}`))).toEqual(names);
  });

  test.each([
    ['activeLearner', { 'Wander Travel Club': ['learner1'], 'Pixel Forge': ['learner1'], Ghost: ['learner2'] }],
    ['employee', { 'Wander Travel Club': ['learner1'], 'Pixel Forge': ['learner1'], Ghost: ['learner2'] }],
    ['inactiveLearner', { 'Pixel Forge': ['learner5'] }],
    ['nonLearner', { 'Wander Travel Club': ['press'] }],
  ])('accountType=%s counts and lists only accounts of that type', async (accountType, affected) => {
    const answer = await get(`${path}?accountType=${accountType}`);
    expect(affectedOf(answer)).toEqual(affected);
    expect(answer.text).not.toContain('employee');
  });

  test('by account type do not change a service without such accounts', async () => {
    const [plain] = (await get(`${path}?hasAffectedAccounts=false`)).body.data;
    const { body } = await get(`${path}?accountType=nonLearner`);
    expect(body.data).toContainEqual(plain);
  });

  test.each(['', 'yes', '1', '0', 'TRUE', 'null', 'true,false', 'true&hasAffectedAccounts=false'])(
    'hasAffectedAccounts=%s returns 400',
    async (value) => {
      const answer = await get(`${path}?hasAffectedAccounts=${value}`);
      expectError(answer, 400, 'invalid_request', ['query/hasAffectedAccounts']);
    },
  );

  test('with two invalid values return 400 naming both', async () => {
    const answer = await get(`${path}?hasAffectedAccounts=maybe&accountType=nobody`);
    expectError(answer, 400, 'invalid_request');
    const fields = answer.body.error!.details.map(({ field }) => field).toSorted();
    expect(fields).toEqual(['query/accountType', 'query/hasAffectedAccounts']);
  });
});

describe('the accounts of a service', () => {
  test('are limited to the domains of the company, even if the breach affects others', async () => {
    await get(path, 'other');
    const answer = await get(path);
    expect(affectedOf(answer)['Wander Travel Club']).toEqual(['learner1', 'press']);
    expect(answer.text).not.toContain('other.test');
  });

  test('are empty if the service affects only others', async () => {
    await feedHasSaid('other.test', { learner1: ['OnlyOthers'] });
    const answer = await get(path);
    expect(namesOf(answer)).toContain('OnlyOthers');
    expect(affectedOf(answer)).not.toHaveProperty('OnlyOthers');
    expect(namesOf(await get(`${path}?hasAffectedAccounts=false`))).toContain('OnlyOthers');
  });

  test('come from all watched domains as one ordered list', async () => {
    await watch('tenant', ['TENANT.test', 'more.test', 'more.test']);
    await get(path, 'other');
    await feedHasSaid('more.test', { zoe: ['WanderTravel'], anna: ['WanderTravel'] });
    expect(affectedOf(await get(path))['Wander Travel Club']).toEqual(['anna', 'learner1', 'press', 'zoe']);
  });

  test('in a domain of two companies match the learners of the caller', async () => {
    await watch('other', ['tenant.test']);
    await setAddress(learnerId('other', 4), 'press@tenant.test');
    const [wander] = (await get(path, 'other')).body.data as Service[];
    await setAddress(learnerId('other', 4), 'learner4@other.test');
    expect(wander!.affectedAccounts).toEqual([
      { email: 'learner1@tenant.test', domain: 'tenant.test', externalLearnerId: null, accountType: 'nonLearner' },
      { email: 'press@tenant.test', domain: 'tenant.test', externalLearnerId: null, accountType: 'activeLearner' },
    ]);
    expect((await get(path)).body.data.slice(0, 2)).toEqual(datedServicesOf('tenant'));
  });

  test('can be 1,000 in each of 25 services', async () => {
    const names = Array.from({ length: 25 }, (_, n) => `Service ${n}`);
    const aliases = Array.from({ length: 1000 }, (_, n) => `a${String(n).padStart(4, '0')}`);
    await feedHasSaid('tenant.test', Object.fromEntries(aliases.map((alias) => [alias, names])));
    const affected = affectedOf(await get(path));
    expect(Object.keys(affected).toSorted()).toEqual(names.toSorted());
    for (const accounts of Object.values(affected)) expect(accounts).toEqual(aliases);
  });
});

describe('breach services of a child', () => {
  test.each([
    ['an MSP', 'msp', 'childA'],
    ['a distributor', 'distributor', 'childB'],
    ['a distributor', 'distributor', 'directChild'],
    ['a tenant itself', 'tenant', 'tenant'],
  ] as const)('%s sees what affects the named company', async (_case, key, company) => {
    const { body } = await get(`${path}?companyId=${companies[company]}`, key);
    expect(body.data.slice(0, 2)).toEqual(datedServicesOf(company));
  });
});
