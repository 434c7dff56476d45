import { expectError, get, post } from '../../support/client.ts';
import { companies, type CompanyName, learnerId } from '../../support/world.ts';

const idsFor = async (key: CompanyName): Promise<string[]> =>
  (await get('/companies', key)).body.data.map(({ id }: { id: string }) => id);

describe('GET /companies', () => {
  test('lists the children of an MSP by id with exactly the documented fields', async () => {
    const { status, body } = await get('/companies', 'msp');
    expect(status).toBe(200);
    const plan = { learnerCount: 4, learnerLimit: null, domainLock: false };
    const modules = { smlearn: true, smphish: true, smpolicy: true, smbreachproenabled: true };
    const managedBy = { id: companies.msp, name: 'The msp company' };
    expect(body.data).toEqual([
      {
        id: companies.childA,
        name: 'The childA company',
        accountType: 'tenant',
        plan: { ...plan, name: 'business', domain: 'childa.test', isTrial: false },
        isTrial: false,
        features: { ...modules, smbreachprodomains: ['childa.test'] },
        managedBy,
      },
      {
        id: companies.childB,
        name: 'The childB company',
        accountType: 'tenant',
        plan: { ...plan, name: 'freeTrial', learnerLimit: 1_000_000, domain: 'childb.test', isTrial: true },
        isTrial: true,
        features: { ...modules, smbreachprodomains: ['childb.test'] },
        managedBy,
      },
    ]);
  });

  test('lists to a distributor its own tenants and the tenants of its MSPs, but not the MSPs', async () => {
    expect(await idsFor('distributor')).toEqual([companies.childA, companies.childB, companies.directChild]);
  });

  test('managedBy is the MSP of a tenant and null for direct tenants of a distributor', async () => {
    const { body } = await get('/companies', 'distributor');
    const managedBy = { id: companies.msp, name: 'The msp company' };
    expect(body.data.map((child: { managedBy: unknown }) => child.managedBy)).toEqual([managedBy, managedBy, null]);
  });

  test('the list is empty for an MSP without children', async () => {
    expect((await get('/companies', 'strangerMsp')).text).toBe('{"data":[]}');
  });

  test('listed companies can be read by companyId and have the plan and features of GET /company', async () => {
    await post('/learners/deactivate', { learnerIds: [learnerId('directChild', 1)] }, 'directChild');
    const { body } = await get('/companies', 'distributor');
    for (const [index, key] of (['childA', 'childB', 'directChild'] as const).entries()) {
      expect((await get(`/learners?companyId=${body.data[index].id}`, 'distributor')).status).toBe(200);
      const { plan, features } = (await get('/company', key)).body.data;
      expect(body.data[index]).toMatchObject({ plan, features });
    }
  });

  test('a child with a new parent is listed only for the new parent', async () => {
    const adopt = (parent: CompanyName, ancestors: string[]) =>
      testService.query('update companies set parent_id = $2, managed_by = $3 where id = $1', [
        companies.childB,
        companies[parent],
        ancestors,
      ]);
    await adopt('strangerMsp', [companies.strangerMsp]);
    expect(await idsFor('msp')).toEqual([companies.childA]);
    expect(await idsFor('strangerMsp')).toEqual([companies.childB]);
    expect(await idsFor('distributor')).toEqual([companies.childA, companies.directChild]);
    await adopt('msp', [companies.msp, companies.distributor]);
  });

  test('lists 2,500 children in order', async () => {
    await testService.query(
      `insert into companies (id, name, account_type, parent_id, managed_by, plan_name)
       select ('0192c000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Child ' || n, 'tenant', $1::uuid,
              array[$1::uuid], 'business'
         from generate_series(1, 2500) as n order by random()`,
      [companies.strangerMsp],
    );
    const { body } = await get('/companies', 'strangerMsp');
    const names = body.data.map(({ name }: { name: string }) => name);
    expect(names).toEqual(Array.from({ length: 2500 }, (_, n) => `Child ${n + 1}`));
  });

  test('companyId returns 400 naming the parameter', async () => {
    const answer = await get(`/companies?companyId=${companies.childA}`, 'msp');
    expectError(answer, 400, 'invalid_request', ['query/companyId']);
  });

  test.each<CompanyName>(['tenant', 'childA', 'prospect'])('the key of %s gets 403', async (key) => {
    expectError(await get('/companies', key), 403, 'forbidden');
  });
});
