/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import { call, del, expectError, get, patch, post } from '../../support/client.ts';
import { Learner } from '../../support/learner.ts';
import { choose, take } from '../../support/player.ts';
import { companies, learnerId, managedCourses, ownCourseId, unknownId } from '../../support/world.ts';
import { contentPath, filesWith, findingsOf, questions, saveContent } from './content-samples.ts';
import { packageOf, uploadPackage } from './package-samples.ts';
import { expectRefused } from '../tenant-state.ts';

const COURSE = `/learn/courses/${ownCourseId('tenant')}`;
const publish = () => post(contentPath('/publish'));
const discard = () => del(contentPath('/draft'));
const tagOf = async () => (await get(contentPath())).headers.get('etag')!;

async function enrol(number: 1 | 2 | 3 | 4 | 5): Promise<void> {
  const pair = { courseIds: [ownCourseId('tenant')], learnerIds: [learnerId('tenant', number)] };
  expect((await post('/course-enrollments', pair)).status).toBe(200);
}

describe('GET and PUT /courses/{courseId}/content', () => {
  test('a course has no content until a draft is saved', async () => {
    expectError(await get(contentPath()), 404, 'not_found');
    expectError(await publish(), 400, 'no_draft');
    expectError(await discard(), 400, 'no_draft');
  });

  test('a saved draft is returned unchanged, and learners do not see it', async () => {
    const { status, body } = await saveContent();
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...{ courseId: ownCourseId('tenant'), state: 'draft', version: null, publishedAt: null, hasDraft: true },
      ...{ savedAt: expect.any(String), files: filesWith(), findings: [] },
    });
    expect((await get(contentPath())).body.data).toEqual(body.data);
    expectError(await get(contentPath('?published=true')), 404, 'not_found');
    expect((await get(`/courses/${ownCourseId('tenant')}`)).body.data.displayName).not.toBe('Zeichnungen');
    const packages = await get(`/courses/${ownCourseId('tenant')}/package`);
    expect(packages.status).toBe(200);
  });

  test('a draft with findings is saved, and its publication is rejected with each finding', async () => {
    const { body } = await saveContent({ 'de/questions.yaml': '- id: [\n' });
    expect(body.data.findings).toMatchObject([{ path: 'de/questions.yaml', line: expect.any(Number), step: null }]);
    await expectRefused(publish, 400, 'invalid_request', ['de/questions.yaml, line 2']);
  });

  test('of two drafts that are based on the same one, the second is rejected', async () => {
    const headers = { 'if-match': await tagOf() };
    expect((await saveContent({}, { headers })).status).toBe(200);
    await expectRefused(() => saveContent({}, { headers }), 412, 'changed_meanwhile');
  });

  test('Windows line endings are stored as line feeds', async () => {
    const { body } = await saveContent({ 'de/01-first.md': '# Erste Lektion\r\n\r\nText.\r\n' });
    expect(body.data.files).toEqual(filesWith());
  });

  test('repeated, unknown and unreadable files are rejected', async () => {
    const files = filesWith();
    const body = (path: string, text = 'x') => ({ body: { files: [...files, { path, text }] } });
    const refuse = (path: string, text?: string) =>
      expectRefused(() => call('tenant', 'PUT', contentPath(), body(path, text)), 400, 'invalid_request');
    await refuse('course.yaml');
    for (const path of [
      '../course.yaml',
      'de/../../x.md',
      'es/01-a.md',
      'pictures/a.svg',
      '/etc/passwd',
      'de/01-a.html',
    ])
      await refuse(path);
    await refuse('de/02-second.md', 'a\u0000b');
  });

  test('a course of the catalogue, or of another company, cannot be changed or read', async () => {
    await expectRefused(() => saveContent({}, { courseId: managedCourses.phishing }), 403, 'forbidden');
    for (const courseId of [ownCourseId('other'), unknownId]) {
      await expectRefused(() => saveContent({}, { courseId }), 404, 'not_found');
      expectError(await get(contentPath('', courseId)), 404, 'not_found');
      expectError(await post(contentPath('/publish', courseId)), 404, 'not_found');
      expectError(await post(contentPath('/check', courseId), { files: filesWith() }), 404, 'not_found');
      expectError(await del(contentPath('/draft', courseId)), 404, 'not_found');
    }
    expectError(await get(contentPath('', managedCourses.phishing)), 404, 'not_found');
  });
});

describe('POST /courses/{courseId}/content/check', () => {
  test('findings name the file, the step, the field or line, and the fault', async () => {
    expect(await findingsOf({})).toEqual([]);
    expect(await findingsOf({ 'de/01-first.md': '# A\n\nText.\n\n<b>x\n' })).toEqual([
      { path: 'de/01-first.md', step: 'lesson:01-first', place: '', line: 5, message: 'must not have HTML: <b>' },
    ]);
    const wrong = questions('Was?').replace('right: true', 'right: false');
    expect(await findingsOf({ 'de/questions.yaml': wrong, 'fr/questions.yaml': wrong })).toEqual(
      ['de', 'fr'].map((language) => ({
        ...{ path: `${language}/questions.yaml`, step: 'question:first', place: '0/answers', line: 1 },
        message: 'exactly one answer must be right, not 0 (first)',
      })),
    );
    expect(await findingsOf({ 'de/01-first.md': undefined })).not.toEqual([]);
  });

  test('parts, pictures and text beyond the limits are findings', async () => {
    const pieces = `pieces: [{ id: ${unknownId}, lessons: [01-first] }]\n`;
    const [manifest] = filesWith();
    expect(await findingsOf({ 'course.yaml': manifest!.text + pieces })).toMatchObject([{ place: 'pieces' }]);
    expect(await findingsOf({ 'de/01-first.md': '# A\n\n![B](../pictures/b.svg)\n' })).toMatchObject([{ line: 3 }]);
    expect(await findingsOf({ 'de/01-first.md': `# A\n\n${'a'.repeat(20_000)}` })).toMatchObject([
      { path: 'de/01-first.md', step: 'lesson:01-first' },
    ]);
  });

  test.each([
    ['quotes', { 'de/01-first.md': `# A\n\n${'> '.repeat(9_000)}a` }],
    ['lists', { 'de/01-first.md': `# A\n\n${'1. '.repeat(6_000)}a` }],
    ['YAML', { 'de/questions.yaml': '['.repeat(90_000) }],
    ['YAML with aliases', { 'course.yaml': `a: &a ${'x'.repeat(500)}\nnames: [${'*a,'.repeat(900)}]` }],
    ['YAML with a scalar', { 'course.yaml': 'just words' }],
    ['YAML with a prototype', { 'course.yaml': '__proto__: { a: 1 }\nconstructor: b\n' }],
  ])('%s that no parser could handle are findings', async (_, changes) => {
    expect(await findingsOf(changes)).not.toEqual([]);
  });
});

describe('POST /courses/{courseId}/content/publish', () => {
  test('the course takes its names, length, pass mark and languages from its manifest, and loses its package', async () => {
    await saveContent();
    const { body } = await publish();
    expect(body.data).toMatchObject({ state: 'published', version: 1, hasDraft: false, findings: [] });
    expect((await get(`/courses/${ownCourseId('tenant')}`)).body.data).toMatchObject({
      ...{ displayName: 'Zeichnungen', description: 'Wo Zeichnungen liegen dürfen.', durationMinutes: 7, passMark: 60 },
      ...{ locales: ['de', 'fr'], source: 'custom' },
      localizedNames: [
        { locale: 'de', name: 'Zeichnungen' },
        { locale: 'fr', name: 'Dessins' },
      ],
    });
    expectError(await get(`/courses/${ownCourseId('tenant')}/package`), 404, 'not_found');
    await expectRefused(() => uploadPackage(packageOf()), 400, 'invalid_request');
    await expectRefused(publish, 400, 'no_draft');
    const entries = await testService.query(
      `select operation from audit_log where company_id = $1 and operation = 'publishCourseContent' and outcome = 'done'`,
      [companies.tenant],
    );
    expect(entries).toHaveLength(1);
  });

  test('a learner takes the course, and keeps the progress when a new version is published', async () => {
    await enrol(3);
    const learner = await Learner.of('tenant', 3);
    const page = await learner.get(COURSE);
    expect(page.html).toContain('<h1>Zeichnungen</h1>');
    await choose(learner, COURSE, page);
    expect(await take(learner, `${COURSE}/1`)).toBe(`${COURSE}/2`);
    await saveContent({
      'de/questions.yaml': questions('Und nun?'),
      'de/01-first.md': '# Erste Lektion\n\nNeuer Text.\n',
      'de/02-second.md': '# Zweite Lektion\n\nText.\n',
      'fr/02-second.md': '# Deuxième leçon\n\nTexte.\n',
    });
    expect((await learner.get(`${COURSE}/2`)).html).toContain('Was nun?');
    expect((await publish()).body.data.version).toBe(2);
    expect((await learner.get(`${COURSE}/2`)).headers.get('location')).toBe(`${COURSE}/1`);
    expect(await take(learner, `${COURSE}/1`)).toBe(`${COURSE}/2`);
    expect((await learner.get(`${COURSE}/2`)).html).toContain('Und nun?');
    await take(learner, `${COURSE}/2`, 'first=a');
    await take(learner, `${COURSE}/3`);
    const { data } = (await get(`/learners/${learnerId('tenant', 3)}/course-results`)).body;
    expect(data).toContainEqual(
      expect.objectContaining({ courseId: ownCourseId('tenant'), score: 100, grade: 'pass' }),
    );
  });

  test("an author's HTML, scripts, links and outside pictures never reach a learner's page", async () => {
    const hostile = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(2)>',
      '[a](javascript:alert(3))',
      '![b](https://evil.example/x.png)',
      '<https://evil.example/y>',
      '`<svg onload=alert(4)>`',
      '```"><script>alert(5)</script>\ncode\n```',
      '[c]: javascript:alert(6) "x"',
      '&lt;script&gt;alert(7)',
    ].join('\n\n');
    const changes = {
      'de/01-first.md': `# <b onclick=alert(8)>T</b>\n\n${hostile}\n`,
      'de/questions.yaml': questions("'<i onclick=alert(9)>x</i> [d](javascript:alert(10))'"),
    };
    expect((await saveContent(changes)).body.data.findings.length).toBeGreaterThan(5);
    // Publishes the draft in spite of its findings, because the renderer must remove active content that the check
    // misses.
    await testService.query(
      `update course_contents p set files = d.files, revision = d.revision from course_contents d
        where p.company_id = $1 and d.company_id = $1 and p.course_id = $2 and d.course_id = $2
          and p.state = 'published' and d.state = 'draft'`,
      [companies.tenant, ownCourseId('tenant')],
    );
    await enrol(2);
    const learner = await Learner.of('tenant', 2);
    await choose(learner, COURSE, await learner.get(COURSE));
    await take(learner, `${COURSE}/1`);
    for (const path of [`${COURSE}/1`, `${COURSE}/2`]) {
      const { html, status } = await learner.get(path);
      expect(status).toBe(200);
      expect(html).not.toMatch(
        /<script>alert|<img[^>]*(onerror|evil)|<[a-z][^>]*\son[a-z]+=|href="javascript|<svg onload/i,
      );
      expect(html).not.toMatch(/(href|src)="https?:\/\/evil/);
    }
    await discard();
  });

  test('discarding a draft keeps the published content', async () => {
    await saveContent();
    expect((await discard()).body.data).toEqual({ courseId: ownCourseId('tenant') });
    expect((await get(contentPath())).body.data).toMatchObject({ state: 'published', hasDraft: false, version: 2 });
  });
});

test("a company's contents are limited, and the contents of a deleted course no longer count", async () => {
  const created = await post('/courses', {
    ...{ name: 'big', subject: 'Big', difficulty: 1, passMark: 50, locales: ['de'] },
  });
  const courseId = created.body.data.id;
  await saveContent({}, { courseId });
  await testService.query('update course_contents set size_bytes = $2 where course_id = $1', [
    courseId,
    50 * 1024 ** 2,
  ]);
  await expectRefused(() => saveContent(), 413, 'payload_too_large');
  expect((await del(`/courses/${courseId}`)).status).toBe(200);
  expect((await saveContent()).status).toBe(200);
  expect((await patch(`/courses/${ownCourseId('tenant')}`, { retired: true })).status).toBe(200);
});

test('a slow check of a draft does not keep a transaction open', async () => {
  const slow = Array.from({ length: 12 }, (_, index) => [
    `de/${index + 10}-slow.md`,
    `# A\n\n${'a_b_'.repeat(4900)}${index}\n`,
  ]);
  let isSaved = false;
  const saved = saveContent(Object.fromEntries(slow)).finally(() => (isSaved = true));
  let idleMs = 0;
  const begin = performance.now();
  while (!isSaved) {
    const [row] = await testService.query(
      `select coalesce(max(extract(epoch from clock_timestamp() - state_change)), 0)::float8 * 1000 as ms
         from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
    );
    idleMs = Math.max(idleMs, row!.ms as number);
  }
  expect((await saved).status).toBe(200);
  // The check takes most of the time, on a machine of any speed.
  expect(idleMs).toBeLessThan((performance.now() - begin) / 4);
});
