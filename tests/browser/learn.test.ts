import type { Browser } from 'playwright-core';
import { makeLink } from '../support/learner.ts';
import { barriers, chromiumPath, launch, overflow, visit } from './browser.ts';

const describeInBrowser = chromiumPath ? describe : describe.skip;

describeInBrowser('signing in to the learner pages, in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['on a phone', { viewport: { width: 320, height: 640 } }],
  ] as const)('a learner signs in, signs out and requests a new link with the keyboard: %s', async (_case, options) => {
    await visit(browser, `/learn/sign-in/${await makeLink('tenant', 1)}`, options, async ({ page, complaints }) => {
      const expectFit = async () => {
        expect(await barriers(page)).toEqual([]);
        expect(await overflow(page)).toBeLessThanOrEqual(0);
      };
      await expectFit();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/learn$/);
      await expectFit();
      await page.getByRole('button', { name: 'Sign out', exact: true }).press('Enter');
      await page.getByLabel('E-mail address').fill('learner1@tenant.test');
      await expectFit();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
      await expectFit();
      expect(complaints).toEqual([]);
    });
  });
});
