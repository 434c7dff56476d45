/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { post } from '../support/client.ts';
import { makeLink } from '../support/learner.ts';
import { learnerId, ownCourseId } from '../support/world.ts';
import { enrolmentOf, PLAY, stateOf } from '../resources/courses/play-state.ts';
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

  /** Signs a learner in, and works with the window. */
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

  async function opened(page: Page): Promise<FrameLocator> {
    await page.goto(testService.url + PLAY);
    await page.locator('main form button').press('Enter');
    return page.frameLocator('iframe');
  }

  async function until<T>(look: () => Promise<T>, is: (value: T) => boolean): Promise<T> {
    for (let tries = 0; tries < 50; tries += 1) {
      const value = await look();
      if (is(value)) return value;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return look();
  }

  test('the package of the demo is taken by keyboard, and goes on where the window was closed', async () => {
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
      await page.goto(testService.url + PLAY);
      const enrolment = await until(
        () => enrolmentOf(1),
        (row) => row?.finished === true,
      );
      expect(enrolment).toMatchObject({ finished: true, score: 100, passed: true });
      expect(complaints).toEqual([]);
    });
  });
});
