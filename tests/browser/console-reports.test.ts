import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { Admin } from '../support/admin.ts';
import { patch } from '../support/client.ts';
import { companies, learnerId } from '../support/world.ts';
import { barriers, chromiumPath, focused, launch, overflow, signedInWith, visit } from './browser.ts';

const withBrowser = chromiumPath ? describe : describe.skip;
/** Folder for screenshots of the pages, for manual review. */
const PICTURES = process.env.PICTURES;
const NAMES = ['participation', 'overdue', 'simulations', 'risk', 'policies', 'due', 'overdue/people'];

withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  let signedIn: ReturnType<typeof signedInWith>;
  beforeAll(async () => {
    browser = await launch();
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
    const names = { firstName: 'Edsger', lastName: 'tenant', department: 'قسم الهندسة والتطوير' };
    await patch(`/learners/${learnerId('tenant', 4)}`, names);
    await testService.query(
      `insert into risk_history
       select $1, current_date - day, 40 + day, 1, 2, 3, 4 from generate_series(1, 30) as day`,
      [companies.tenant],
    );
    signedIn = signedInWith((await Admin.of('tenant')).cookie);
  });
  afterAll(() => browser.close());

  const open = (path: string, options: object, work: (page: Page) => Promise<void>) =>
    visit(browser, path, { ...signedIn, ...options }, (visited) => work(visited.page));

  test.each(['light', 'dark'] as const)('no page has a barrier or is too wide, in %s', async (colorScheme) => {
    const found: string[] = [];
    for (const width of [360, 768, 1280]) {
      for (const name of ['', ...NAMES]) {
        const path = name === '' ? '/console/reports' : `/console/reports/${name}`;
        await open(path, { viewport: { width, height: 800 }, colorScheme }, async (page) => {
          if (PICTURES) {
            const file = `${colorScheme}-${width}-${name.replace('/', '-') || 'all'}.png`;
            await page.screenshot({ path: join(PICTURES, file), fullPage: true });
          }
          for (const barrier of await barriers(page)) found.push(`${path} at ${width}: ${barrier}`);
          if ((await overflow(page)) > 0) found.push(`${path} at ${width} is too wide`);
        });
      }
    }
    expect(found).toEqual([]);
  });

  test('an admin gets by keyboard from the questions to overdue groups and their people', async () => {
    await open('/console/reports', {}, async (page) => {
      await page.locator('a[href="/console/reports/overdue"]').focus();
      expect(await focused(page)).toBe('A Who is overdue?');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/console/reports/overdue');
      await page.locator('#filter-by').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Tab');
      expect(await focused(page)).toBe('BUTTON Apply');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/console/reports/overdue?by=group');
      await page.goto(`${testService.url}/console/reports/overdue`);
      await page.locator('th a').first().focus();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/console/reports/overdue/people?**');
      expect(await page.locator('tbody').textContent()).toContain('learner4@tenant.test');
    });
  });
});
