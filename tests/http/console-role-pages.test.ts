/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { builtInRoles } from '../../src/auth/roles.ts';
import { scopes as allScopes } from '../../src/contract/contract.ts';
import { Admin } from '../support/admin.ts';
import { get } from '../support/client.ts';
import { adminId, companies, roleId } from '../support/world.ts';

const PATH = '/console/roles';
const OWN = `${PATH}/${roleId('tenant')}`;
const second = adminId('tenant', 2);

let owner: Admin;
beforeAll(async () => {
  await testService.query(`update admins set status = 'active' where id = $1`, [second]);
  owner = await Admin.of('tenant', 1);
});
beforeEach(() => giveRole('administrator'));
afterEach(async () => {
  await giveRole('administrator');
  await testService.query('delete from roles where company_id = $1 and id <> $2', [companies.tenant, roleId('tenant')]);
  await testService.query(
    `update roles set name = 'Own role', description = null, scopes = '{groups:read}' where id = $1`,
    [roleId('tenant')],
  );
});

const giveRole = (role: string, id: string | null = null) =>
  testService.query('update admins set role = $2, role_id = $3 where id = $1', [second, role, id]);
const rolesOf = async (): Promise<{ id: string; name: string; description: string | null; scopes: string[] }[]> =>
  (await get('/roles')).body.data;

const create = (fields: [string, string][], from = `${PATH}/new`) => owner.post(from, fields, PATH);

test('a role is created with a purpose and the ticked permissions', async () => {
  const form = (await owner.get(`${PATH}/new`)).html;
  expect(form).toContain('<legend>People</legend>');
  for (const scope of allScopes) expect(form).toContain(`name="scopes" value="${scope}"`);
  const { status, headers } = await create([
    ['name', 'Course assistants'],
    ['description', 'Enrol & remind'],
    ['scopes', 'courses:read'],
  ]);
  expect(status).toBe(303);
  const page = (await owner.get(headers.get('location')!)).html;
  expect(page).toContain('The role has been created.');
  expect(page).toContain('<bdi>Enrol &amp; remind</bdi>');
});

test('a long name with HTML is shown as text', async () => {
  const name = `<b>Assistants</b> ${'ä'.repeat(180)}`;
  const { headers } = await create([
    ['name', name],
    ['description', ''],
    ['scopes', 'courses:read'],
    ['scopes', 'courses:write'],
  ]);
  const location = headers.get('location')!;
  const page = (await owner.get(location)).html;
  expect(page).toContain(`<dt>Courses and enrolments</dt><dd>See, Create and change</dd>`);
  expect(page).not.toContain('<b>Assistants</b>');
  expect((await owner.get(PATH)).html).toContain('<bdi>&lt;b>Assistants&lt;/b>');
  expect(await rolesOf()).toContainEqual(
    expect.objectContaining({ name, description: null, scopes: ['courses:read', 'courses:write'] }),
  );
});

test('sending the form twice creates one role', async () => {
  const { html } = await owner.get(`${PATH}/new`);
  const hidden = [...html.slice(html.lastIndexOf('<form')).matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const fields = [...hidden.map(([, name, value]) => [name!, value!]), ['name', 'Twice'], ['scopes', 'groups:read']];
  const [first, again] = [await owner.send(PATH, fields as never), await owner.send(PATH, fields as never)];
  expect([first.status, first.headers.get('location')]).toEqual([303, again.headers.get('location')]);
  expect((await rolesOf()).filter(({ name }) => name === 'Twice')).toHaveLength(1);
});

test.each<[string, [string, string][], string]>([
  [
    'a name that exists',
    [
      ['name', 'OWN ROLE'],
      ['scopes', 'groups:read'],
    ],
    'Another role has this name',
  ],
  [
    'no permission',
    [
      ['name', 'Nothing'],
      ['description', 'Kept'],
    ],
    'Please tick at least one box.',
  ],
  [
    'an unknown permission',
    [
      ['name', 'Other'],
      ['scopes', 'all'],
    ],
    'Please tick at least one box.',
  ],
  [
    'a name of 201 characters',
    [
      ['name', 'x'.repeat(201)],
      ['scopes', 'groups:read'],
    ],
    'at most 200 ordinary characters',
  ],
])('%s is reported as a fault, and the form keeps the input', async (_title, fields, fault) => {
  const { status, html } = await create(fields);
  expect(status).toBe(400);
  expect(html).toContain(fault);
  expect(html).toContain(`value="${fields[0]![1]}"`);
});

test('a role is changed, and an outdated form changes nothing', async () => {
  const stale = (await owner.get(`${OWN}/edit`)).html;
  expect(stale).toContain('value="groups:read" checked');
  const fields: [string, string][] = [
    ['name', 'Assistants'],
    ['scopes', 'groups:read'],
    ['scopes', 'learners:read'],
  ];
  expect((await owner.post(`${OWN}/edit`, fields)).headers.get('location')).toBe(`${OWN}?notice=saved`);
  const saved = { name: 'Assistants', scopes: ['groups:read', 'learners:read'] };
  expect(await rolesOf()).toContainEqual(expect.objectContaining(saved));
  const hidden = [...stale.slice(stale.lastIndexOf('<form')).matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const send = (more: [string, string][]) =>
    owner.send(`${OWN}/edit`, [...hidden.map(([, name, value]): [string, string] => [name!, value!]), ...more]);
  const outdated = await send([
    ['name', 'Other'],
    ['scopes', 'admins:write'],
  ]);
  expect(outdated.headers.get('location')).toBe(`${OWN}?notice=conflict`);
  expect(await rolesOf()).toContainEqual(expect.objectContaining(saved));
  expect((await send(fields)).headers.get('location')).toBe(`${OWN}?notice=saved`);
});

test('a role is given to an admin, and cannot be deleted as long as the admin has it', async () => {
  const given = await owner.post(OWN, { adminId: second }, `${OWN}/admins`);
  expect(given.headers.get('location')).toBe(`${OWN}?notice=assigned`);
  const question = (await owner.get(`${OWN}/delete`)).html;
  expect(question).toContain('One admin has this role.');
  expect(question).toContain(`href="/console/admins/${second}"`);
  expect(question).not.toContain(`action="${OWN}/delete"`);
  const { form_token: formToken } = Object.fromEntries(
    [...question.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  ) as { form_token: string };
  const refused = await owner.send(`${OWN}/delete`, { form_token: formToken });
  expect([refused.status, (await rolesOf()).some(({ id }) => id === roleId('tenant'))]).toEqual([400, true]);
  const none = await owner.post(OWN, { adminId: '' }, `${OWN}/admins`);
  expect(none.status).toBe(404);
});

test('a role without admins is deleted after a confirmation', async () => {
  const { headers } = await create([
    ['name', 'Short-lived'],
    ['scopes', 'groups:read'],
  ]);
  const path = headers.get('location')!.split('?')[0]!;
  const deleted = await owner.post(`${path}/delete`);
  expect(deleted.headers.get('location')).toBe(`${PATH}?notice=deleted`);
  expect((await owner.get(path)).status).toBe(404);
  expect((await owner.get(deleted.headers.get('location')!)).html).toContain('The role has been deleted.');
});

test.each(builtInRoles.map(({ role }) => role))(
  'the built-in role %s is shown, and cannot be changed',
  async (role) => {
    const { status, html } = await owner.get(`${PATH}/${role}`);
    expect(status).toBe(200);
    expect(html).toContain('This role is built in.');
    expect(html).not.toContain(`${PATH}/${role}/edit`);
    expect((await owner.get(`${PATH}/${role}/edit`)).status).toBe(404);
    expect((await owner.get(`${PATH}/${role}/delete`)).status).toBe(404);
  },
);

// The second admin has the console in German.
test('an auditor reads roles and their admins, and can change nothing', async () => {
  await giveRole('auditor');
  const auditor = await Admin.of('tenant', 2);
  const list = await auditor.get(PATH);
  expect([list.status, list.html.includes(`${PATH}/new`)]).toEqual([200, false]);
  const { status, html } = await auditor.get(OWN);
  expect([status, html.includes('<dt>Gruppen</dt><dd>Ansehen</dd>')]).toEqual([200, true]);
  for (const form of ['edit', 'delete', 'admins']) expect(html).not.toContain(`${OWN}/${form}`);
  for (const path of [`${PATH}/new`, `${OWN}/edit`, `${OWN}/delete`])
    expect((await auditor.get(path)).status).toBe(403);
});

test('an admin gives only permissions that they have, and roles of another company do not exist', async () => {
  await testService.query(`update roles set scopes = '{roles:read,roles:write,groups:read}' where id = $1`, [
    roleId('tenant'),
  ]);
  await giveRole('custom', roleId('tenant'));
  const limited = await Admin.of('tenant', 2);
  const { html } = await limited.get(`${PATH}/new`);
  expect([html.includes('value="groups:read"'), html.includes('value="learners:read"')]).toEqual([true, false]);
  const refused = await limited.post(
    `${PATH}/new`,
    [
      ['name', 'More'],
      ['scopes', 'learners:read'],
    ],
    PATH,
  );
  expect([refused.status, refused.html.includes('enthält nicht alle diese Rechte')]).toEqual([403, true]);
  expect((await owner.get(`${PATH}/${roleId('other')}`)).status).toBe(404);
});

test('the form of a role does not count its admins for an admin who cannot read them', async () => {
  await testService.query(`update roles set scopes = '{roles:read,roles:write,groups:read}' where id = $1`, [
    roleId('tenant'),
  ]);
  await giveRole('custom', roleId('tenant'));
  const { status, html } = await (await Admin.of('tenant', 2)).get(`${OWN}/edit`);
  expect([status, html.includes('Niemand hat diese Rolle')]).toEqual([200, false]);
});

test('an analyst does not find roles', async () => {
  await giveRole('analyst');
  const analyst = await Admin.of('tenant', 2);
  expect((await analyst.get('/console')).html).not.toContain(`href="${PATH}"`);
  expect((await analyst.get(PATH)).status).toBe(403);
});
