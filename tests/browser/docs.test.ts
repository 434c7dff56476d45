/** @jest-environment-options {"DOCS_DEMO_KEY": "sk_demotenant00_f4c3593d961f7506043b4c016be38f50d7b95912a549117ea19d8770faf8bf878a0b47b4"} */
import type { Browser } from 'playwright-core';
import demoKeys from '../../seeds/demo-keys.json' with { type: 'json' };
import { hashApiKey } from '../../src/auth/api-key.ts';
import { companies, id } from '../support/world.ts';
import { barriers, chromiumPath, focused, launch, overflow, visit } from './browser.ts';

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };
const looks = Object.entries(sizes).flatMap(([name, viewport]) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ look: `${name}, ${colorScheme}`, viewport, colorScheme })),
);
const pages = ['/docs', '/docs/errors', '/docs/operations', '/docs/operations/createLearner', '/docs/risk-score'];

const withBrowser = chromiumPath ? describe : describe.skip;
withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  beforeAll(async () => {
    await testService.query(
      'insert into api_keys (id, company_id, name, public_id, key_hash) values ($1, $2, $3, $4, $5)',
      [
        id('e', 100),
        companies.tenant,
        'demo',
        demoKeys.tenant.split('_')[1],
        Buffer.from(hashApiKey(demoKeys.tenant), 'hex'),
      ],
    );
    browser = await launch();
  });
  afterAll(() => browser.close());

  describe.each(looks)('$look', ({ viewport, colorScheme }) => {
    const options = { viewport, colorScheme };

    test.each([...pages, '/docs/reference'])('%s is whole, fits, and has no barrier', async (path) => {
      await visit(browser, path, options, async ({ page, complaints }) => {
        if (path === '/docs/reference') await page.waitForSelector('.opblock-tag');
        expect(await page.locator('h1').count()).toBe(1);
        expect(await overflow(page)).toBe(0);
        expect(await barriers(page)).toEqual([]);
        expect(complaints).toEqual([]);
      });
    });

    test('the reference calls this service with the demo key, by the keyboard alone', async () => {
      await visit(browser, '/docs/reference', options, async ({ page, complaints }) => {
        await page.locator('#operations-tag-Company button').press('Enter');
        await page.locator('#operations-Company-getCompany .opblock-summary-control').press('Enter');
        await page.locator('#operations-Company-getCompany .execute').press('Enter');
        const answer = page.locator('.live-responses-table');
        await answer.waitFor();
        expect(await answer.locator('tbody .response-col_status').first().textContent()).toContain('200');
        expect(await answer.textContent()).toContain('The tenant company');
        expect(await overflow(page)).toBe(0);
        expect(await barriers(page)).toEqual([]);
        expect(complaints).toEqual([]);
      });
    });
  });

  test('the keyboard comes first to the way to the content, and by it past all before', async () => {
    await visit(browser, '/docs/errors', { viewport: sizes.desktop }, async ({ page }) => {
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('A Skip to the content');
      expect(await page.locator('.skip').boundingBox()).toMatchObject({ x: 8 });
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await focused(page)).toMatch(/^PRE # answers 400/);
    });
  });

  test('what has the focus is outlined', async () => {
    await visit(browser, '/docs', { viewport: sizes.desktop }, async ({ page }) => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineWidth')).toBe('3px');
    });
  });

  test('an address with an operation opens it', async () => {
    await visit(browser, '/docs/reference#/Learners/createLearner', { viewport: sizes.desktop }, async ({ page }) => {
      await page.locator('#operations-Learners-createLearner .opblock-body').waitFor();
    });
  });
});
