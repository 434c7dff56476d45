import { expectError, get } from '../../support/client.ts';
import { companies, type CompanyName } from '../../support/world.ts';

const modules = ['smlearn', 'smphish', 'smpolicy', 'smbreachproenabled'] as const;

describe('GET /company/features', () => {
  test.each(modules)('returns whether %s is enabled, independently of the other modules', async (module) => {
    for (const enabled of [true, false]) {
      const settings = modules.map((name) => `${name} = ${name === module ? enabled : !enabled}`);
      await testService.query(`update companies set ${settings.join(', ')} where id = $1`, [companies.tenant]);
      const { status, body } = await get('/company/features');
      expect(status).toBe(200);
      const expected = modules.map((name) => [name, name === module ? enabled : !enabled]);
      expect(body.data).toEqual({ ...Object.fromEntries(expected), smbreachprodomains: ['tenant.test'] });
    }
  });

  test('returns the domains watched for breaches', async () => {
    await testService.query(`update companies set smbreachprodomains = '{b.test,a.test}' where id = $1`, [
      companies.other,
    ]);
    expect((await get('/company/features', 'other')).body.data.smbreachprodomains).toEqual(['b.test', 'a.test']);
  });

  test.each<CompanyName>(['tenant', 'prospect', 'msp', 'distributor'])(
    'returns to the key of %s the features of GET /company',
    async (key) => {
      const { body } = await get('/company', key);
      expect((await get('/company/features', key)).body.data).toEqual(body.data.features);
    },
  );

  test('companyId returns 400 naming the parameter', async () => {
    const answer = await get(`/company/features?companyId=${companies.childA}`, 'msp');
    expectError(answer, 400, 'invalid_request', ['query/companyId']);
  });
});
