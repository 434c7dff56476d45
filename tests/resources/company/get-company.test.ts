import { expectError, get, post } from '../../support/client.ts';
import { companies, type CompanyName, learnerId } from '../../support/world.ts';

describe('GET /company', () => {
  test('returns the company of the key with its plan and features', async () => {
    await testService.query(
      `update companies
          set learner_limit = 250, domain_lock = true, smbreachproenabled = true, smlearn = false,
              smbreachprodomains = '{tenant.test,tenant.example}'
        where id = $1`,
      [companies.tenant],
    );
    const { status, body } = await get('/company');
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: companies.tenant,
      name: 'The tenant company',
      accountType: 'tenant',
      plan: {
        name: 'business',
        learnerCount: 4,
        learnerLimit: 250,
        domainLock: true,
        domain: 'tenant.test',
        isTrial: false,
      },
      features: {
        smlearn: false,
        smphish: true,
        smpolicy: true,
        smbreachproenabled: true,
        smbreachprodomains: ['tenant.test', 'tenant.example'],
      },
    });
  });

  test.each<[CompanyName, string]>([
    ['other', 'tenant'],
    ['prospect', 'prospect'],
    ['msp', 'msp'],
    ['distributor', 'distributor'],
  ])('the key of %s reads that company with account type %s', async (key, accountType) => {
    const { body } = await get('/company', key);
    expect(body.data).toMatchObject({ id: companies[key], name: `The ${key} company`, accountType });
  });

  test('isTrial is true only for a company on the free trial', async () => {
    expect((await get('/company', 'other')).body.data.plan).toMatchObject({ name: 'freeTrial', isTrial: true });
    expect((await get('/company', 'childA')).body.data.plan).toMatchObject({ name: 'business', isTrial: false });
  });

  test('learnerLimit and domain are null if not set', async () => {
    await testService.query('update companies set domain = null where id = $1', [companies.prospect]);
    const { plan } = (await get('/company', 'prospect')).body.data;
    expect(plan).toMatchObject({ learnerLimit: null, domain: null, domainLock: false });
  });

  test('learnerCount is the current number of active learners', async () => {
    const count = async (): Promise<number> => (await get('/company', 'childA')).body.data.plan.learnerCount;
    const learnerIds = [learnerId('childA', 1), learnerId('childA', 2)];
    expect(await count()).toBe(4);
    await post('/learners/deactivate', { learnerIds }, 'childA');
    expect(await count()).toBe(2);
    await post('/learners', { email: 'new@childa.test', firstName: 'New', lastName: 'One' }, 'childA');
    expect(await count()).toBe(3);
  });

  test.each<[string, CompanyName, CompanyName]>([
    ['an MSP naming its child', 'msp', 'childA'],
    ['an MSP naming itself', 'msp', 'msp'],
    ['a tenant naming itself', 'tenant', 'tenant'],
  ])('companyId returns 400 naming the parameter: %s', async (_case, key, company) => {
    const answer = await get(`/company?companyId=${companies[company]}`, key);
    expectError(answer, 400, 'invalid_request', ['query/companyId']);
  });
});
