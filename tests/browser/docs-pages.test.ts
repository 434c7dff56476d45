import { type Browser } from 'playwright-core';
import { barriers, chromiumPath, focused, launch, overflow, visit } from './browser.ts';

const phone = { width: 360, height: 740 };
const looks = [
  { look: 'desktop, light', viewport: { width: 1280, height: 900 }, colorScheme: 'light' as const },
  { look: 'phone, dark', viewport: phone, colorScheme: 'dark' as const },
  // A window of 1280 by 1024 pixels at 400 %.
  { look: '400 %', viewport: { width: 320, height: 256 }, colorScheme: 'light' as const },
];

const withBrowser = chromiumPath ? describe : describe.skip;
withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  test.each(looks)(
    '$look: / focuses the search, arrows move through the results, and Enter opens one',
    async (look) => {
      await visit(browser, '/docs/errors', look, async ({ page, complaints }) => {
        await page.keyboard.press('/');
        expect(await page.evaluate('document.activeElement.id')).toBe('search');
        await page.keyboard.type('createLearner');
        await page.locator('#results .count', { hasText: 'result' }).waitFor();
        expect(await overflow(page)).toBe(0);
        expect(await barriers(page)).toEqual([]);
        await page.keyboard.press('ArrowDown');
        expect(await focused(page)).toMatch(/^A Create a learner/);
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('Enter');
        await page.waitForURL('**/docs/operations/createLearner');
        expect(complaints).toEqual([]);
      });
    },
  );

  test('Escape closes the results and returns to the field', async () => {
    await visit(browser, '/docs', {}, async ({ page }) => {
      await page.keyboard.press('/');
      await page.keyboard.type('webhook');
      await page.locator('#results a').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Escape');
      expect(await page.locator('#results').isHidden()).toBe(true);
      expect(await page.evaluate('document.activeElement.id + document.activeElement.value')).toBe('searchwebhook');
    });
  });

  test('Enter in the field opens all results, with and without scripts', async () => {
    for (const javaScriptEnabled of [true, false]) {
      await visit(browser, '/docs', { javaScriptEnabled }, async ({ page, complaints }) => {
        await page.getByRole('searchbox').fill('idempotency');
        await page.getByRole('searchbox').press('Enter');
        await page.waitForURL('**/docs/search?q=idempotency');
        expect(await page.locator('main').textContent()).toMatch(/\d+ results for “idempotency”/);
        expect(complaints).toEqual([]);
      });
    }
  });

  test('a button copies the code of its block', async () => {
    await visit(browser, '/docs/errors', { permissions: ['clipboard-read', 'clipboard-write'] }, async ({ page }) => {
      const block = page.locator('.code').first();
      await block.getByRole('button', { name: 'Copy' }).press('Enter');
      await block.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.locator('.unseen[role=status]').textContent()).toBe('Copied');
      const code = (await block.locator('pre').textContent())!;
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code.trimEnd());
    });
  });

  test('a button selects the code if the browser does not allow copying', async () => {
    await visit(browser, '/docs/errors', {}, async ({ page }) => {
      await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))");
      const block = page.locator('.code').first();
      await block.getByRole('button', { name: 'Copy' }).click();
      await block.getByRole('button', { name: 'Press Ctrl+C' }).waitFor();
      const code = (await block.locator('pre').textContent())!;
      expect(await page.evaluate('getSelection().toString()')).toBe(code.trimEnd());
    });
  });

  test('blocks have no copy button without script', async () => {
    await visit(browser, '/docs/errors', { javaScriptEnabled: false }, async ({ page }) => {
      expect(await page.locator('.copy').count()).toBe(0);
    });
  });

  test.each(looks)('$look: the list of sections moves to a section', async (look) => {
    await visit(browser, '/docs/errors', look, async ({ page }) => {
      await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Retry safely' }).click();
      await page.waitForURL('**/docs/errors#retry-safely');
      expect(await page.locator('#retry-safely').boundingBox()).toMatchObject({ y: expect.closeTo(0, -2) });
      expect(await barriers(page)).toEqual([]);
    });
  });

  test.each(looks)('$look: the page of results fits the screen and passes axe', async (look) => {
    await visit(browser, '/docs/search?q=learner', look, async ({ page }) => {
      expect(await overflow(page)).toBe(0);
      expect(await barriers(page)).toEqual([]);
    });
  });
});
