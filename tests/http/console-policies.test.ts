/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin, hiddenOf } from '../support/admin.ts';
import { get } from '../support/client.ts';
import type { Page } from '../support/learner.ts';
import { onePagePdf, policyId, templateId, versionId } from '../support/world-policies.ts';
import { adminId, groupId, learnerId } from '../support/world.ts';
import { restorePolicies, update } from '../resources/policies/policy-state.ts';
import { bytesOf, written } from '../resources/policies/pdf-samples.ts';
import { textOf } from './setup-page.ts';

const PATH = '/console/policies';
/** Returns the text of a page with single spaces. */
const words = (page: Page) => textOf(page).replaceAll(/\s+/g, ' ');
const policy = (number: 1 | 2 | 3, rest = '') => `${PATH}/${policyId('tenant', number)}${rest}`;
const pdf = { name: 'use.pdf', bytes: onePagePdf, type: 'application/pdf' };
const read = async (number: 1 | 2 | 3) => (await get(`/policies/${policyId('tenant', number)}`)).body.data;
const locationOf = ({ headers }: { headers: Headers }) => headers.get('location');

restorePolicies();
let mary = new Admin('');
beforeAll(async () => {
  mary = await Admin.of('tenant', 1);
});

test('the list shows states, versions and signatures, and filters by name and state', async () => {
  const text = words(await mary.get(PATH));
  expect(text).toMatch(/Policy 3 of tenant Draft – 0 –/);
  expect(text).toMatch(/Policy 1 of tenant Published 1\.0 1 1 of 2/);
  const drafts = await mary.get(`${PATH}?policyState=draft&nameContains=policy%202`);
  expect(drafts.html.match(/<th scope="row">/g)).toHaveLength(1);
  expect(words(await mary.get(`${PATH}?nameContains=nothing`))).toContain('No policy matches');
});

test('an admin uploads a policy, looks at its PDF and publishes it', async () => {
  const fields = { name: 'Clean desk', category: 'Office', ownerEmail: '', isPublic: 'yes' };
  const created = await mary.upload(`${PATH}/new`, fields, pdf);
  expect([created.status, locationOf(created)]).toEqual([303, expect.stringMatching(/notice=created$/)]);
  const path = locationOf(created)!.replace(/\?.*/, '');
  const id = path.split('/').at(-1)!;
  const page = words(await mary.get(path));
  expect(page).toContain('No version is published yet.');
  expect(page).toContain('use.pdf , one page');
  const reader = await mary.get(`${path}/read/draft`);
  expect(reader.html).toContain(`data-file="${path}/files/draft.pdf"`);
  expect(reader.headers.get('content-security-policy')).toMatch(/default-src 'none'.*worker-src 'self'/);
  const file = await mary.get(`${path}/files/draft.pdf`);
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect(words(await mary.get(`${path}/publish`))).toContain('Nobody is asked to sign it until you assign');
  expect(locationOf(await mary.post(`${path}/publish`))).toBe(`${path}?notice=published`);
  expect((await get(`/policies/${id}`)).body.data).toMatchObject({ isLive: true, isPublic: true, category: 'Office' });
});

test('sending the form of a new policy twice creates one policy', async () => {
  const fields = { ...hiddenOf((await mary.get(`${PATH}/new`)).html), name: 'Twice' };
  const send = () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([new Uint8Array(onePagePdf)]), 'twice.pdf');
    return mary.sendForm(`${PATH}/new`, form);
  };
  expect(locationOf(await send())).toBe(locationOf(await send()));
});

const encrypted = async () => {
  const document = await written(1);
  document.encrypt({ userPassword: 'secret', ownerPassword: 'owner' });
  return bytesOf(document, false);
};

test.each([
  ['no file', () => undefined, 'Please choose a PDF file.'],
  ['no PDF', () => Buffer.from('Hello'), 'This is not a readable PDF.'],
  ['an encrypted PDF', encrypted, 'This PDF has a password.'],
  [
    'active content',
    async () => {
      const document = await written(1);
      document.addJavaScript('main', 'app.alert(1)');
      return bytesOf(document);
    },
    'This PDF has active content',
  ],
])('%s is explained at the file, and the form keeps the input', async (_what, make, fault) => {
  const bytes = await make();
  const page = await mary.upload(`${PATH}/new`, { name: 'A "name"' }, bytes && { name: 'x.pdf', bytes });
  expect(page.status).toBe(400);
  expect(words(page)).toContain(fault);
  expect(page.html).toContain('id="file-fault"');
  expect(page.html).toContain('value="A &quot;name&quot;"');
});

test('a file that is too large is explained, whether it exceeds the limit for forms or for files', async () => {
  for (const bytes of [Buffer.alloc(26_300_000), Buffer.alloc(26 * 1024 * 1024 + 200_000)]) {
    const page = await mary.upload(`${PATH}/new`, { name: 'Large' }, { name: 'large.pdf', bytes });
    expect([page.status, words(page).includes('This file is too large.')]).toEqual([413, true]);
  }
});

test('a form with a file and without the token of the session is rejected', async () => {
  const form = new FormData();
  form.append('name', 'Foreign');
  form.append('file', new Blob([new Uint8Array(onePagePdf)]), 'x.pdf');
  expect((await mary.sendForm(`${PATH}/new`, form)).status).toBe(403);
  expect(words(await mary.get(PATH))).not.toContain('Foreign');
});

test('a draft keeps its file unless another is chosen, and a change by somebody else is reported', async () => {
  const path = policy(1, '/draft');
  const stale = hiddenOf((await mary.get(path)).html);
  const saved = await mary.upload(path, { name: 'New name', category: '' });
  expect(locationOf(saved)).toBe(`${policy(1)}?notice=draftSaved`);
  expect((await read(1)).draft).toMatchObject({ name: 'New name', fileName: 'policy.pdf' });
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...stale, name: 'Mine' })) form.append(name, value);
  const refused = await mary.sendForm(path, form);
  expect([refused.status, words(refused).includes('Somebody else has changed')]).toEqual([412, true]);
  expect(refused.html).toContain('value="Mine"');
  expect((await read(1)).draft.name).toBe('New name');
});

test('publishing says who must sign again, and asks everybody on request', async () => {
  await update(policyId('tenant', 1), { action: 'draft', name: 'Second' });
  const question = words(await mary.get(policy(1, '/publish')));
  expect(question).toContain('Everybody with the policy (2), including those who have signed (1).');
  expect(question).toContain('Those who have not signed (1)');
  await mary.post(policy(1, '/publish'), { resend: 'yes', major: 'yes' });
  expect(await read(1)).toMatchObject({ majorVersion: 2, minorVersion: 0, assignedCount: 2, signedCount: 0 });
  const again = await mary.send(policy(1, '/publish'), hiddenOf((await mary.get(policy(1, '/delete'))).html));
  expect(again.status).not.toBe(500);
  expect((await read(1)).majorVersion).toBe(2);
});

test('a draft that changed after the confirmation page was shown is not published', async () => {
  await update(policyId('tenant', 1), { action: 'draft', name: 'Shown' });
  const fields = hiddenOf((await mary.get(policy(1, '/publish'))).html);
  await update(policyId('tenant', 1), { action: 'draft', name: 'Changed' });
  const page = await mary.send(policy(1, '/publish'), fields);
  expect([page.status, words(page).includes('The draft has changed in the meantime.')]).toEqual([412, true]);
  expect((await read(1)).name).toBe('Policy 1 of tenant');
});

test('a draft is discarded and a policy deleted after a confirmation, and a second click changes nothing', async () => {
  expect(words(await mary.get(policy(3, '/discard')))).toContain('it will be left without content');
  expect(locationOf(await mary.post(policy(3, '/discard')))).toBe(`${policy(3)}?notice=discarded`);
  expect(words(await mary.get(policy(3)))).toContain('There is no draft.');
  const fields = hiddenOf((await mary.get(policy(3, '/delete'))).html);
  for (let click = 0; click < 2; click += 1)
    expect(locationOf(await mary.send(policy(3, '/delete'), fields))).toBe(`${PATH}?notice=deleted`);
  expect((await mary.get(policy(3))).status).toBe(404);
});

test('a policy is created from a template', async () => {
  const fields = { policyTemplateId: templateId('tenant', 1), name: '' };
  const created = await mary.post(`${PATH}/from-template`, fields);
  expect(locationOf(created)).toMatch(/notice=created$/);
  const refused = await mary.post(`${PATH}/from-template`, { policyTemplateId: templateId('other', 2) });
  expect([refused.status, words(refused).includes('Please choose one of the templates.')]).toEqual([404, true]);
});

test('a policy is assigned to a group and to everybody, and withdrawn, each after a preview', async () => {
  const path = policy(2, '/people/assign');
  const preview = await mary.get(`${path}?who=matching&groupId=${groupId('tenant', 1)}`);
  expect(words(preview)).toMatch(/(One person|\d people) will be asked to read and sign/);
  expect((await read(2)).assignedCount).toBe(1);
  const done = await mary.post(`${path}?who=matching`, {}, path);
  expect(locationOf(done)).toMatch(/notice=people-assign&count=\d+$/);
  const { assignedCount } = await read(2);
  expect(assignedCount).toBeGreaterThan(2);
  expect(words(await mary.get(`${path}?who=matching`))).toContain('Nobody is affected.');
  const withdraw = policy(2, '/people/withdraw');
  const removed = await mary.post(`${withdraw}?who=matching`, {}, withdraw);
  expect(locationOf(removed)).toBe(`${policy(2)}?notice=people-withdraw&count=${assignedCount}`);
  expect(words(await mary.get(locationOf(removed)!))).toContain(`withdrawn from ${assignedCount} people`);
  expect(words(await mary.get(`${path}?who=matching&department=None`))).toContain('No active person matches.');
});

test('the people who have not signed are listed, chosen and reminded', async () => {
  const list = await mary.get(policy(1, '/unsigned'));
  expect(list.html).toContain(`name="learnerId" value="${learnerId('tenant', 2)}"`);
  expect(list.html).not.toContain(learnerId('tenant', 1));
  const path = policy(1, '/people/remind');
  const chosen = `${path}?who=chosen&learnerId=${learnerId('tenant', 2)}&learnerId=${learnerId('tenant', 1)}`;
  const preview = words(await mary.get(chosen));
  expect(preview).toContain('One person will get a reminder.');
  expect(preview).toMatch(/Already signed 1/);
  expect((await mary.get(`${path}?who=chosen`)).status).toBe(400);
});

test('names with markup and bidirectional text stay text', async () => {
  await update(policyId('tenant', 1), { action: 'live', name: '<b>טקסט</b> '.repeat(10).trim() });
  const { html } = await mary.get(policy(1));
  expect(html).not.toContain('<b>ט');
  expect(html).toContain('<bdi>&lt;b>טקסט');
});

test('an auditor reads policies and changes none, and a policy of another company returns 404', async () => {
  const foreign = `${PATH}/${policyId('other', 1)}`;
  expect((await mary.get(foreign)).status).toBe(404);
  expect((await mary.get(policy(1, `/read/${versionId('other', 1)}`))).status).toBe(404);
  expect((await mary.get(policy(1, `/files/${versionId('other', 1)}.pdf`))).status).toBe(404);
  await testService.query(`update admins set role = 'auditor' where id = $1`, [adminId('tenant', 1)]);
  const paths = [PATH, policy(2), policy(2, '/unsigned'), policy(2, `/read/${versionId('tenant', 2)}`)];
  const pages = await Promise.all(paths.map((path) => mary.get(path)));
  const closed = ['/publish', '/discard', '/delete', '/draft', '/people/assign', '/people/remind'];
  const refused = await Promise.all(
    [`${PATH}/new`, ...closed.map((rest) => policy(2, rest))].map((path) => mary.get(path)),
  );
  const { form_token = '' } = hiddenOf((await mary.get('/console/passkeys')).html);
  const form = new FormData();
  for (const [name, value] of Object.entries({ form_token, once: 'x'.repeat(32), name: 'No' }))
    form.append(name, value);
  form.append('file', new Blob(['not inspected']), 'x.pdf');
  const upload = await mary.sendForm(`${PATH}/new`, form);
  await testService.query(`update admins set role = 'owner' where id = $1`, [adminId('tenant', 1)]);
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  for (const { html } of pages) expect(html).not.toMatch(/href="[^"]*\/(new|publish|discard|delete|people\/\w+)"/);
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
  expect(upload.status).toBe(403);
});
