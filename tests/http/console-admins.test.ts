/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { fingerprintOf, get } from '../support/client.ts';
import { Admin, hiddenOf } from '../support/admin.ts';
import { adminId } from '../support/world.ts';
import { textOf } from './setup-page.ts';

const PATH = '/console/admins';
const invited = { firstName: 'Annie', lastName: 'Easley', email: 'annie@tenant.test', locale: 'fr' };
const withAddress = async (email: string) =>
  ((await get('/admins')).body.data as { email: string }[]).filter((admin) => admin.email === email);

let admin: Admin;
beforeEach(async () => {
  admin = await Admin.of('tenant');
});

test("the page shows only admins of the admin's company", async () => {
  const { status, html } = await admin.get(PATH);
  expect(status).toBe(200);
  expect(html).toContain('admin2@tenant.test');
  expect(html).not.toContain('@other.test');
  const msp = await (await Admin.of('msp')).get(PATH);
  expect(msp.html).not.toContain('@childa.test');
});

test('inviting an admin sends one email, even if the form is sent twice', async () => {
  const hidden = hiddenOf((await admin.get(PATH)).html);
  const send = () => admin.send(PATH, { ...hidden, ...invited });
  expect((await Promise.all([send(), send()])).map(({ status }) => status)).toEqual([303, 303]);
  expect(await withAddress(invited.email)).toMatchObject([{ ...invited, status: 'invited' }]);
  const mails = await testService.query(
    `select from messages m join admins a on a.id = m.admin_id where a.email = $1 and m.kind = 'admin_invite'`,
    [invited.email],
  );
  expect(mails).toHaveLength(1);
  const { entries } = (await get('/audit-log?operation=createAdmin')).body.data;
  expect(entries).toMatchObject([{ actorType: 'admin', actorId: adminId('tenant', 1), outcome: 'done' }]);
});

test.each([
  ['firstName', { firstName: ' ' }],
  ['lastName', { lastName: 'www.evil.example' }],
  ['email', { email: 'no address' }],
  ['email', { email: 'admin2@tenant.test' }],
  ['email', { email: 'a@tenant.test\r\nBcc: x@evil.example' }],
])('an invalid %s is reported at the field, and no admin is invited', async (field, wrong) => {
  const before = await fingerprintOf('tenant');
  const { status, html } = await admin.post(PATH, { ...invited, ...wrong });
  expect(status).toBe(400);
  expect(html).toContain(`id="${field}-fault"`);
  expect(await fingerprintOf('tenant')).toBe(before);
});

test('an invalid language is rejected, and HTML in names is escaped', async () => {
  expect((await admin.post(PATH, { ...invited, locale: '"><b id=x>' })).status).toBe(400);
  const names = { ...invited, firstName: '"><b id=x>', email: 'html@tenant.test' };
  expect((await admin.post(PATH, names)).status).toBe(303);
  const page = await admin.get(PATH);
  expect(page.html).not.toContain('<b id=x>');
  expect(textOf(page)).toContain('<b id=x>');
});

describe('the page of an admin', () => {
  const pageOf = async (email: string) => {
    const [found] = (await withAddress(email)) as { email: string; id?: string }[];
    return `${PATH}/${found!.id!}`;
  };

  test('sends an invitation again, once for a form that is sent twice, and says so', async () => {
    const email = 'again@tenant.test';
    await admin.post(PATH, { ...invited, email });
    const path = await pageOf(email);
    const hidden = hiddenOf((await admin.get(path)).html);
    const sent = await Promise.all([1, 2].map(() => admin.send(`${path}/invite`, hidden)));
    expect(sent.map(({ status }) => status)).toEqual([303, 303]);
    expect(textOf(await admin.get(sent[0]!.headers.get('location')!))).toContain('The invitation is on its way.');
    const mails = await testService.query(
      `select from messages m join admins a on a.id = m.admin_id where a.email = $1 and m.kind = 'admin_invite'`,
      [email],
    );
    expect(mails.length).toBeLessThanOrEqual(2);
    const limited = await admin.post(path, {}, `${path}/invite`);
    expect(limited.status).toBe(429);
    expect(limited.html).toContain('role="alert"');
  });

  test('removes an admin after a confirmation', async () => {
    const email = 'leaver@tenant.test';
    await admin.post(PATH, { ...invited, email });
    const path = await pageOf(email);
    expect(textOf(await admin.get(`${path}/remove`))).toContain('The invitation of Annie Easley stops working.');
    const removed = await admin.post(`${path}/remove`);
    expect([removed.status, removed.headers.get('location')]).toEqual([303, `${PATH}?notice=removed`]);
    expect(await withAddress(email)).toEqual([]);
    expect((await admin.get(path)).status).toBe(404);
    expect((await admin.post(PATH, {}, `${path}/remove`)).status).toBe(404);
  });

  test('the last owner cannot be removed, and the page says why', async () => {
    const path = `${PATH}/${adminId('tenant', 1)}`;
    await testService.query(`update admins set status = 'invited' where id = $1`, [adminId('tenant', 2)]);
    const { status, html } = await admin.post(`${path}/remove`);
    expect(status).toBe(400);
    expect(html).toContain('needs an active owner');
  });

  test('returns 404 for an admin of another company', async () => {
    for (const path of ['', '/remove']) {
      expect((await admin.get(`${PATH}/${adminId('other', 1)}${path}`)).status).toBe(404);
    }
  });
});
