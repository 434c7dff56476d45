import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { Admin } from '../support/admin.ts';
import { companies } from '../support/world.ts';
import { barriers, chromiumPath, launch, overflow, signedInWith, visit } from './browser.ts';

const withBrowser = chromiumPath ? describe : describe.skip;
/** Folder for screenshots of the pages, for manual review. */
const PICTURES = process.env.PICTURES;
const CHILD = `/console/companies/${companies.childB}`;
const PAGES = {
  list: '/console?sort=overdueRate',
  compare: '/console/companies/compare',
  child: CHILD,
  people: `${CHILD}/people`,
  reports: `${CHILD}/reports`,
  overdue: `${CHILD}/reports/overdue`,
  campaigns: `${CHILD}/campaigns`,
  simulations: `${CHILD}/simulations`,
};
const ARABIC_NAME = 'شركة الأمن الحديثة للخدمات المدارة والاستشارات';

withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  let signedIn: ReturnType<typeof signedInWith>;
  beforeAll(async () => {
    browser = await launch();
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
    await testService.query('update companies set name = $2 where id = $1', [companies.childA, ARABIC_NAME]);
    await testService.query(
      `insert into company_figures (company_id, counted_at, average_risk_score, overdue_learners, overdue_rate, sent_count,
                                    click_rate, report_rate, last_activity_at)
       values ($1, '2026-03-02Z', 21.5, 1, 0.02, 120, 0.05, 0.61, '2026-03-01Z'),
              ($2, '2026-03-02Z', 71.5, 31, 0.48, 96, 0.3125, 0.1, '2025-12-24Z')`,
      [companies.childA, companies.childB],
    );
    signedIn = signedInWith((await Admin.of('msp')).cookie);
  });
  afterAll(() => browser.close());

  const open = (path: string, options: object, work: (page: Page) => Promise<void>) =>
    visit(browser, path, { ...signedIn, ...options }, (visited) => work(visited.page));

  test.each(['light', 'dark'] as const)('no page has a barrier or is too wide, in %s', async (colorScheme) => {
    const found: string[] = [];
    for (const width of [360, 768, 1280]) {
      for (const [name, path] of Object.entries(PAGES)) {
        await open(path, { viewport: { width, height: 800 }, colorScheme }, async (page) => {
          if (PICTURES)
            await page.screenshot({ path: join(PICTURES, `${colorScheme}-${width}-${name}.png`), fullPage: true });
          for (const barrier of await barriers(page)) found.push(`${name} at ${width}: ${barrier}`);
          if ((await overflow(page)) > 0) found.push(`${name} at ${width} is too wide`);
        });
      }
    }
    expect(found).toEqual([]);
  });

  test('an MSP finds the worst company by keyboard, looks into it read-only, compares companies and comes back', async () => {
    await open('/console', { javaScriptEnabled: false }, async (page) => {
      const follow = async (selector: string, url: string) => {
        await page.locator(selector).first().focus();
        await page.keyboard.press('Enter');
        await page.waitForURL(url);
      };
      const heading = () => page.locator('h1').innerText();
      await follow('a[href="/console?sort=overdueRate"]', '**/console?sort=overdueRate');
      const worst = page.locator('tbody tr').first();
      expect(await worst.innerText()).toContain('48%');
      await follow('tbody tr:first-child a', `**${CHILD}`);
      expect(await page.locator('main').innerText()).toContain('You are looking at The childB company.');
      await follow(`nav a[href="${CHILD}/reports"]`, `**${CHILD}/reports`);
      await follow(`a[href="${CHILD}/reports/overdue"]`, `**${CHILD}/reports/overdue`);
      expect(await heading()).toBe('Who is overdue?');
      await follow(`nav a[href="${CHILD}/people"]`, `**${CHILD}/people`);
      expect(await page.locator('main form[method="post"]').count()).toBe(0);
      await follow('main a[href="/console"]', '**/console');
      await follow('nav a[href="/console/companies/compare"]', '**/console/companies/compare');
      expect(await page.locator('rect.bar-1').count()).toBe(2);
      await page.locator('select[name="sort"]').focus();
      await page.keyboard.type('Highest click');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/compare?q=&sort=clickRate');
      expect(await page.locator('tbody tr').first().innerText()).toContain('31.3%');
      await follow('main a[href="/console"]', '**/console');
      expect(await heading()).toBe('Your companies');
    });
  });
});
