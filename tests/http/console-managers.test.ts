/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin } from '../support/admin.ts';
import { call, expectError, get, patch, post } from '../support/client.ts';
import { keyWith } from '../support/scoped-keys.ts';
import { adminId, companies, learnerId } from '../support/world.ts';
import { assignmentId } from '../support/world-campaigns.ts';
import { identityProviderId } from '../support/world-identity-providers.ts';
import { textOf } from './setup-page.ts';

const admin = adminId('tenant', 2);
const [manager, person, other] = ([4, 2, 1] as const).map((n) => learnerId('tenant', n)) as [string, string, string];
const query = (text: string, values: unknown[] = []) => testService.query(text, values);

let session: Admin;
beforeAll(async () => {
  await query(`update admins set status = 'active', role = 'manager', email = 'LEARNER4@tenant.test' where id = $1`, [
    admin,
  ]);
  await query('update learners set manager_id = $1 where id = $2', [manager, person]);
  // The campaign of the test world has assigned its course to learner 4 only.
  for (const learner of [person, other])
    await query(
      `insert into campaign_assignments (company_id, campaign_id, item_id, learner_id, round, condition, due_on, due_at,
                                         results_from)
       select company_id, campaign_id, item_id, $2, round, condition, due_on, due_at, results_from
         from campaign_assignments where id = $1`,
      [assignmentId('tenant'), learner],
    );
  session = await Admin.of('tenant', 2);
});
beforeEach(() => query(`update admins set locale = 'en' where id = $1`, [admin]));

test('the first page shows the open tasks of the people, and links to each person', async () => {
  const { status, html } = await session.get('/console');
  expect(status).toBe(200);
  expect(html).toContain('Overdue people: 1');
  expect(html).toContain(`<a href="/console/people/${person}">Grace tenant</a>`);
  expect(html).toContain('href="/console/people"');
  expect(html).not.toContain(other);
});

test("the list of people shows only the manager's people, with their figures", async () => {
  const { status, html } = await session.get('/console/people');
  expect(status).toBe(200);
  expect(html).toContain('Grace tenant');
  expect(html).toContain('learner2@tenant.test');
  expect(html).toContain('Training finished');
  for (const name of ['Ada tenant', 'Katherine tenant', 'Edsger tenant', 'Alan tenant'])
    expect(html).not.toContain(name);
});

test("the page of one of the manager's people shows their results, and the page of anybody else returns 404", async () => {
  const { status, html } = await session.get(`/console/people/${person}`);
  expect(status).toBe(200);
  expect(html).toContain('phishing-basics');
  for (const id of [other, manager, learnerId('other', 2), 'x'])
    expect((await session.get(`/console/people/${id}`)).status).toBe(404);
});

test('the share of signed policies counts all rows of the report', async () => {
  const share = (rows: { signed: string | null }[]) =>
    `(${rows.filter(({ signed }) => signed !== null).length}/${rows.length})`;
  await query(
    `update policy_results r set signed = now(), signed_version_id = p.live_version_id from policies p
      where p.company_id = r.company_id and p.id = r.policy_id and r.id = (
        select id from policy_results where learner_id = $1 order by id limit 1)`,
    [person],
  );
  const report = (await get(`/reports/policy-results?managerId=${manager}`)).body.data;
  expect(report.length).toBeGreaterThan(0);
  expect(textOf(await session.get('/console/people'))).toContain(share(report));
});

test.each(['en', 'de', 'fr'])('all pages work in %s', async (locale) => {
  await query('update admins set locale = $2 where id = $1', [admin, locale]);
  for (const path of ['/console', '/console/people', `/console/people/${person}`, '/console/sessions']) {
    const { status, html } = await session.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    expect(html).not.toMatch(/undefined|NaN|\[object/);
  }
});

test('after ten minutes, only the list of people asks for a confirmation', async () => {
  await query(`update person_sessions set proved_at = now() - interval '11 minutes' where admin_id = $1`, [admin]);
  expect((await session.get('/console')).status).toBe(200);
  expect((await session.get(`/console/people/${person}`)).status).toBe(200);
  expect((await session.get('/console/people')).status).toBe(403);
  await query('update person_sessions set proved_at = now() where admin_id = $1', [admin]);
});

test('figures of disabled modules are left out', async () => {
  await query('update companies set smlearn = false, smpolicy = false where id = $1', [companies.tenant]);
  for (const path of ['/console', '/console/people', `/console/people/${person}`])
    expect([path, (await session.get(path)).status]).toEqual([path, 200]);
  await query('update companies set smlearn = true, smpolicy = true where id = $1', [companies.tenant]);
});

test('a manager who is not an active learner sees nobody', async () => {
  await query('update learners set inactive = true where id = $1', [manager]);
  expect((await session.get('/console')).html).toContain('Your people have no open assignments.');
  expect((await session.get('/console/people')).html).toContain('There is nobody here.');
  expect((await session.get(`/console/people/${person}`)).status).toBe(404);
  await query('update learners set inactive = false where id = $1', [manager]);
});

test('the list has no filters that show other people', async () => {
  const { html } = await session.get(`/console/people?state=inactive&manager=learner1@tenant.test`);
  expect(html).toContain('Grace tenant');
  for (const name of ['state', 'manager', 'groupId']) expect(html).not.toContain(`name="${name}"`);
});

test('an admin gives the role only with each of its scopes', async () => {
  const invite = async (scopes: string[], email: string) => {
    const headers = { authorization: `Bearer ${await keyWith('tenant', ['admins:write', ...scopes])}` };
    return call('tenant', 'POST', '/admins', {
      body: { email, firstName: 'Lead', lastName: 'Er', role: 'manager' },
      headers,
    });
  };
  const own = ['campaigns:read', 'learners:read', 'reports:read'];
  expectError(await invite(own.slice(1), 'lead1@tenant.test'), 403, 'insufficient_scope', ['body/role']);
  expect((await invite(own, 'lead1@tenant.test')).status).toBe(200);
});

test('the API gives the role, lists it, and accepts it for groups of a provider', async () => {
  const { body } = await get('/roles');
  expect(body.data).toContainEqual(
    expect.objectContaining({ role: 'manager', id: null, scopes: ['campaigns:read', 'learners:read', 'reports:read'] }),
  );
  const invited = await post('/admins', {
    ...{ email: 'lead@tenant.test', firstName: 'Lead', lastName: 'Er', role: 'manager' },
  });
  expect(invited.body.data.role).toBe('manager');
  expect((await patch(`/admins/${invited.body.data.id}`, { role: 'auditor' })).body.data.role).toBe('auditor');
  const roles = [{ group: 'Leads', role: 'manager', roleId: null }];
  const provider = await patch(`/identity-providers/${identityProviderId('tenant')}`, {
    roles: [{ group: 'Leads', role: 'manager' }],
  });
  expect(provider.body.data.roles).toEqual(roles);
  expectError(await patch(`/admins/${invited.body.data.id}`, { role: 'managers' }), 400, 'invalid_request', [
    'body/role',
  ]);
});
