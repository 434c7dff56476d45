/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { Admin } from '../support/admin.ts';
import { post } from '../support/client.ts';
import { companies } from '../support/world.ts';
import { chromiumPath, launch, overflow, visit } from './browser.ts';

const withBrowser = chromiumPath ? describe : describe.skip;
/** Folder for screenshots of the pages, for people to look at. */
const PICTURES = process.env.PICTURES;
const PAGES = [
  ...['', '/keys', '/admins', '/passkeys', '/sources', '/simulations', '/simulations/new', '/simulations/templates'],
  ...['/people', '/campaigns', '/campaigns/new', '/reports', '/reports/participation', '/audit-log', '/parts'],
];

/** Returns the words of usual length in buttons and table cells that break across lines. */
function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('button, .button, th, td')].flatMap((element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const broken = [];
      while (walker.nextNode()) {
        const { data } = walker.currentNode;
        for (const { 0: word, index } of data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
          const range = document.createRange();
          range.setStart(walker.currentNode, index);
          range.setEnd(walker.currentNode, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1 && word.length <= 24) broken.push(word);
        }
      }
      return broken;
    })`);
}

withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
    for (const name of ['Personalverwaltungssystem-Schnittstelle Niederlassung Nord', 'x'.repeat(60)])
      await post('/api-keys', { name, scopes: ['learners:read', 'simulations:write'] }, 'msp');
    await testService.query(
      `insert into admins (company_id, id, email, first_name, last_name, status)
       values ($1, gen_random_uuid(), 'wilhelmina.longfellow-featherstonehaugh@international-operations.msp.test',
               'Wilhelmina', 'Longfellow-Featherstonehaugh', 'active')`,
      [companies.msp],
    );
  });
  afterAll(() => browser.close());

  test.each(['en', 'de', 'fr'])(
    'no word of a table or a button breaks, and no page is too wide, in %s',
    async (locale) => {
      await testService.query('update admins set locale = $2 where company_id = $1', [companies.msp, locale]);
      const admin = await Admin.of('msp');
      const [name, value] = admin.cookie.split('=') as [string, string];
      const found: string[] = [];
      for (const width of [390, 768, 1280]) {
        for (const path of PAGES) {
          const storageState = { cookies: [{ name, value, ...COOKIE }], origins: [] };
          await visit(
            browser,
            `/console${path}`,
            { viewport: { width, height: 844 }, storageState },
            async ({ page }) => {
              expect(await page.title()).not.toBe('');
              if (PICTURES) {
                const file = `${locale}-${width}${path.replace('/', '-')}.png`;
                await page.screenshot({ path: join(PICTURES, file), fullPage: true });
              }
              const where = `${path} at ${width}`;
              if ((await overflow(page)) > 0) found.push(`${where} is too wide`);
              for (const word of await brokenWords(page)) found.push(`${where} breaks ${word}`);
            },
          );
        }
      }
      expect(found).toEqual([]);
    },
  );
});

const COOKIE = {
  domain: '127.0.0.1',
  path: '/',
  expires: -1,
  httpOnly: true,
  secure: false,
  sameSite: 'Lax',
} as const;
