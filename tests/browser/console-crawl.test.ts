/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page, Response } from 'playwright-core';
import { Admin } from '../support/admin.ts';
import { post } from '../support/client.ts';
import { companies } from '../support/world.ts';
import { barriers, chromiumPath, launch, overflow, signedInWith } from './browser.ts';

// Follows the links of the console from its start page, and opens one page of each kind: two URLs that differ only
// in ids or in their query are of one kind. Each page is checked at every width, light and dark.

const WIDTHS = [320, 360, 768, 1280, 1920];
/** The widths for the other languages, and for the pages of an MSP, of which there are many. */
const NARROW_AND_WIDE = [360, 1280];
/** Folder for screenshots of the pages, for manual review. */
const PICTURES = process.env.PICTURES;
/** Fewest kinds of pages that the crawl must find, so that a broken link does not end it early. */
const FEWEST_PAGES = 60;
const IDS = /[0-9a-f]{8}-[0-9a-f-]{27}|[\w-]{22,}|(?<=\/)\d+/g;

/** Returns the words of ordinary length, in buttons and table cells, that break across lines. */
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

/** Returns the pages of the console that a page links to, without downloads and other sites. */
function linked(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    [...document.querySelectorAll('a[href]:not([download])')]
      .filter(({ href }) => new URL(href).origin === location.origin && new URL(href).pathname.startsWith('/console'))
      .map(({ href }) => new URL(href).pathname + new URL(href).search)`);
}

const kindOf = (path: string) => path.split('?')[0]!.replace(IDS, '{id}');

/** Opens a page as a link on the current page does. @returns null if the link downloads a file */
async function follow(page: Page, path: string): Promise<Response | null> {
  if (page.url() === 'about:blank') return page.goto(testService.url + path);
  // A download aborts the navigation.
  const opened = page.waitForNavigation().catch(() => null);
  await page.evaluate(`location.assign(${JSON.stringify(path)})`);
  return opened;
}

/** Opens one page of each kind, and passes it to `look`. @returns the kinds that were opened */
async function crawl(context: BrowserContext, look: (page: Page, kind: string) => Promise<void>): Promise<string[]> {
  const page = await context.newPage();
  const known = new Map([['/console', '/console']]);
  const opened: string[] = [];
  for (const [kind, path] of known) {
    const response = await follow(page, path);
    if (!response?.headers()['content-type']?.startsWith('text/html')) continue;
    expect({ path, status: response.status() }).toEqual({ path, status: 200 });
    opened.push(kind);
    for (const next of await linked(page)) if (!known.has(kindOf(next))) known.set(kindOf(next), next);
    await look(page, kind);
  }
  return opened;
}

async function contextOf(browser: Browser, company: 'tenant' | 'msp', locale: string): Promise<BrowserContext> {
  await testService.query('update admins set locale = $2 where company_id = $1', [companies[company], locale]);
  return browser.newContext(signedInWith((await Admin.of(company)).cookie));
}

const withBrowser = chromiumPath ? describe : describe.skip;
withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
    for (const company of ['msp', 'tenant'] as const) {
      for (const name of ['Personalverwaltungssystem-Schnittstelle Niederlassung Nord', 'x'.repeat(60)])
        await post('/api-keys', { name, scopes: ['learners:read', 'simulations:write'] }, company);
      await testService.query(
        `insert into admins (company_id, id, email, first_name, last_name, status)
         values ($1, gen_random_uuid(), 'wilhelmina.longfellow-featherstonehaugh@international-operations.' || $2,
                 'Wilhelmina', 'Longfellow-Featherstonehaugh', 'active')`,
        [companies[company], `${company}.test`],
      );
    }
  });
  afterAll(() => browser.close());

  test.each([
    ['tenant', 'en'],
    ['tenant', 'de'],
    ['tenant', 'fr'],
    ['msp', 'en'],
  ] as const)(
    'every page of the console of the %s is readable at every width, in %s',
    async (company, locale) => {
      const context = await contextOf(browser, company, locale);
      const found: string[] = [];
      const opened = await crawl(context, async (page, kind) => {
        for (const width of locale === 'en' && company === 'tenant' ? WIDTHS : NARROW_AND_WIDE) {
          const scheme = width < 768 ? 'light' : 'dark';
          await page.emulateMedia({ colorScheme: scheme });
          await page.setViewportSize({ width, height: 844 });
          const where = `${kind} at ${width}, ${scheme}`;
          if ((await overflow(page)) > 0) found.push(`${where} is too wide`);
          for (const word of await brokenWords(page)) found.push(`${where} breaks ${word}`);
          if (locale === 'en' && (width === 360 || width === 1280))
            found.push(...(await barriers(page)).map((barrier) => `${where}: ${barrier}`));
          if (PICTURES) {
            const file = `${company}-${locale}-${width}${kind.replaceAll('/', '-')}.png`;
            await page.screenshot({ path: join(PICTURES, file), fullPage: true });
          }
        }
      });
      await context.close();
      expect(found).toEqual([]);
      expect(opened.length).toBeGreaterThanOrEqual(FEWEST_PAGES);
    },
    300_000,
  );
});
