import { Admin, hiddenOf } from '../support/admin.ts';
import { get } from '../support/client.ts';
import { adminId, groupId } from '../support/world.ts';

const PATH = '/console/admins/provisioning';
const group = groupId('tenant', 1);
const setting = async () => (await get('/company/admin-provisioning')).body.data;

test('an owner chooses groups and roles, and switches provisioning off', async () => {
  const owner = await Admin.of('tenant');
  expect((await owner.get('/console/admins')).html).toContain(`href="${PATH}"`);
  const fields = { enabled: 'yes', 'group-0': group, 'role-0': 'auditor', 'group-1': '', 'role-1': 'owner' };
  expect((await owner.post(PATH, fields)).headers.get('location')).toBe(PATH);
  expect(await setting()).toMatchObject({
    ...{ enabled: true, joinsExistingAdmins: false, skipped: [] },
    roles: [{ groupId: group, role: 'auditor' }],
  });
  const { html } = await owner.get(PATH);
  expect(html).toMatch(new RegExp(`<option value="${group}" selected`));
  expect(html).toMatch(/<option value="auditor" selected/);
  const twice = { ...fields, 'group-1': group };
  const refused = await owner.post(PATH, twice);
  expect(refused.status).toBe(400);
  expect(refused.html).toContain('role="alert"');
  await owner.post(PATH, { 'group-0': group, 'role-0': 'auditor' });
  expect(await setting()).toMatchObject({ enabled: false });
});

test('an admin who cannot do everything neither sees the page nor changes the setting', async () => {
  await testService.query(`update admins set role = 'administrator' where id = $1`, [adminId('tenant', 1)]);
  const admin = await Admin.of('tenant');
  expect((await admin.get('/console/admins')).html).not.toContain(PATH);
  expect((await admin.get(PATH)).status).toBe(403);
  const { form_token } = hiddenOf((await admin.get('/console/admins')).html);
  expect((await admin.send(PATH, { form_token: form_token!, enabled: 'yes' })).status).toBe(403);
  await testService.query(`update admins set role = 'owner' where id = $1`, [adminId('tenant', 1)]);
});

test.each(['de', 'fr'])('the page is in %s', async (language) => {
  await testService.query('update admins set locale = $2 where id = $1', [adminId('tenant', 1), language]);
  const page = await (await Admin.of('tenant')).get(PATH);
  expect(page.status).toBe(200);
  expect(page.html).toContain(`lang="${language}"`);
});
