/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import { get, post } from '../../support/client.ts';
import { askPage } from '../../support/learner.ts';
import { companies, learnerId, managedCourses, ownCourseId, unknownId } from '../../support/world.ts';
import { packageOf, uploadPackage } from './package-samples.ts';
import { findEnrolment, PACKAGE_PATH, PackageLearner, stateOf } from './package-state.ts';

const courseId = ownCourseId('tenant');
const enrol = (...numbers: (1 | 2 | 3 | 4 | 5)[]) =>
  post('/course-enrollments', {
    courseIds: [courseId],
    learnerIds: numbers.map((number) => learnerId('tenant', number)),
  });
const file = (token: string | undefined, path: string, headers: Record<string, string> = {}) =>
  askPage(`/packages/${token}/${path}`, { headers });

/** Enrols a learner without any earlier result. */
async function enrolAgain(number: 1 | 2): Promise<void> {
  for (const table of ['enrollments', 'enrollment_attempts', 'course_result_events']) {
    await testService.query(`delete from ${table} where learner_id = $1`, [learnerId('tenant', number)]);
  }
  await enrol(number);
}

beforeAll(async () => {
  expect((await enrol(1, 2, 4)).body.data.success).toBe(true);
});

describe('a course with a package', () => {
  test('begins when its button is pressed, and not when its page is viewed', async () => {
    const player = await PackageLearner.of(1);
    expect((await player.learner.get(`/learn/courses/${courseId}`)).headers.get('location')).toBe(PACKAGE_PATH);
    expect((await player.learner.get(PACKAGE_PATH)).html).toContain('Begin the course');
    expect(await findEnrolment(1)).toMatchObject({ begun: false });
    const token = await player.open();
    expect(await findEnrolment(1)).toMatchObject({ begun: true, finished: false, attempt: 1 });
    const page = await player.learner.get(`${PACKAGE_PATH}/${token}`);
    expect(page.html).toContain('sandbox="allow-scripts allow-forms"');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect((await player.learner.get(PACKAGE_PATH)).html).toContain('Continue the course');
  });

  test('stores the state of the package, and its result appears in the course results', async () => {
    const player = await PackageLearner.of(1);
    const token = (await player.open())!;
    const told = { location: '3', suspendData: 'ä'.repeat(64_000), status: 'incomplete' };
    expect(await player.saveState(token, told)).toEqual({ status: 200, isFinished: false });
    expect(await stateOf(1)).toMatchObject(told);
    const again = (await player.open())!;
    expect((await player.learner.get(`${PACKAGE_PATH}/${again}`)).html).toContain('&quot;location&quot;:&quot;3&quot;');
    expect(await player.saveState(again, { status: 'passed', raw: '87.5' })).toMatchObject({ isFinished: false });
    const ended = await player.saveState(again, { status: 'passed', raw: '87.5', isEnded: true });
    expect(ended).toEqual({ status: 200, isFinished: true });
    expect(await findEnrolment(1)).toMatchObject({ finished: true, score: 87.5, passed: true });
    const { body } = await get(`/learners/${learnerId('tenant', 1)}/course-results`);
    expect(body.data.find((result: { courseId: string }) => result.courseId === courseId)).toMatchObject({
      score: 87.5,
    });
    expect((await player.learner.get(PACKAGE_PATH)).html).toContain('passed this course with 87.5%');
  });

  test('rejects reports after the finish or from a replaced window', async () => {
    const player = await PackageLearner.of(2);
    const first = (await player.open())!;
    const second = (await player.open())!;
    expect(await player.saveState(first, { location: 'old', status: 'passed', isEnded: true })).toMatchObject({
      status: 409,
    });
    expect((await file(first, 'index.html')).status).toBe(404);
    expect(await player.saveState(second, { status: 'failed', raw: '10', isEnded: true })).toMatchObject({
      isFinished: true,
    });
    expect(await player.saveState(second, { status: 'passed', raw: '100', isEnded: true })).toMatchObject({
      status: 409,
    });
    expect(await findEnrolment(2)).toMatchObject({ finished: true, score: 10, passed: false });
  });

  test.each([
    ['passed', { status: 'passed' }, { passed: true }, 'pass', 'You have passed this course.'],
    ['failed', { status: 'failed' }, { passed: false }, 'fail', 'You have not passed this course yet.'],
    ['completed', { status: 'completed' }, { passed: null }, null, 'You have finished this course.'],
    ['passed with an invalid score', { status: 'passed', raw: '85,5' }, { passed: true }, 'pass', 'You have passed'],
  ])(
    'a package that reports %s without a score has a result without a score',
    async (_case, told, row, grade, page) => {
      await enrolAgain(1);
      const player = await PackageLearner.of(1);
      expect(await player.saveState((await player.open())!, { ...told, isEnded: true })).toMatchObject({
        isFinished: true,
      });
      expect(await findEnrolment(1)).toMatchObject({ finished: true, score: null, ...row });
      const { body } = await get(`/learners/${learnerId('tenant', 1)}/course-results`);
      const result = body.data.find((one: { courseId: string }) => one.courseId === courseId);
      expect(result).toMatchObject({ score: null, grade });
      expect((await player.learner.get(PACKAGE_PATH)).html).toContain(page);
      const { html } = await player.learner.get('/learn');
      expect(html).not.toMatch(/null|NaN|100%/);
      expect(html.includes('/learn/certificates/')).toBe(grade === 'pass');
    },
  );

  test('a package that was failed and suspended continues with its state', async () => {
    await enrolAgain(1);
    const player = await PackageLearner.of(1);
    const told = { status: 'failed', raw: '50', suspendData: 'try=1', exit: 'suspend', isEnded: true };
    expect(await player.saveState((await player.open())!, told)).toMatchObject({ status: 200, isFinished: false });
    expect(await findEnrolment(1)).toMatchObject({ finished: false, attempt: 1 });
    const again = (await player.open())!;
    expect(await stateOf(1)).toMatchObject({ suspendData: 'try=1' });
    const passed = { status: 'passed', raw: '90', exit: 'suspend', isEnded: true };
    expect(await player.saveState(again, passed)).toMatchObject({ isFinished: true });
    expect(await findEnrolment(1)).toMatchObject({ finished: true, attempt: 1, score: 90, passed: true });
  });

  test('a learner who has failed starts again from the beginning', async () => {
    const player = await PackageLearner.of(2);
    expect((await player.learner.get(PACKAGE_PATH)).html).toContain('Try again');
    await player.open();
    expect(await findEnrolment(2)).toMatchObject({ attempt: 2, begun: true, finished: false });
    expect(await stateOf(2)).toMatchObject({ status: '', location: '' });
  });

  test('a window cannot be viewed or reported for by another learner', async () => {
    const [mine, other] = [await PackageLearner.of(3), await PackageLearner.of(4)];
    const token = (await mine.open())!;
    expect((await other.learner.get(`${PACKAGE_PATH}/${token}`)).status).toBe(303);
    expect(await other.saveState(token, { status: 'passed', isEnded: true })).toMatchObject({ status: 409 });
    expect(await findEnrolment(4)).toMatchObject({ finished: false });
    expect(await findEnrolment(3)).toMatchObject({ finished: false });
  });

  test('a replaced package stays usable in its window, and the next window starts the new one', async () => {
    const player = await PackageLearner.of(4);
    const token = (await player.open())!;
    await player.saveState(token, { location: '7' });
    await uploadPackage(packageOf({ path: 'only-new.html', content: 'new' }));
    expect((await file(token, 'course.js')).status).toBe(200);
    expect(await player.saveState(token, { location: '8' })).toMatchObject({ status: 200 });
    const next = await player.open();
    expect((await file(next, 'only-new.html')).status).toBe(200);
    expect((await file(next, 'course.js')).status).toBe(404);
    expect(await stateOf(4)).toMatchObject({ location: '' });
  });

  test.each([
    ['a string that is too long', { suspendData: 'x'.repeat(64_001) }, 400],
    ['an object instead of a string', { location: { a: 1 } }, 400],
    ['a null character', { location: 'a\0b' }, 400],
    ['an unpaired surrogate', { location: '\ud800' }, 400],
    ['a body that is too long', { suspendData: 'x'.repeat(2_200_000) }, 413],
    ['an array', ['x'], 200],
  ])('%s is rejected or ignored', async (_case, told, status) => {
    const player = await PackageLearner.of(4);
    expect(await player.saveState((await player.open())!, told)).toMatchObject({ status });
  });

  test('a report without the form token is rejected', async () => {
    const player = await PackageLearner.of(4);
    const token = await player.open();
    const without: Record<string, string>[] = [{}, { 'x-form-token': 'nonsense' }, { 'sec-fetch-site': 'cross-site' }];
    for (const headers of without) {
      const sent = { cookie: player.learner.cookie, 'content-type': 'application/json', ...headers };
      const page = await askPage(`${PACKAGE_PATH}/${token}`, {
        method: 'POST',
        headers: sent,
        body: '{"location":"x"}',
      });
      expect([400, 403]).toContain(page.status);
    }
  });

  test('a course that is foreign, of the catalogue or unknown returns 404', async () => {
    const { learner } = await PackageLearner.of(1);
    for (const id of [ownCourseId('other'), managedCourses.phishing, unknownId, 'nonsense', '%00']) {
      expect((await learner.get(`/learn/packages/${id}`)).status).toBe(404);
      expect((await learner.post(`/learn/packages/${id}`)).status).toBe(404);
      expect((await learner.get(`/learn/packages/${id}/x`)).status).toBe(303);
    }
  });
});

describe('a file of a package', () => {
  let token: string;
  beforeAll(async () => {
    const script = { path: 'a b/é.js', content: 'let a = 1;' };
    await uploadPackage(packageOf(script, { path: 'film.mp4', content: '0123456789', isStored: true }));
    token = (await (await PackageLearner.of(4)).open())!;
  });

  test('is served with its content type, in a sandbox and without cookies', async () => {
    const { status, headers, html } = await file(token, 'a%20b/%C3%A9.js');
    expect({ status, html }).toEqual({ status: 200, html: 'let a = 1;' });
    expect(headers.get('content-type')).toBe('text/javascript');
    expect(headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts allow-forms;/);
    expect(headers.get('content-security-policy')).not.toContain('allow-same-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('set-cookie')).toBeNull();
  });

  test('is found in any case of its name', async () => {
    expect((await file(token, 'A%20B/%C3%89.JS')).html).toBe('let a = 1;');
  });

  test('loads the SCORM client before anything else if it is a page', async () => {
    const { html, headers } = await file(token, 'index.html?a=1');
    expect(html).toMatch(/^<!doctype html><script src="\/packages\/client-\w+\.js\?scorm_1_2"><\/script><title>/);
    expect(headers.get('content-type')).toBe('text/html');
    const [, client] = /src="([^"]+)"/.exec(html)!;
    expect((await askPage(client!)).html).toContain('CrossFrameAPI');
  });

  test('supports range requests', async () => {
    const part = await file(token, 'film.mp4', { range: 'bytes=2-4' });
    expect([part.status, part.html, part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10']);
    expect((await file(token, 'film.mp4', { range: 'bytes=50-' })).status).toBe(416);
  });

  test('is a download if its type is unknown, and not found if it is a program', async () => {
    await uploadPackage(packageOf({ path: 'content.data', content: '<script>' }, { path: 'a.exe', content: 'MZ' }));
    const window = await (await PackageLearner.of(4)).open();
    const { headers } = await file(window, 'content.data');
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe('attachment');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect((await file(window, 'a.exe')).status).toBe(404);
  });

  describe.each([
    ['compressed', false],
    ['stored', true],
  ])('that is large and %s', (_case, isStored) => {
    const text = Array.from({ length: 400_000 }, (_, line) => `line ${line}\n`).join('');

    test('is served whole and by range, across chunk boundaries', async () => {
      await uploadPackage(packageOf({ path: 'large.txt', content: text, isStored }));
      const large = (await (await PackageLearner.of(4)).open())!;
      const whole = await file(large, 'large.txt');
      expect(whole.html === text).toBe(true);
      expect(whole.headers.get('content-length')).toBe(String(text.length));
      for (const [from, to] of [
        [0, 0],
        [1_048_570, 1_048_590],
        [3_000_000, 3_000_099],
        [text.length - 5, text.length + 9],
      ] as const) {
        const part = await file(large, 'large.txt', { range: `bytes=${from}-${to}` });
        expect({ status: part.status, text: part.html }).toEqual({ status: 206, text: text.slice(from, to + 1) });
      }
    });
  });

  test('has an empty body if it is empty', async () => {
    await uploadPackage(packageOf({ path: 'empty.txt', content: '' }));
    const { status, html } = await file(await (await PackageLearner.of(4)).open(), 'empty.txt');
    expect({ status, html }).toEqual({ status: 200, html: '' });
  });

  test.each(['nothing.html', '../index.html', '%2e%2e/index.html', 'a%00.html', '%ff', '', 'imsmanifest.xml/'])(
    'returns 400 or 404 for %j',
    async (path) => expect([400, 404]).toContain((await file(token, path)).status),
  );

  test('is not served for a foreign, guessed or expired token, or to a deactivated learner', async () => {
    const foreign = Buffer.from(token, 'base64url');
    foreign.set(Buffer.from(companies.other.replaceAll('-', ''), 'hex'));
    for (const guess of [foreign.toString('base64url'), 'x'.repeat(64), 'nonsense', '%00']) {
      expect([400, 404]).toContain((await file(guess, 'index.html')).status);
    }
    await testService.query(`update package_progress set opened_at = now() - interval '5 hours'`);
    expect((await file(token, 'index.html')).status).toBe(404);
    token = (await (await PackageLearner.of(4)).open())!;
    expect((await file(token, 'index.html')).status).toBe(200);
    await post('/learners/deactivate', { learnerIds: [learnerId('tenant', 4)] });
    expect((await file(token, 'index.html')).status).toBe(404);
  });
});
