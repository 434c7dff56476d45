/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { builtInRoles, scopesOfRole } from '../../src/auth/roles.ts';
import { isPermitted, type Scope } from '../../src/auth/caller.ts';
import { type KeyedOperationId, operations } from '../../src/contract/contract.ts';
import { Admin, hiddenOf } from '../support/admin.ts';
import { get } from '../support/client.ts';
import { adminId, ownCourseId, passkeyId, roleId, spareKeyId } from '../support/world.ts';
import { campaignId } from '../support/world-campaigns.ts';
import { policyId } from '../support/world-policies.ts';
import { sourceId } from '../support/world-sources.ts';

const [first, second] = [adminId('tenant', 1), adminId('tenant', 2)];

/** Each page, with the operation that it needs and the operation that its form runs. */
const PAGES: [path: string, needs: KeyedOperationId | null, form?: [action: string, needs: KeyedOperationId]][] = [
  ['/console', null],
  ['/console/people', 'listLearners'],
  ['/console/campaigns', 'getCampaignReport'],
  ['/console/campaigns/new', 'createCampaign', ['/console/campaigns', 'createCampaign']],
  [`/console/campaigns/${campaignId('tenant')}`, 'getCampaign'],
  ['/console/simulations', 'listSimulations'],
  ['/console/simulations/all', 'listSimulations'],
  ['/console/simulations/new', 'createSimulation', ['/console/simulations/new', 'createSimulation']],
  ['/console/simulations/results', 'getSimulationTrendReport'],
  ['/console/simulations/results/repeat-clickers', 'getRepeatClickersReport'],
  ['/console/simulations/templates', 'listSimulationTemplates'],
  ['/console/courses', 'getCourseReport'],
  ['/console/courses/new', 'createCourse', ['/console/courses/new', 'createCourse']],
  [`/console/courses/${ownCourseId('tenant')}`, 'getCourse'],
  ['/console/policies', 'getPolicyReport'],
  ['/console/policies/new', 'createPolicy', ['/console/policies/new', 'createPolicy']],
  [`/console/policies/${policyId('tenant', 2)}`, 'getPolicy'],
  [`/console/policies/${policyId('tenant', 2)}/unsigned`, 'getPolicy'],
  ['/console/reports', 'getPolicyResultsReport'],
  ['/console/reports/participation', 'getDepartmentReport'],
  ['/console/reports/overdue', 'getOverdueReport'],
  ['/console/reports/policies', 'getPolicyResultsReport'],
  ['/console/audit-log', 'listAuditLog'],
  ['/console/sign-ins', 'listSignIns'],
  ['/console/identity-providers', 'listIdentityProviders'],
  ['/console/keys', 'listApiKeys', ['/console/keys', 'createApiKey']],
  ['/console/sources', 'listSources', ['/console/sources', 'createSource']],
  ['/console/applications', 'listConnections'],
  ['/console/admins', 'listAdmins', ['/console/admins', 'createAdmin']],
  [`/console/admins/${first}`, 'listAdmins'],
  ['/console/roles', 'listRoles'],
  ['/console/roles/auditor', 'listRoles'],
  ['/console/roles/new', 'createRole', ['/console/roles', 'createRole']],
  [`/console/admins/${first}/passkeys`, 'listAdminPasskeys'],
  ['/console/passkeys', null],
  ['/console/sessions', null],
];

/** The pages of the navigation; /console/sessions is in the section of the passkeys. */
const IN_NAVIGATION = /^\/console(\/[\w-]+)?$/;

let admin: Admin;
beforeAll(async () => {
  await testService.query(`update admins set status = 'active' where id = $1`, [second]);
  admin = await Admin.of('tenant', 2);
});
const giveRole = (role: string, id: string | null = null) =>
  testService.query('update admins set role = $2, role_id = $3 where id = $1', [second, role, id]);

/** Returns the URLs in the navigation, including those in the second row of each section. */
async function linkedPaths(): Promise<Set<string>> {
  const readLinks = async (path: string) => {
    const header = /<header>.*?<\/header>/s.exec((await admin.get(path)).html)?.[0] ?? '';
    return [...header.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!);
  };
  const first = await readLinks('/console');
  const further = await Promise.all(first.map(readLinks));
  return new Set([...first, ...further.flat()]);
}

const roles: [string, readonly string[] | null][] = [
  ...builtInRoles.map(({ role }) => [role, scopesOfRole({ role, customScopes: null })] as [string, string[] | null]),
  ['custom', ['groups:read']],
];

describe.each(roles)('an admin with the role %s', (role, scopes) => {
  const has = (scope: Scope | null) => scope === null || scopes === null || scopes.includes(scope);
  // The scopes of a manager hold only for the operations that managers can call.
  const caller = role === 'manager' ? { scopes: [], isManager: true } : { scopes: scopes as Scope[] | null };
  const may = (needs: KeyedOperationId | null) => needs === null || isPermitted(caller, operations[needs]);
  beforeAll(() => giveRole(role, role === 'custom' ? roleId('tenant') : null));

  test('opens the pages that the role includes, and finds only these in the navigation', async () => {
    const linked = await linkedPaths();
    for (const [path, needs, form] of PAGES) {
      const { status, html } = await admin.get(path);
      const outcome = status === 200 ? 'shown' : [403, 404].includes(status) ? 'refused' : status;
      expect({ path, outcome }).toEqual({ path, outcome: may(needs) ? 'shown' : 'refused' });
      if (status === 200) expect(html).toContain('action="/console/sign-out"');
      if (IN_NAVIGATION.test(path)) {
        expect({ path, linked: linked.has(path) }).toEqual({ path, linked: may(needs) });
      }
      const offered = form && html.includes(`<form method="post" action="${form[0]}"`);
      if (form) expect({ path, offered }).toEqual({ path, offered: may(needs) && may(form[1]) });
    }
  });

  test('cannot submit a form that the page does not offer', async () => {
    const { form_token: formToken = '' } = hiddenOf((await admin.get('/console/passkeys')).html);
    const before = await testService.query('select count(*) from audit_log where outcome = $1', ['done']);
    const forms: [string, Scope, Record<string, string>][] = [
      ['/console/keys', 'api_keys:write', { name: 'Mine', may: 'all', expiresAt: '' }],
      ['/console/sources', 'sources:write', { name: 'Mine', kind: 'xapi' }],
      [`/console/sources/${sourceId('tenant', 'xapi')}/remove`, 'sources:delete', {}],
      [`/console/keys/${spareKeyId('tenant')}/revoke`, 'api_keys:write', {}],
      [`/console/admins/${second}/role`, 'admins:write', { role: 'owner' }],
    ];
    const questions: [string, Scope][] = [
      [`/console/admins/${second}/role`, 'admins:write'],
      [`/console/keys/${spareKeyId('tenant')}/revoke`, 'api_keys:write'],
      [`/console/sources/${sourceId('tenant', 'xapi')}/remove`, 'sources:delete'],
    ];
    for (const [path] of questions.filter(([, scope]) => !has(scope))) {
      expect({ path, status: (await admin.get(path)).status }).toEqual({ path, status: 403 });
    }
    for (const [path, scope, fields] of forms.filter(([, scope]) => !has(scope))) {
      const once = 'x'.repeat(32);
      const { status } = await admin.send(path, { form_token: formToken, once, ...fields });
      expect({ path, scope, status }).toEqual({ path, scope, status: 403 });
    }
    expect(await testService.query('select count(*) from audit_log where outcome = $1', ['done'])).toEqual(before);
  });
});

test("an owner changes an admin's role, and an administrator cannot give a role with more permissions", async () => {
  const path = `/console/admins/${second}/role`;
  const owner = await Admin.of('tenant', 1);
  await giveRole('analyst');
  expect((await owner.post(path, { role: roleId('tenant') })).status).toBe(303);
  const roleOf = async (id: string) =>
    (await get('/admins')).body.data.find((one: { id: string }) => one.id === id).role;
  expect(await roleOf(second)).toBe('custom');
  expect((await owner.post(path, { role: 'administrator' })).status).toBe(303);
  const { html } = await admin.get('/console/admins');
  expect(html).not.toContain('<option value="owner"');
  expect(html).toContain('<option value="administrator"');
  const refused = await admin.post(`/console/admins/${second}/role`, { role: 'owner' });
  expect(refused.status).toBe(403);
  expect(refused.html).toContain('role="alert"');
  expect(await roleOf(second)).toBe('administrator');
});

test('the last owner cannot give up the role', async () => {
  const owner = await Admin.of('tenant', 1);
  await giveRole('administrator');
  const refused = await owner.post(`/console/admins/${first}/role`, { role: 'analyst' });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain('needs an active owner');
});

test.each(['msp', 'distributor'] as const)(
  'an author of an %s sees the figures of their own company',
  async (company) => {
    await testService.query(`update admins set status = 'active', role = 'author' where id = $1`, [
      adminId(company, 2),
    ]);
    const { status, html } = await (await Admin.of(company, 2)).get('/console');
    expect(status).toBe(200);
    expect(html).toContain('action="/console/sign-out"');
  },
);

test('an admin with any role can remove one of their own passkeys', async () => {
  await giveRole('custom', roleId('tenant'));
  expect((await admin.post(`/console/passkeys/${passkeyId('tenant')}/remove`)).status).toBe(303);
  expect(await testService.query('select id from passkeys where admin_id = $1', [second])).toEqual([]);
  const { entries } = (await get('/audit-log?operation=deleteOwnPasskey')).body.data;
  expect(entries).toMatchObject([{ actorId: second, targets: [{ ids: [second] }, { ids: [passkeyId('tenant')] }] }]);
});
