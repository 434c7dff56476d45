/** @jest-environment-options {"CONTENT_FOLDER": "tests/fixtures/practice"} */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { post } from '../support/client.ts';
import { makeLink } from '../support/learner.ts';
import { learnerId, managedCourses } from '../support/world.ts';
import { barriers, chromiumPath, focused, launch, overflow, visit } from './browser.ts';

const describeInBrowser = chromiumPath ? describe : describe.skip;
const COURSE = `/learn/courses/${managedCourses.passwords}`;

describeInBrowser('inspecting mails and playing scenarios, in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  const expectFit = async (page: Page) => {
    expect(await barriers(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  };
  const addressIsVisible = (page: Page) => page.locator('.mail-address').isVisible();

  test.each<[string, 2 | 3 | 4, BrowserContextOptions]>([
    ['light', 2, { colorScheme: 'light' }],
    ['dark and without scripts', 3, { colorScheme: 'dark', javaScriptEnabled: false }],
    ['on a phone', 4, { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }],
  ])('a learner takes all kinds of steps with the keyboard: %s', async (_case, number, options) => {
    await post('/course-enrollments', {
      learnerIds: [learnerId('tenant', number)],
      courseIds: [managedCourses.passwords],
    });
    const link = `/learn/sign-in/${await makeLink('tenant', number)}`;
    await visit(browser, link, options, async ({ page, complaints }) => {
      const fit = () => (options.javaScriptEnabled === false ? Promise.resolve() : expectFit(page));
      const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/learn$/);
      await page.goto(testService.url + COURSE);
      await press('Begin');
      await press('Next');

      const target = page.getByRole('link', { name: 'Release parcel' });
      await target.waitFor();
      await fit();
      expect(await addressIsVisible(page)).toBe(false);
      if (options.hasTouch) await target.tap({ force: true });
      else await target.hover();
      expect(await addressIsVisible(page)).toBe(true);
      const url = page.url();
      await target.click({ force: true });
      expect(page.url()).toBe(url);
      await page.getByRole('checkbox', { name: 'Mark the link: Release parcel' }).focus();
      expect(await addressIsVisible(page)).toBe(true);
      await page.keyboard.press('Space');
      await page.keyboard.press('Tab');
      if (options.javaScriptEnabled !== false) expect(await focused(page)).toBe('SPAN Release parcel');
      await page.getByText('Show all headers').press('Enter');
      await page.getByRole('checkbox', { name: 'Reply-To: other@track-now.test' }).press('Space');
      await fit();
      await press('Answer');
      await page.getByText('That is right.').waitFor();
      await fit();
      await page.getByRole('link', { name: 'Next', exact: true }).press('Enter');

      await page.getByRole('checkbox', { name: 'Nothing is wrong with this email.' }).press('Space');
      await press('Answer');
      await page.getByRole('link', { name: 'Next', exact: true }).press('Enter');

      await page.getByRole('radio', { name: 'Ask for the name' }).press('Space');
      await fit();
      await press('Answer');
      await page.getByRole('radio', { name: 'Hang up and call back' }).press('Space');
      await press('Answer');
      await page.getByText('This ended well.').waitFor();
      await fit();
      await page.getByRole('link', { name: 'Play it again' }).press('Enter');
      await page.getByRole('link', { name: 'Give the code' }).waitFor();
      await fit();
      await page.getByRole('link', { name: 'Give the code' }).press('Enter');
      await page.getByText('This did not end well.').waitFor();
      await page.getByRole('link', { name: 'Next', exact: true }).press('Enter');

      for (const next of ['Next', 'See your result']) {
        await page.getByRole('radio', { name: 'Alpha' }).press('Space');
        await fit();
        await press('Answer');
        await page.getByRole('link', { name: next, exact: true }).press('Enter');
      }
      await page.getByText('You passed with 100%.').waitFor();
      expect(complaints).toEqual([]);
    });
  });
});
