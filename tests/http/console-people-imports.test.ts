/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin } from '../support/admin.ts';
import { get } from '../support/client.ts';
import { askPage, type Page } from '../support/learner.ts';
import { workbookOf } from '../support/workbooks.ts';
import { companies } from '../support/world.ts';
import { learnerImportId } from '../support/world-imports.ts';
import { forgetNewLearners } from '../resources/tenant-state.ts';

const PATH = '/console/people/imports';
const CSV = 'E-Mail;Vorname;Nachname;Abteilung\nada@new.test;Ada;King;Sales\ngrace@gmail.com;Grace;Hopper;\n';

let owner: Admin;
beforeAll(async () => {
  owner = await Admin.of('tenant', 1);
});
afterEach(async () => {
  await forgetNewLearners();
  await testService.query('delete from learner_imports where id <> all($1)', [
    Object.keys(companies).map((company) => learnerImportId(company as keyof typeof companies)),
  ]);
});

/** Returns the hidden fields of the form that is sent to a path. */
function fieldsOf(html: string, action: string): [string, string][] {
  const form = html.split('<form').find((one) => one.includes(`action="${action}"`)) ?? '';
  const found = [...form.split('</form>')[0]!.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return found.map(([, name, value]) => [name!, value!]);
}

/** Sends the form with a file or pasted text. */
async function upload(more: { file?: Blob; name?: string; text?: string }, html?: string): Promise<Page> {
  const body = new FormData();
  for (const [name, value] of fieldsOf(html ?? (await owner.get(PATH)).html, PATH)) body.set(name, value);
  body.set('file', more.file ?? new Blob([]), more.name ?? '');
  body.set('text', more.text ?? '');
  return askPage(PATH, { method: 'POST', body, headers: { cookie: owner.cookie } });
}

/** Uploads a table and returns the path of its import. */
async function uploaded(text = CSV): Promise<string> {
  const page = await upload({ file: new Blob([text]), name: 'people.csv' });
  expect(page.status).toBe(303);
  return page.headers.get('location')!;
}

async function send(path: string, form: string, more: Record<string, string> = {}): Promise<Page> {
  const { html } = await owner.get(path);
  return owner.send(`${path}/${form}`, [...fieldsOf(html, `${path}/${form}`), ...Object.entries(more)]);
}

const find = async (email: string) => (await get(`/learners?email=${email}`)).body.data[0];

test('a file is checked, imported and undone', async () => {
  const path = await uploaded();
  const checked = (await owner.get(path)).html;
  expect(checked).toContain('<bdi>Ada King</bdi>');
  expect(checked).toContain('Addresses at free e-mail providers are not accepted.');
  expect(checked).toContain('Import: 1 new, 0 changed');
  expect(checked).toContain('POST /v1/learner-imports/');
  expect(await find('ada@new.test')).toBeUndefined();
  const applied = await send(path, 'apply');
  expect({ status: applied.status, location: applied.headers.get('location') }).toEqual({
    status: 303,
    location: `${path}?notice=applied`,
  });
  expect(await find('ada@new.test')).toMatchObject({ department: 'Sales' });
  expect((await owner.get(`${path}?fate=rejected`)).html).not.toContain('Ada King');
  await send(path, 'undo');
  expect((await owner.get(path)).html).toContain('Deleted: 1.');
  expect(await find('ada@new.test')).toBeUndefined();
});

test('a workbook and a pasted table are read', async () => {
  const cell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const workbook = workbookOf([
    [cell('A1', 'Email'), cell('B1', 'First name')],
    [cell('A2', 'ada@new.test'), cell('B2', 'Ada')],
  ]);
  const file = new Blob([new Uint8Array(workbook)]);
  const sent = await upload({ file, name: 'people.xlsx' });
  expect((await owner.get(sent.headers.get('location')!)).html).toContain('ada@new.test');
  const pasted = await upload({ text: 'E-mail\tFirst name\r\nbob@new.test\tBob\r\n' });
  expect((await owner.get(pasted.headers.get('location')!)).html).toContain('Import: 1 new, 0 changed');
});

test('sending the same form again opens the same import, which is applied once', async () => {
  const { html } = await owner.get(PATH);
  const [first, second] = [await upload({ text: CSV }, html), await upload({ text: CSV }, html)];
  const path = first.headers.get('location')!;
  expect(second.headers.get('location')).toBe(path);
  const fields = fieldsOf((await owner.get(path)).html, `${path}/apply`);
  const answers = [await owner.send(`${path}/apply`, fields), await owner.send(`${path}/apply`, fields)];
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  const stale = await owner.send(`${path}/mapping`, [...fields, ['column-0', 'email']]);
  expect(stale.status).toBe(400);
  expect(stale.html).toContain('This list has already been imported or undone.');
});

test('columns are assigned by hand, and faults are shown at the column', async () => {
  const path = await uploaded('A,B\nada@new.test,Ada\n');
  expect((await owner.get(path)).html).toContain('Columns not assigned');
  const twice = await send(path, 'mapping', { 'column-0': 'email', 'column-1': 'email' });
  expect(twice.status).toBe(400);
  expect(twice.html).toContain('id="column-1-fault"');
  const none = await send(path, 'mapping', { 'column-0': '', 'column-1': 'firstName' });
  expect(none.html).toContain('One column must be the e-mail address or the employee number.');
  expect((await send(path, 'mapping', { 'column-0': 'email', 'column-1': 'firstName' })).status).toBe(303);
  expect((await owner.get(path)).html).toContain('Import: 1 new, 0 changed');
});

test.each([
  ['nothing', {}, 'Please choose a file, or paste a table.'],
  ['a header only', { text: 'email' }, 'There are no people'],
  ['an old workbook', { file: new Blob([Buffer.from('d0cf11e0', 'hex')]), name: 'a.xls' }, 'old format'],
])('a form with %s is shown again with the reason', async (_name, sent, text) => {
  const { status, html } = await upload(sent);
  expect(status).toBe(400);
  expect(html).toContain(text);
});

test('a long pasted table is not shown again', async () => {
  const { status, html } = await upload({ text: 'email\n'.repeat(50_000) });
  expect(status).toBe(400);
  expect(html.length).toBeLessThan(100_000);
  expect(html).toContain('id="text-fault"');
});

test('a form of another site, without its token or with a file that is too large is rejected', async () => {
  const body = new FormData();
  body.set('text', CSV);
  expect((await askPage(PATH, { method: 'POST', body, headers: { cookie: owner.cookie } })).status).toBe(403);
  const large = await upload({ file: new Blob([new Uint8Array(10 * 1024 * 1024 + 1)]), name: 'large.csv' });
  expect(large.status).toBe(413);
});

test('HTML and bidirectional text in a file are shown as text', async () => {
  const path = await uploaded('E-mail,First name,<b>Note</b>\nada@new.test,<i>Ada</i>,x\neve@new.test,E\u202eve,x\n');
  const { html } = await owner.get(path);
  expect(html).not.toMatch(/<b>Note|<i>Ada/);
  expect(html).toContain('<bdi>&lt;i>Ada&lt;/i></bdi>');
  expect(html).toContain('Please check the first name');
});

test('an auditor sees imports, but cannot import; the import of another company is not found', async () => {
  await testService.query(`update admins set role = 'auditor' where company_id = $1`, [companies.tenant]);
  const path = `${PATH}/${learnerImportId('tenant')}`;
  const [list, shown] = [await owner.get(PATH), await owner.get(path)];
  const refused = await askPage(`${path}/apply`, {
    method: 'POST',
    body: new URLSearchParams(fieldsOf(list.html, '/console/sign-out')),
    headers: { cookie: owner.cookie },
  });
  await testService.query(`update admins set role = 'owner' where company_id = $1`, [companies.tenant]);
  expect([list.status, shown.status, refused.status]).toEqual([200, 200, 403]);
  expect(list.html).not.toContain('enctype');
  expect(shown.html).not.toContain('/apply"');
  expect((await owner.get(`${PATH}/${learnerImportId('other')}`)).status).toBe(404);
});
