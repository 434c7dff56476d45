import { call, get, post } from '../../support/client.ts';
import { adminId, companies } from '../../support/world.ts';
import { keptTexts } from '../text-cases.ts';
import { dorothy, insertAdmins, invite, restoreAdminsAfterEach } from './admin-state.ts';

restoreAdminsAfterEach();

describe('GET /admins', () => {
  test('lists invited and active admins by id with exactly the documented fields', async () => {
    await testService.query("update admins set created_at = '2026-01-05T08:00:00.120Z' where company_id = $1", [
      companies.tenant,
    ]);
    const { status, body } = await get('/admins');
    expect(status).toBe(200);
    const both = {
      ...{ invitedAt: '2026-01-05T09:00:00.000Z', createdAt: '2026-01-05T08:00:00.120Z' },
      ...{ role: 'owner', roleId: null, emergencyAccess: false, managedBy: null },
    };
    const mary = { firstName: 'Mary', lastName: 'tenant', email: 'admin1@tenant.test', locale: 'en' };
    const invited = { firstName: 'Dorothy', lastName: 'tenant', email: 'admin2@tenant.test', locale: 'de-CH' };
    expect(body.data).toEqual([
      { id: adminId('tenant', 1), ...mary, status: 'active', ...both },
      { id: adminId('tenant', 2), ...invited, status: 'invited', ...both },
    ]);
  });

  test.each([
    ['an MSP', 'msp', 'childB'],
    ['a distributor', 'distributor', 'childA'],
    ['a distributor', 'distributor', 'directChild'],
    ['a tenant', 'tenant', 'tenant'],
  ] as const)('%s lists only the admins of the company in companyId', async (_case, key, company) => {
    const { body } = await get(`/admins?companyId=${companies[company]}`, key);
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([adminId(company, 1), adminId(company, 2)]);
  });

  test.each(['tenant', 'prospect', 'msp', 'distributor', 'childA'] as const)(
    'without companyId the %s lists only its own admins',
    async (company) => {
      const { body } = await get('/admins', company);
      const ids = body.data.map(({ id }: { id: string }) => id);
      expect(ids).toEqual([adminId(company, 1), adminId(company, 2)]);
    },
  );

  test('invitedAt and locale are null for an admin who was never invited and has no language', async () => {
    const [id] = await insertAdmins('tenant', 1);
    const { body } = await get('/admins');
    expect(body.data.at(-1)).toMatchObject({ id, locale: null, invitedAt: null });
  });

  test('an admin whose setup link has expired is still invited', async () => {
    const { id } = await invite();
    await testService.query("update admins set setup_expires_at = now() - interval '1 day' where id = $1", [id]);
    expect((await get('/admins')).body.data.at(-1)).toMatchObject({ id, status: 'invited' });
  });

  test('the list contains neither the setup link nor its hash', async () => {
    const { id, token } = await invite();
    const { text, body } = await get('/admins');
    const names = [
      'createdAt',
      'email',
      'emergencyAccess',
      'firstName',
      'id',
      'invitedAt',
      'lastName',
      'locale',
      'managedBy',
      'role',
      'roleId',
      'status',
    ];
    expect(body.data.at(-1).id).toBe(id);
    expect(Object.keys(body.data.at(-1)).sort()).toEqual(names);
    expect(text).not.toContain(token);
  });

  test('returns names as given, without surrounding white space', async () => {
    for (const [index, [, text]] of keptTexts.entries()) {
      await post('/admins', { ...dorothy, email: `text${index}@tenant.test`, firstName: text, lastName: text });
    }
    const { body } = await get('/admins');
    const names = body.data.slice(2).map(({ firstName, lastName }: typeof dorothy) => [firstName, lastName]);
    expect(names).toEqual(keptTexts.map(([, text]) => [text.trim(), text.trim()]));
  });

  test('the list is empty for a company without admins', async () => {
    await testService.query('delete from admins where company_id = $1', [companies.prospect]);
    expect((await get('/admins', 'prospect')).text).toBe('{"data":[]}');
  });

  test.each([250, 251, 3500])('lists all of %i added admins in order', async (count) => {
    await insertAdmins('tenant', count);
    const { body } = await get('/admins');
    const addresses = body.data.slice(2).map(({ email }: { email: string }) => email);
    expect(addresses).toEqual(Array.from({ length: count }, (_, n) => `many${n + 1}@many.test`));
  });

  test('HEAD returns the content length of GET without the body', async () => {
    const full = await get('/admins');
    const { status, text, headers } = await call('tenant', 'HEAD', '/admins');
    expect({ status, text }).toEqual({ status: 200, text: '' });
    expect(headers.get('content-length')).toBe(full.headers.get('content-length'));
  });
});
