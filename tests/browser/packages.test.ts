/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import { readFileSync } from 'node:fs';
import type { Browser, Frame, Page } from 'playwright-core';
import { buildZip } from '../../seeds/demo-zip.ts';
import { post } from '../support/client.ts';
import { makeLink } from '../support/learner.ts';
import { learnerId, ownCourseId } from '../support/world.ts';
import { manifestOf, packageOf, uploadPackage } from '../resources/courses/package-samples.ts';
import { findEnrolment, PACKAGE_PATH, stateOf } from '../resources/courses/package-state.ts';
import { barriers, chromiumPath, launch, overflow } from './browser.ts';

const withBrowser = chromiumPath ? describe : describe.skip;
withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
    const learnerIds = ([1, 2, 4] as const).map((number) => learnerId('tenant', number));
    await post('/course-enrollments', { courseIds: [ownCourseId('tenant')], learnerIds });
  });
  afterAll(() => browser.close());

  /** Deletes the results of a learner, and enrols the learner again. */
  async function enrolAgain(number: 1 | 2 | 4): Promise<void> {
    for (const table of ['enrollments', 'enrollment_attempts', 'course_result_events']) {
      await testService.query(`delete from ${table} where learner_id = $1`, [learnerId('tenant', number)]);
    }
    await post('/course-enrollments', {
      courseIds: [ownCourseId('tenant')],
      learnerIds: [learnerId('tenant', number)],
    });
  }

  /** Signs a learner in, and passes the page to `work`. */
  async function signedIn(number: 1 | 2 | 4, work: (page: Page, complaints: string[]) => Promise<void>): Promise<void> {
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(`${testService.url}/learn/sign-in/${await makeLink('tenant', number)}`);
      await page.locator('form button').press('Enter');
      await page.waitForURL('**/learn');
      await work(page, complaints);
    } finally {
      await context.close();
    }
  }

  /** Opens the package. Its buttons appear before its scripts run, and a key pressed in between is lost. */
  async function opened(page: Page): Promise<Frame> {
    await page.goto(testService.url + PACKAGE_PATH);
    await page.locator('main form button').press('Enter');
    const window = await page.waitForSelector('iframe[src]', { state: 'attached' });
    const frame = (await window.contentFrame())!;
    await frame.waitForURL(/^http/);
    return frame;
  }

  async function until<T>(look: () => Promise<T>, is: (value: T) => boolean): Promise<T> {
    for (let tries = 0; tries < 50; tries += 1) {
      const value = await look();
      if (is(value)) return value;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`It never came to this: ${JSON.stringify(await look())}`);
  }

  test("the demo's package resumes after its window closes, and a learner passes it with only the keyboard", async () => {
    await signedIn(1, async (page, complaints) => {
      const first = await opened(page);
      await first.locator('[data-next]').press('Enter');
      await until(
        () => stateOf(1),
        (state) => (state as { location: string }).location === '1',
      );
      const again = await opened(page);
      await again.locator('input[value="100"]').press('Space');
      expect(await overflow(page)).toBe(0);
      expect(await barriers(page)).toEqual([]);
      await again.locator('[data-answer]').press('Enter');
      await until(
        () => stateOf(1),
        (state) => (state as { status: string }).status === 'passed',
      );
      await page.goto(testService.url + PACKAGE_PATH);
      const enrolment = await until(
        () => findEnrolment(1),
        (row) => row?.finished === true,
      );
      expect(enrolment).toMatchObject({ finished: true, score: 100, passed: true });
      expect(complaints).toEqual([]);
    });
  });

  test.each([
    ['simple-scorm-packager', 85],
    ['liascript-packager', 90],
    ['scocli', 95],
  ])('a package by %s resumes where it was left, and its score becomes the result', async (name, score) => {
    await uploadPackage(readFileSync(new URL(`packages/${name}.zip`, import.meta.url)));
    await post('/course-enrollments', {
      courseIds: [ownCourseId('tenant')],
      learnerIds: [learnerId('tenant', 2)],
    });
    await signedIn(2, async (page, complaints) => {
      const first = await opened(page);
      await first.locator('#next').press('Enter');
      expect(await first.locator('#place').textContent()).toBe('2');
      await until(
        () => stateOf(2),
        (state) => (state as { location: string }).location === '2',
      );
      const again = await opened(page);
      await again.getByText('You are at page 2.').waitFor();
      await again.locator('#done').press('Enter');
      await page.getByText('Your result is saved.').waitFor();
      expect(await findEnrolment(2)).toMatchObject({ finished: true, score, passed: true });
      expect(complaints).toEqual([]);
    });
  });

  /** Uploads a package of one page with this script, opens it, and returns what the script shows. */
  async function shown(page: Page, version: '1.2' | '2004', script: string): Promise<string[]> {
    const own = manifestOf({ href: 'page.html', version });
    const content = `<!doctype html><meta charset="utf-8"><pre></pre><script>const show = (found) => {
      document.querySelector('pre').textContent = JSON.stringify(found); };${script}</script>`;
    await uploadPackage(
      buildZip([
        { path: 'imsmanifest.xml', content: own },
        { path: 'page.html', content },
      ]),
    );
    const frame = await opened(page);
    await frame.waitForFunction("document.querySelector('pre').textContent !== ''");
    return JSON.parse((await frame.locator('pre').textContent())!) as string[];
  }

  test.each([
    ['1.2' as const, ['85,5', '100%', ' 70 ', '101', '-1'], Array(5).fill('false 405')],
    ['2004' as const, ['0,855', '85%', ' 0.7 ', '1.5', ''], [...Array(3).fill('false 406'), 'false 407', 'false 406']],
  ])('SCORM %s: a score outside its format or range is rejected and not recorded', async (version, values, errors) => {
    const [api, prefix, terminate] = version === '1.2' ? ['API', 'LMS', 'Finish'] : ['API_1484_11', '', 'Terminate'];
    const [score, status] =
      version === '1.2'
        ? ['cmi.core.score.raw', 'cmi.core.lesson_status']
        : ['cmi.score.scaled', 'cmi.completion_status'];
    const script = `const api = ${api}; api.${prefix}Initialize('');
      const found = ${JSON.stringify(values)}.map((value) =>
        api.${prefix}SetValue('${score}', value) + ' ' + api.${prefix}GetLastError());
      found.push(api.${prefix}SetValue('${status}', 'Done') + ' ' + api.${prefix}GetLastError());
      found.push(api.${prefix}SetValue('${status}', 'completed') + ' ' + api.${prefix}GetLastError());
      api.${prefix}${terminate}(''); show(found);`;
    await enrolAgain(2);
    await signedIn(2, async (page) => {
      const code = version === '1.2' ? '405' : '406';
      expect(await shown(page, version, script)).toEqual([...errors, `false ${code}`, 'true 0']);
      await page.getByText('Your result is saved.').waitFor();
      expect(await findEnrolment(2)).toMatchObject({ finished: true, score: null, passed: null });
      await page.goto(testService.url + PACKAGE_PATH);
      expect(await page.locator('main').textContent()).toMatch(/You have finished this course\./);
    });
  });

  test('a failed, suspended package resumes when it is opened again, and finishes when it exits normally', async () => {
    const script = `API.LMSInitialize('');
      const kept = API.LMSGetValue('cmi.suspend_data'); const status = API.LMSGetValue('cmi.core.lesson_status');
      if (kept === '') {
        API.LMSSetValue('cmi.core.score.raw', '50'); API.LMSSetValue('cmi.core.lesson_status', 'failed');
        API.LMSSetValue('cmi.suspend_data', 'try=1'); API.LMSSetValue('cmi.core.exit', 'suspend');
        API.LMSFinish('');
      }
      show([kept, status]);`;
    await enrolAgain(2);
    await signedIn(2, async (page) => {
      expect((await shown(page, '1.2', script))[0]).toBe('');
      await until(
        () => stateOf(2),
        (state) => (state as { exit: string }).exit === 'suspend',
      );
      // Closes the window before the package sets how it exits.
      await opened(page).then((frame) => frame.waitForFunction("document.querySelector('pre').textContent !== ''"));
      await page.goto(testService.url + PACKAGE_PATH);
      expect(await findEnrolment(2)).toMatchObject({ finished: false });
      const frame = await opened(page);
      await frame.waitForFunction("document.querySelector('pre').textContent !== ''");
      expect(JSON.parse((await frame.locator('pre').textContent())!)).toEqual(['try=1', 'failed']);
      await frame.evaluate("API.LMSSetValue('cmi.core.exit', ''); API.LMSFinish('')");
      await page.getByText('Your result is saved.').waitFor();
      expect(await findEnrolment(2)).toMatchObject({ finished: true, score: 50, passed: false, attempt: 1 });
    });
  });

  test('suspend data that exceeds the limit of a keepalive request is saved', async () => {
    const text = '漢'.repeat(40_000);
    const script = `API.LMSInitialize(''); API.LMSSetValue('cmi.suspend_data', '漢'.repeat(40000)); API.LMSCommit('');`;
    const own = manifestOf({ href: 'large.html' });
    const page = { path: 'large.html', content: `<!doctype html><meta charset="utf-8"><script>${script}</script>` };
    await uploadPackage(buildZip([{ path: 'imsmanifest.xml', content: own }, page]));
    await signedIn(4, async (window) => {
      await opened(window);
      const kept = await until(
        () => stateOf(4),
        (state) => (state as { suspendData: string }).suspendData !== '',
      );
      expect((kept as { suspendData: string }).suspendData).toBe(text);
    });
  });

  test('messages of another window are ignored, and a package opened directly has no origin', async () => {
    await uploadPackage(packageOf());
    await signedIn(4, async (page) => {
      await opened(page);
      await page.waitForSelector('iframe[src]');
      const keeps: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') keeps.push(request.url());
      });
      const call = { messageId: '1', method: 'LMSInitialize', params: [''] };
      await page.evaluate(`window.postMessage(${JSON.stringify(call)}, '*')`);
      await page.evaluate(
        `window.postMessage(${JSON.stringify({ ...call, method: 'LMSSetValue', params: ['cmi.core.lesson_status', 'passed'] })}, '*')`,
      );
      await page.evaluate(`window.postMessage(${JSON.stringify({ ...call, method: 'LMSFinish' })}, '*')`);
      await page.waitForTimeout(500);
      expect(keeps).toEqual([]);
      const src = await page.locator('iframe').getAttribute('src');
      await page.goto(testService.url + src!);
      expect(await page.evaluate('self.origin')).toBe('null');
    });
    expect(await findEnrolment(4)).toMatchObject({ finished: false });
  });
});
