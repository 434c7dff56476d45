/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin, hiddenOf } from '../support/admin.ts';
import { get, post } from '../support/client.ts';
import type { Page } from '../support/learner.ts';
import { contentPath, questions, saveContent } from '../resources/courses/content-samples.ts';
import { adminId, ownCourseId } from '../support/world.ts';
import { textOf } from './setup-page.ts';

const COURSE = `/console/courses/${ownCourseId('tenant')}`;
const EDITOR = `${COURSE}/editor`;
const words = (page: Page) => textOf(page).replaceAll(/\s+/g, ' ');
const locationOf = ({ headers }: Page) => headers.get('location');
const filesOf = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await get(contentPath())).body.data.files.map(({ path, text }: { path: string; text: string }) => [path, text]),
  );
let mary = new Admin('');
beforeAll(async () => {
  mary = await Admin.of('tenant', 1);
});

/** Sends the form of a page with changed fields. */
async function send(path: string, fields: Record<string, string>, action = path): Promise<Page> {
  return mary.send(action, { ...hiddenOf((await mary.get(path)).html), ...fields });
}

test('a course begins empty, and a lesson and a question are written on pages', async () => {
  expect((await mary.get(COURSE)).html).toContain(`href="${EDITOR}"`);
  expect(words(await mary.get(EDITOR))).toContain('Begin with an empty course');
  expect(locationOf(await send(EDITOR, { source: '' }, `${EDITOR}/start`))).toBe(`${EDITOR}?notice=started`);
  expect(await filesOf()).toMatchObject({ 'en/01-first-lesson.md': '# First lesson\n' });
  const added = locationOf(await send(EDITOR, { action: 'addLesson', title: 'Über Zäune' }, `${EDITOR}/steps`));
  expect(added).toBe(`${EDITOR}/lessons/02-uber-zaune?notice=saved`);
  const lesson = `${EDITOR}/lessons/02-uber-zaune`;
  expect(locationOf(await send(lesson, { 'text-en': '# Fences\r\n\r\nText.\r\n' }))).toBe(`${lesson}?notice=saved`);
  const question = `${EDITOR}/questions/question-1`;
  const typed = { kind: 'one', lesson: '02-uber-zaune', right: '1', 'ask-en': 'What: now?', 'case-en': '' };
  const answers = { 'answer-0-en': 'A', 'because-0-en': 'So.', 'answer-1-en': 'B', 'because-1-en': 'Since.' };
  expect(locationOf(await send(question, { ...typed, ...answers }))).toBe(`${question}?notice=saved`);
  const { body } = await get(contentPath());
  expect(body.data.findings).toEqual([]);
  expect(await filesOf()).toMatchObject({
    'en/02-uber-zaune.md': '# Fences\n\nText.\n',
    'en/questions.yaml': expect.stringMatching(/lesson: 02-uber-zaune\n.*ask: 'What: now\?'/s),
  });
});

test('parts are moved, added and removed in all languages', async () => {
  await saveContent({ 'de/02-second.md': '# Zweite\n', 'fr/02-second.md': '# Deuxième\n' });
  await send(EDITOR, { action: 'up', step: 'lesson:02-second' }, `${EDITOR}/steps`);
  expect(await filesOf()).toMatchObject({
    ...{ 'de/01-second.md': '# Zweite\n', 'fr/01-second.md': '# Deuxième\n' },
    'de/questions.yaml': expect.stringContaining('lesson: 02-first'),
  });
  await send(EDITOR, { action: 'addQuestion', kind: 'scenario', lesson: '01-second' }, `${EDITOR}/steps`);
  expect((await get(contentPath())).body.data.findings).toEqual([]);
  const entry = `${EDITOR}/questions/question-2`;
  expect((await mary.get(entry)).html).toMatch(/<textarea id="text-de"[^>]*>- id: question-2/);
  const wrong = await send(entry, { 'text-de': 'not a list', 'text-fr': '- id: other\n' });
  expect([wrong.status, wrong.html]).toEqual([400, expect.stringContaining('not a list')]);
  const remove = `${EDITOR}/remove?step=${encodeURIComponent('lesson:01-second')}`;
  expect(words(await mary.get(remove))).toContain('“Zweite” will be removed');
  await send(remove, {}, `${EDITOR}/steps`);
  const files = await filesOf();
  expect(Object.keys(files)).toEqual([
    'course.yaml',
    'de/02-first.md',
    'fr/02-first.md',
    'de/questions.yaml',
    'fr/questions.yaml',
  ]);
  expect(files['de/questions.yaml']).not.toContain('01-second');
  expect((await get(contentPath())).body.data.findings).toEqual([]);
});

test('findings appear next to their fields and prevent publication', async () => {
  await saveContent({ 'de/01-first.md': '# Erste\n\n<b>x</b>\n' });
  const lesson = await mary.get(`${EDITOR}/lessons/01-first`);
  expect(lesson.html).toMatch(/id="text-de-fault"[^>]*>must not have HTML: &lt;b>/);
  const publish = await mary.get(`${EDITOR}/publish`);
  expect(words(publish)).toContain('To correct before you publish');
  expect(publish.html).not.toContain('<button type="submit">Publish</button>');
  await saveContent({ 'de/questions.yaml': '- id: [\n' });
  expect((await mary.get(EDITOR)).status).toBe(200);
  expect((await mary.get(`${EDITOR}/file?path=de/questions.yaml`)).html).toContain('- id: [');
  expect((await mary.get(`${EDITOR}/file?path=../x`)).status).toBe(404);
});

test('a draft that somebody else has saved in the meantime is not replaced, and the form keeps the input', async () => {
  await saveContent();
  const lesson = `${EDITOR}/lessons/01-first`;
  const hidden = hiddenOf((await mary.get(lesson)).html);
  await saveContent({ 'de/questions.yaml': questions('Von anderen?'), 'fr/questions.yaml': questions('Des autres ?') });
  const typed = { 'text-de': '# Meins', 'text-fr': '# Le mien' };
  const page = await mary.send(lesson, { ...hidden, ...typed });
  expect(page.status).toBe(412);
  expect(words(page)).toContain('Somebody else has saved this course in the meantime');
  expect(page.html).toContain('# Meins</textarea>');
  expect((await filesOf())['de/01-first.md']).not.toContain('Meins');
  expect((await mary.send(lesson, { ...hiddenOf(page.html), ...typed })).status).toBe(303);
  const files = await filesOf();
  expect(files['de/01-first.md']).toBe('# Meins\n');
  expect(files['de/questions.yaml']).toContain('Von anderen?');
});

test('languages are added as copies and removed, and names are changed', async () => {
  await saveContent();
  const path = `${EDITOR}/settings`;
  const typed = {
    minutes: '9',
    passMark: '75',
    'name-de': 'Neu',
    'summary-de': 'Kurz.',
    'name-en': 'New',
    'summary-en': 'Short.',
  };
  const fields = Object.entries({ ...hiddenOf((await mary.get(path)).html), ...typed });
  const none = await send(path, { ...typed, languages: '' });
  expect([none.status, words(none)]).toEqual([400, expect.stringContaining('Choose at least one language')]);
  expect((await mary.send(path, [...fields, ['languages', 'de'], ['languages', 'en']])).status).toBe(303);
  const files = await filesOf();
  expect(Object.keys(files).map((file) => file.slice(0, 2))).not.toContain('fr');
  expect(files['en/01-first.md']).toBe(files['de/01-first.md']);
  expect((await get(contentPath())).body.data.findings).toEqual([]);
});

test('a draft is previewed, published with a summary of its changes, and discarded', async () => {
  await saveContent();
  const preview = await mary.get(`/console/drafts/courses/${ownCourseId('tenant')}/1?language=de`);
  expect(preview.html).toContain('Erste Lektion');
  expect(words(await mary.get(`${EDITOR}/publish`))).toMatch(
    /Lesson: Erste Lektion \(new\).*Question: Was nun\? \(new\)/,
  );
  expect(locationOf(await send(`${EDITOR}/publish`, {}))).toBe(`${EDITOR}?notice=published`);
  expect((await mary.get(`${EDITOR}/publish`)).status).toBe(404);
  expect((await mary.get(COURSE)).html).toContain('Zeichnungen');
  await saveContent({ 'de/questions.yaml': questions('Anders?') });
  expect(words(await mary.get(`${EDITOR}/publish`))).toMatch(/What changes Question: Anders\? \(changed\)/);
  expect(locationOf(await send(`${EDITOR}/discard`, {}))).toBe(`${EDITOR}?notice=discarded`);
  expect((await get(contentPath())).body.data).toMatchObject({ state: 'published', hasDraft: false });
});

test('a course begins as a copy of one of the catalogue', async () => {
  const created = await post('/courses', {
    ...{ name: 'copy', subject: 'Copy', difficulty: 1, passMark: 50, locales: ['en'] },
  });
  const { id } = created.body.data;
  const shipped = '74042c15-f376-4623-98c4-c5323c7442f4';
  await testService.query(
    `insert into courses (owner_id, id, type, name, display_name, subject, difficulty, pass_mark, locales)
     values (managed_catalogue(), $1, 'training', 'phishing', 'Spotting deceptive messages', 'Phishing', 1, 70, '{en}')`,
    [shipped],
  );
  const path = `/console/courses/${id}/editor`;
  expect((await mary.get(path)).html).toContain(`value="${shipped}"`);
  expect(locationOf(await send(path, { source: shipped }, `${path}/start`))).toBe(`${path}?notice=started`);
  const { body } = await get(contentPath('', id));
  expect(body.data.findings).toEqual([]);
  expect(body.data.files).toHaveLength(1 + 3 * 5);
  expect((await mary.get(path)).html).toContain('What does the message want from you?');
  expect((await mary.get(`/console/drafts/courses/${id}/1?language=fr`)).status).toBe(200);
});

test('auditors are offered no editor and cannot open it, and nobody edits courses of another company', async () => {
  expect((await mary.get(`/console/courses/${ownCourseId('other')}/editor`)).status).toBe(404);
  const id = adminId('tenant', 2);
  await testService.query(`update admins set role = 'auditor', status = 'active' where id = $1`, [id]);
  const auditor = await Admin.of('tenant', 2);
  expect((await auditor.get(COURSE)).html).not.toContain(EDITOR);
  for (const rest of ['', '/settings', '/publish', '/files'])
    expect((await auditor.get(EDITOR + rest)).status).toBe(403);
  expect((await auditor.get(`/console/drafts/courses/${ownCourseId('tenant')}/1`)).status).toBe(403);
});
