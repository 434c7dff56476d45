import { type Answer, call, expectError, get, patch } from '../../support/client.ts';
import { companies, type CompanyName, learnerId } from '../../support/world.ts';
import { feedHasSaid, restoreBreaches, setAddress, watch, coverageOf } from './breach-state.ts';

const path = '/breaches/accounts';
const anyId = expect.stringMatching(/^[0-9a-f-]{36}$/);
const wander = { id: anyId, name: 'Wander Travel Club', breachDate: '2024-11-17' };
const pixel = { id: anyId, name: 'Pixel Forge', breachDate: '2022-05-03' };
const ghost = { id: anyId, name: 'Ghost', breachDate: null };
const emailsOf = ({ body }: Answer): string[] => body.data.map(({ email }: { email: string }) => email);
const typesOf = ({ body }: Answer): Record<string, string> =>
  Object.fromEntries(
    body.data.map(({ email, accountType }: { email: string; accountType: string }) => [email, accountType]),
  );

/** Returns the test world's feed response about a company. */
const accountsOf = (company: CompanyName) => {
  const domain = `${company.toLowerCase()}.test`;
  const account = { domain, externalLearnerId: null };
  return [
    {
      ...account,
      email: `learner1@${domain}`,
      externalLearnerId: 'HR-1',
      accountType: 'activeLearner',
      breaches: [wander, pixel],
    },
    {
      ...account,
      email: `learner2@${domain}`,
      externalLearnerId: 'HR-2',
      accountType: 'activeLearner',
      breaches: [ghost],
    },
    {
      ...account,
      email: `learner5@${domain}`,
      externalLearnerId: 'HR-5',
      accountType: 'inactiveLearner',
      breaches: [pixel],
    },
    { ...account, email: `press@${domain}`, accountType: 'nonLearner', breaches: [wander] },
  ];
};

beforeEach(restoreBreaches);
afterEach(() => setAddress(learnerId('tenant', 1), 'learner1@tenant.test'));

describe('GET /breaches/accounts', () => {
  test('lists accounts by address, each with its breaches, newest first', async () => {
    const { status, body } = await get(path);
    expect(status).toBe(200);
    expect(body.data).toEqual(accountsOf('tenant'));
  });

  test.each([
    ['activeLearner', ['learner1', 'learner2']],
    ['employee', ['learner1', 'learner2']],
    ['inactiveLearner', ['learner5']],
    ['nonLearner', ['press']],
  ])('accountType=%s lists only accounts of that type', async (accountType, aliases) => {
    const answer = await get(`${path}?accountType=${accountType}`);
    expect(emailsOf(answer)).toEqual(aliases.map((alias) => `${alias}@tenant.test`));
    expect(answer.text).not.toContain('employee');
  });

  test.each([
    '',
    'Employee',
    'ACTIVELEARNER',
    'admin',
    'activeLearner,nonLearner',
    'activeLearner&accountType=nonLearner',
    '%00',
  ])('accountType=%s returns 400', async (accountType) => {
    expectError(await get(`${path}?accountType=${accountType}`), 400, 'invalid_request', ['query/accountType']);
  });

  test('breaches of the same day are ordered by id, and undated ones come last', async () => {
    const names = ['Zeta', 'Alpha', 'Undated', 'Newest'];
    await testService.query(
      `insert into breaches (name, title, category, breach_date, data_classes)
       select name, name, 'Website', date, '{}'
         from unnest($1::text[], array['2024-01-01', '2024-01-01', null, '2024-01-02']::date[]) as b (name, date)`,
      [names],
    );
    await feedHasSaid('tenant.test', { learner1: names });
    const rows = await testService.query(`select id from breaches where name in ('Zeta', 'Alpha') order by id`);
    const { breaches } = (await get(path)).body.data[0] as { breaches: { id: string; name: string }[] };
    expect([breaches[0]!.name, breaches[3]!.name]).toEqual(['Newest', 'Undated']);
    expect([breaches[1]!.id, breaches[2]!.id]).toEqual(rows.map(({ id }) => id));
  });

  test('a company without domains has no accounts, and its coverage is empty', async () => {
    await watch('prospect', []);
    expect((await get(path, 'prospect')).body).toEqual({ data: [], coverage: coverageOf([]) });
  });

  test('a clean domain has no accounts', async () => {
    await feedHasSaid('tenant.test', {});
    expect((await get(path)).body).toEqual({ data: [], coverage: coverageOf(['tenant.test']) });
  });

  test('lists 10,000 accounts completely and in order', async () => {
    const alias = (n: number) => `a${String(n).padStart(5, '0')}`;
    const aliases = Array.from({ length: 10_000 }, (_, n) => [alias(9_999 - n), ['Wander', 'Other']]);
    await feedHasSaid('tenant.test', Object.fromEntries(aliases) as Record<string, string[]>);
    const emails = emailsOf(await get(path));
    expect(emails).toEqual(Array.from({ length: 10_000 }, (_, n) => `${alias(n)}@tenant.test`));
  });

  test.each(["o'hara", 'a"b\\', 'ünal', 'שלום', '👩‍👩‍👧‍👦', '<script>', '%', '_', '__proto__', 'a@b'])(
    'the unusual local part %j is returned unchanged',
    async (alias) => {
      await feedHasSaid('tenant.test', { [alias]: ['Wander'] });
      const [account] = (await get(path)).body.data;
      expect(account).toMatchObject({
        email: `${alias}@tenant.test`,
        domain: 'tenant.test',
        accountType: 'nonLearner',
      });
    },
  );
});

describe('the type of an account', () => {
  test('matches learners by address in any case', async () => {
    await setAddress(learnerId('tenant', 1), 'LEARNER1@Tenant.Test');
    const { body } = await get(path);
    expect(body.data).toEqual(accountsOf('tenant'));
  });

  test('follows a learner to a new address at once', async () => {
    await get(path);
    const moved = { email: 'press@tenant.test', firstName: 'Ada', lastName: 'tenant' };
    expect((await patch(`/learners/${learnerId('tenant', 1)}`, moved)).status).toBe(200);
    const types = typesOf(await get(path));
    expect(types).toMatchObject({ 'learner1@tenant.test': 'nonLearner', 'press@tenant.test': 'activeLearner' });
  });

  test('follows a learner who is deactivated', async () => {
    await get(path);
    await testService.query('update learners set inactive = true where id = $1', [learnerId('tenant', 2)]);
    expect(typesOf(await get(path))['learner2@tenant.test']).toBe('inactiveLearner');
    await testService.query('update learners set inactive = false where id = $1', [learnerId('tenant', 2)]);
  });

  test('ignores learners whose address is only similar', async () => {
    await feedHasSaid('tenant.test', { learner_: ['Wander'], 'learner%': ['Wander'], 'learner1 ': ['Wander'] });
    expect(Object.values(typesOf(await get(path)))).toEqual(['nonLearner', 'nonLearner', 'nonLearner']);
  });
});

describe('watched domains', () => {
  test('are matched in any case and without duplicates', async () => {
    await watch('tenant', ['TENANT.test', 'tenant.test', 'Tenant.TEST']);
    expect((await get(path)).body.data).toEqual(accountsOf('tenant'));
  });

  test('can be several, whose accounts form one ordered list', async () => {
    await watch('tenant', ['tenant.test', 'more.test']);
    await feedHasSaid('more.test', { anna: ['Wander'], zoe: ['Wander'] });
    const answer = await get(path);
    expect(emailsOf(answer)).toEqual(
      ['anna@more.test', 'zoe@more.test', ...accountsOf('tenant').map(({ email }) => email)].toSorted(),
    );
    expect(answer.body.data[0]).toMatchObject({ domain: 'more.test', accountType: 'nonLearner' });
  });

  test('that are removed show no accounts, but keep them for other companies', async () => {
    await watch('other', ['tenant.test']);
    await get(path);
    await watch('tenant', []);
    expect((await get(path)).body.data).toEqual([]);
    expect(emailsOf(await get(path, 'other'))).toHaveLength(4);
  });

  test('of two companies show each company its own learners', async () => {
    await watch('other', ['tenant.test', 'other.test']);
    await setAddress(learnerId('other', 4), 'press@tenant.test');
    expect((await get(path)).body.data).toEqual(accountsOf('tenant'));
    const answer = await get(`${path}?accountType=activeLearner`, 'other');
    expect(emailsOf(answer)).toEqual(['learner1@other.test', 'learner2@other.test', 'press@tenant.test']);
    const foreign = (await get(`${path}?accountType=nonLearner`, 'other')).body.data;
    expect(foreign).toContainEqual({ ...accountsOf('tenant')[0], accountType: 'nonLearner', externalLearnerId: null });
    await setAddress(learnerId('other', 4), 'learner4@other.test');
  });

  test.each(['unheard.test', 'bücher.test', 'a b', '..', '', '*', "';--", '__proto__', 'constructor', '%00'])(
    'that the feed does not know, such as %j, are unavailable, while others show their accounts',
    async (domain) => {
      await watch('tenant', ['tenant.test', domain]);
      const { data, coverage } = (await get(path)).body as { data: unknown; coverage?: unknown };
      expect(data).toEqual(accountsOf('tenant'));
      expect(coverage).toEqual(coverageOf([domain, 'tenant.test'].toSorted(), [domain]));
      await watch('tenant', [domain]);
      expectError(await get(path), 503, 'breach_data_unavailable');
    },
  );

  test('do not include subdomains', async () => {
    await feedHasSaid('sub.tenant.test', { ada: ['Wander'] });
    await feedHasSaid('notenant.test', { ada: ['Wander'] });
    expect((await get(path)).body.data).toEqual(accountsOf('tenant'));
  });
});

describe('breach accounts of a child', () => {
  test.each([
    ['an MSP', 'msp', 'childA'],
    ['a distributor', 'distributor', 'childB'],
    ['a distributor', 'distributor', 'directChild'],
    ['a tenant itself', 'tenant', 'tenant'],
  ] as const)('%s lists the accounts and learners of the named company', async (_case, key, company) => {
    const { body } = await get(`${path}?companyId=${companies[company]}`, key);
    expect(body.data).toEqual(accountsOf(company));
  });

  test('the module of the child counts, not the module of its MSP', async () => {
    const setModule = (company: CompanyName, enabled: boolean) =>
      testService.query('update companies set smbreachproenabled = $2 where id = $1', [companies[company], enabled]);
    await setModule('strangerMsp', false);
    await testService.query('update companies set parent_id = $2, managed_by = array[$2::uuid] where id = $1', [
      companies.prospect,
      companies.strangerMsp,
    ]);
    await testService.query(`update companies set account_type = 'tenant' where id = $1`, [companies.prospect]);
    const answer = await get(`${path}?companyId=${companies.prospect}`, 'strangerMsp');
    expect(answer.body.data).toEqual(accountsOf('prospect'));
    expectError(await get(path, 'strangerMsp'), 403, 'module_not_enabled');
  });

  test('HEAD returns no body', async () => {
    const { status, text } = await call('tenant', 'HEAD', path);
    expect([status, text]).toEqual([200, '']);
  });
});
