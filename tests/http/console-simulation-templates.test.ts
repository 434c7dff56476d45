/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { forgetSimulations, makeTemplate } from '../support/own-simulations.ts';
import { Admin } from '../support/admin.ts';
import { get, post } from '../support/client.ts';
import { adminId, companies } from '../support/world.ts';
import { textOf } from './setup-page.ts';

const PATH = '/console/simulations/templates';
let mary = new Admin('');
beforeAll(async () => {
  mary = await Admin.of('tenant', 1);
});
afterEach(forgetSimulations);

const TYPED = {
  name: 'Parking card',
  deliveryMethod: 'email',
  difficulty: '2',
  senderName: 'Parking management',
  senderMailbox: 'parking',
  subject: '{{firstName}}, your card ends on Friday',
  html: '<p>Hello {{firstName}}</p>\r\n<p><a href="{{link}}">Renew it</a></p>',
  text: 'Renew it: {{link}}',
  cues: '“Friday” hurries you.\r\n\r\nThe sender is unknown.',
  lesson: 'Ask first.',
};
const locationOf = ({ headers }: { headers: Headers }) => headers.get('location')!.replace(/\?.*/, '');

test('an admin writes a template, sees the message with its marks, adds a language, and edits the text', async () => {
  const created = await mary.post(`${PATH}/new`, TYPED);
  expect([created.status, created.headers.get('location')]).toEqual([303, expect.stringMatching(/notice=created$/)]);
  const path = locationOf(created);
  const page = await mary.get(path);
  expect(page.html).toMatch(/<mark id="mark-1"[^>]*>Friday<sup>/);
  expect(page.html).toMatch(/<mark id="mark-2"[^>]*>parking@sender\.example<sup>/);
  expect(page.html).not.toMatch(/<article class="mail".*<a href="http/s);
  expect(page.headers.get('content-security-policy')).toContain("style-src-attr 'unsafe-inline'");
  const german = { ...TYPED, subject: 'Ihr Ausweis, {{firstName}}', locale: 'de' };
  const added = await mary.post(`${path}/edit?locale=de`, Object.entries(german), `${path}/edit`);
  expect(added.headers.get('location')).toBe(`${path}?locale=de&notice=saved`);
  await mary.post(`${path}/edit?locale=en`, { subject: 'x' }, `${path}/edit`);
  const { content, locales } = (await get(`/simulation-templates/${path.split('/').at(-1)!}`)).body.data;
  expect(locales).toEqual(['en', 'de']);
  expect(content).toMatchObject([
    { locale: 'en', subject: TYPED.subject, cues: ['“Friday” hurries you.', 'The sender is unknown.'] },
    { locale: 'de', subject: 'Ihr Ausweis, {{firstName}}' },
  ]);
});

test('sending the form twice creates one template', async () => {
  const { html } = await mary.get(`${PATH}/new`);
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name!,
    value!,
  ]);
  const fields = [...hidden, ...Object.entries(TYPED)] as [string, string][];
  const answers = [await mary.send(`${PATH}/new`, fields), await mary.send(`${PATH}/new`, fields)];
  expect(new Set(answers.map(locationOf)).size).toBe(1);
});

test('faults are shown at their fields with the reason, and the form keeps the input', async () => {
  const html = '<p onclick="x">Hello</p>';
  const page = await mary.post(`${PATH}/new`, { ...TYPED, html, senderMailbox: 'Not A Mailbox' });
  expect(page.status).toBe(400);
  expect(page.html).toContain('id="senderMailbox-fault"');
  const second = await mary.post(`${PATH}/new`, { ...TYPED, html });
  expect(second.html).toMatch(/id="html-fault" role="alert">Please correct this field: [^<]*(onclick|link)/);
  expect(second.html).toContain('&lt;p onclick=&quot;x&quot;>Hello');
});

test('a change by somebody else in the meantime is reported, and nothing is overwritten', async () => {
  const path = locationOf(await mary.post(`${PATH}/new`, TYPED));
  const stale = await mary.get(`${path}/edit?locale=en`);
  await mary.post(`${path}/edit?locale=en`, { ...TYPED, subject: 'First' }, `${path}/edit`);
  const hidden = [...stale.html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name, value]): [string, string] => [name!, value!],
  );
  const answer = await mary.send(`${path}/edit`, [...hidden, ...Object.entries({ ...TYPED, subject: 'Second' })]);
  expect(answer.status).toBe(412);
  expect(textOf(answer)).toContain('Somebody else has changed the template in the meantime');
  expect(textOf(await mary.get(path))).toContain('First');
});

test('the list filters templates, and its pictures load nothing and cannot be focused', async () => {
  const id = await makeTemplate();
  await makeTemplate({ deliveryMethod: 'qr_code' });
  const list = await mary.get(`${PATH}?deliveryMethod=email&difficulty=2&locale=de`);
  expect(list.html.match(/<iframe /g)).toHaveLength(1);
  expect(list.html).toContain(`href="${PATH}/${id}"`);
  expect(textOf(await mary.get(`${PATH}?difficulty=5`))).toContain('No template matches.');
  const picture = await mary.get(`${PATH}/${id}/picture`);
  expect(picture.html).toMatch(/Parcel service.*A parcel for/s);
  expect(picture.html).not.toMatch(/<a |<script|<img|<mark/);
  expect(picture.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'self'.*sandbox/);
});

test("a managed template is copied instead of edited; the company's own is retired, restored and deleted", async () => {
  const id = await makeTemplate();
  const managed = await mary.get(`${PATH}/${id}`);
  expect(managed.html).not.toMatch(/\/(edit|delete|retire)"/);
  const copy = locationOf(
    await mary.post(`${PATH}/new?from=${id}&locale=en`, { ...TYPED, name: 'Copy' }, `${PATH}/new`),
  );
  expect((await mary.post(copy, {}, `${copy}/retire`)).headers.get('location')).toBe(`${copy}?notice=retired`);
  await mary.post(copy, {}, `${copy}/restore`);
  expect(textOf(await mary.get(`${copy}/delete`))).toContain('Delete this template?');
  expect((await mary.post(`${copy}/delete`)).headers.get('location')).toBe(`${PATH}?notice=removed`);
  expect((await mary.get(copy)).status).toBe(404);
});

test("an auditor reads templates and is offered no change, and another company's template returns 404", async () => {
  const foreign = await makeTemplate({ ownerId: companies.other });
  expect((await mary.get(`${PATH}/${foreign}`)).status).toBe(404);
  const id = await makeTemplate({ ownerId: companies.tenant });
  await testService.query(`update admins set role = 'auditor' where id = $1`, [adminId('tenant', 1)]);
  const pages = [await mary.get(PATH), await mary.get(`${PATH}/${id}`)];
  await testService.query(`update admins set role = 'owner' where id = $1`, [adminId('tenant', 1)]);
  expect(pages.map(({ status }) => status)).toEqual([200, 200]);
  for (const { html } of pages) expect(html).not.toMatch(/\/new|\/edit|\/delete|\/retire/);
});

test('GET /simulation-templates/{id}/picture rejects a language that the template does not have', async () => {
  const id = await makeTemplate();
  const { status, body } = await get(`/simulation-templates/${id}/picture?locale=de`);
  expect([status, body.data.locale, body.data.cues]).toEqual([
    ...[200, 'de', [{ text: 'Den Absender gibt es nicht', isMarked: true }]],
  ]);
  expect((await get(`/simulation-templates/${id}/picture?locale=fr`)).status).toBe(400);
  expect((await post(`/simulation-templates/${id}/picture`)).status).toBe(405);
});
