/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "CONTENT_FOLDER": "tests/fixtures/content"} */
import { Admin, hiddenOf } from '../support/admin.ts';
import { fingerprintOf, get } from '../support/client.ts';
import type { Page } from '../support/learner.ts';
import { nameWrittenCourses } from '../support/player.ts';
import { adminId, groupId, managedCourses, ownCourseId } from '../support/world.ts';
import { packageOf } from '../resources/courses/package-samples.ts';
import { textOf } from './setup-page.ts';

const PATH = '/console/courses';
const PHISHING = `${PATH}/${managedCourses.phishing}`;
const STEPS = `/console/preview/courses/${managedCourses.phishing}`;
/** Returns the text of a page with single spaces. */
const words = (page: Page) => textOf(page).replaceAll(/\s+/g, ' ');
const locationOf = ({ headers }: Page) => headers.get('location');
let mary = new Admin('');
beforeAll(async () => {
  await nameWrittenCourses();
  mary = await Admin.of('tenant', 1);
});

test('the list shows participation, and filters by name and source', async () => {
  expect(words(await mary.get(PATH))).toMatch(/Phishing <basics> Library Phishing \d+ \d+ \d+ \d+/);
  const own = await mary.get(`${PATH}?source=custom`);
  expect(own.html.match(/<th scope="row">/g)).toHaveLength(1);
  expect(words(await mary.get(`${PATH}?nameContains=nothing`))).toContain('No course matches');
});

test('each step is shown as learners see it, with its answers on request, and nothing is recorded', async () => {
  const page = await mary.get(PHISHING);
  expect(page.html).toContain(`href="${STEPS}/1"`);
  const before = await fingerprintOf('tenant');
  const lesson = await mary.get(`${STEPS}/1`);
  expect(lesson.html).toMatch(/<h1>What it wants<\/h1>.*<blockquote>.*<h2>Look twice<\/h2>/s);
  const question = await mary.get(`${STEPS}/2`);
  expect(question.html).toMatch(/<form method="get".*<input type="radio" name="first" value="b"/s);
  expect(question.html).not.toContain('class="good"');
  const right = await mary.get(`${STEPS}/2?answered=yes&first=b`);
  expect(right.html).toMatch(/<p class="good" role="status">/);
  expect((await mary.get(`${STEPS}/2?answered=yes&first=a`)).html).toMatch(/<p class="fault" role="status">/);
  expect(await fingerprintOf('tenant')).toEqual(before);
  expect((await mary.get(`${STEPS}/99`)).status).toBe(404);
  expect((await mary.get(`/console/preview/courses/${ownCourseId('other')}/1`)).status).toBe(404);
});

test('the preview is in the language that is chosen', async () => {
  expect((await mary.get(`${PHISHING}?language=de`)).html).toContain(`href="${STEPS}/1?language=de"`);
  const { html } = await mary.get(`${STEPS}/1?language=de`);
  expect(html).toContain('<div lang="de">');
});

test('people are enrolled, reminded and unenrolled after a preview of their number', async () => {
  const path = `${PATH}/${managedCourses.passwords}/people`;
  const enrolled = async () =>
    (await get(`/reports/courses?courseId=${managedCourses.passwords}`)).body.data[0].enrollmentCount;
  const before = await enrolled();
  const preview = words(await mary.get(`${path}/assign?who=matching&groupId=${groupId('tenant', 1)}`));
  expect(preview).toMatch(/will be enrolled and gets? an e-mail|Nobody is affected/);
  expect(await enrolled()).toBe(before);
  const done = await mary.post(`${path}/assign?who=matching`, {}, `${path}/assign`);
  expect(locationOf(done)).toMatch(/notice=people-assign&count=\d+$/);
  expect(await enrolled()).toBeGreaterThan(before);
  expect(words(await mary.get(`${path}/remind?who=matching`))).toMatch(/will get a reminder|Nobody is affected/);
  const nobody = await mary.send(`${path}/withdraw`, {
    ...hiddenOf((await mary.get(`${path}/withdraw?who=matching`)).html),
    groupId: 'x',
  });
  expect(nobody.headers.get('location')).toMatch(/count=0/);
  const removed = await mary.post(`${path}/withdraw?who=matching`, {}, `${path}/withdraw`);
  expect(words(await mary.get(locationOf(removed)!))).toContain('unenrolled');
});

test('an admin creates a course, uploads its package, reads the report and deletes both', async () => {
  const fields: [string, string][] = [
    ...Object.entries({
      name: 'forklifts',
      displayName: 'Forklifts',
      subject: 'Safety',
      difficulty: '2',
      passMark: '70',
    }),
    ['locales', 'en'],
    ['locales', 'de'],
  ];
  const created = await mary.post(`${PATH}/new`, fields);
  expect(locationOf(created)).toMatch(/notice=created$/);
  const path = locationOf(created)!.replace(/\?.*/, '');
  const file = { name: 'forklifts.zip', bytes: packageOf(), type: 'application/zip' };
  expect(locationOf(await mary.upload(`${path}/package`, {}, file))).toBe(`${path}?notice=packageSaved`);
  const page = words(await mary.get(path));
  expect(page).toMatch(/Standard SCORM 1\.2 .*First page index\.html File forklifts\.zip/);
  expect(page).toContain('What does not work here');
  expect(locationOf(await mary.post(`${path}/package/delete`))).toBe(`${path}?notice=packageDeleted`);
  expect(locationOf(await mary.post(`${path}/delete`))).toBe(`${PATH}?notice=deleted`);
  expect((await mary.get(path)).status).toBe(404);
});

test('faults of a new course are shown at their fields, and the form keeps the input', async () => {
  const typed = { name: 'x', displayName: '<b>', subject: '', difficulty: '2', passMark: '170' };
  const page = await mary.post(`${PATH}/new`, typed);
  expect(page.status).toBe(400);
  for (const field of ['passMark', 'locales', 'subject']) expect(page.html).toContain(`id="${field}-fault"`);
  expect(page.html).toContain('value="&lt;b>"');
});

test.each([
  ['no ZIP file', Buffer.from('Hello'), 'This is not a readable ZIP file.'],
  ['no manifest', packageOf().subarray(0, 40), 'This is not a readable ZIP file.'],
])('%s is explained at the file', async (_what, bytes, fault) => {
  const page = await mary.upload(`${PATH}/${ownCourseId('tenant')}/package`, {}, { name: 'x.zip', bytes });
  expect([page.status, words(page).includes(fault)]).toEqual([400, true]);
  expect(page.html).toContain('id="file-fault"');
});

test('a course of the library has no package and is not deleted', async () => {
  expect((await mary.get(`${PHISHING}/package`)).status).toBe(404);
  expect((await mary.get(`${PHISHING}/delete`)).status).toBe(404);
  expect((await mary.get(PHISHING)).html).not.toMatch(/\/(package|delete)"/);
});

test('an auditor reads courses and their preview, and changes nothing', async () => {
  const own = `${PATH}/${ownCourseId('tenant')}`;
  await testService.query(`update admins set role = 'auditor' where id = $1`, [adminId('tenant', 1)]);
  const pages = await Promise.all([PATH, PHISHING, own, `${STEPS}/1`].map((path) => mary.get(path)));
  const closed = [`${PATH}/new`, `${own}/package`, `${own}/delete`, `${own}/people/assign`];
  const refused = await Promise.all(closed.map((path) => mary.get(path)));
  const { form_token = '' } = hiddenOf((await mary.get('/console/passkeys')).html);
  const form = new FormData();
  for (const [name, value] of Object.entries({ form_token, once: 'x'.repeat(32) })) form.append(name, value);
  form.append('file', new Blob(['not inspected']), 'x.zip');
  const upload = await mary.sendForm(`${own}/package`, form);
  await testService.query(`update admins set role = 'owner' where id = $1`, [adminId('tenant', 1)]);
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  for (const { html } of pages) expect(html).not.toMatch(/href="[^"]*\/(new|package|delete|people\/\w+)"/);
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
  expect(upload.status).toBe(403);
});

test('a course is downloaded as a package from its page, in the chosen format and language', async () => {
  expect((await mary.get(PHISHING)).html).toContain(`action="${PHISHING}/export"`);
  const download = (query: string) =>
    fetch(`${testService.url}${PHISHING}/export${query}`, { headers: { cookie: mary.cookie } });
  const response = await download('?format=cmi5&language=en');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/zip');
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[A-Za-z0-9-]+-cmi5\.zip"/);
  expect((await download('?format=none&language=')).headers.get('content-disposition')).toContain('-scorm-2004.zip');
});
