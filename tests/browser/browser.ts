import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Frame, type Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Path of the browser that `make browser-check` found; undefined in `make test`. */
export const chromiumPath = process.env.CHROMIUM || undefined;

export function launch(args: string[] = []): Promise<Browser> {
  // Containers give Chromium neither a sandbox nor much shared memory. It visits only this service.
  const always = ['--no-sandbox', '--disable-dev-shm-usage'];
  return chromium.launch({ executablePath: chromiumPath, args: [...always, ...args] });
}

/** Returns the options of a browser that sends a session cookie, given as `name=value`. */
export function signedInWith(cookie: string): { storageState: Exclude<BrowserContextOptions['storageState'], string> } {
  const [name, value] = cookie.split('=') as [string, string];
  const domain = new URL(testService.url).hostname;
  const ours = { name, value, domain, path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const };
  return { storageState: { cookies: [ours], origins: [] } };
}

export interface Visit {
  page: Page;
  /** Console errors and warnings, page errors, and requests to other hosts. */
  complaints: string[];
}

/** Opens a page, passes it to `work`, and closes it. */
export async function visit(
  browser: Browser,
  path: string,
  options: BrowserContextOptions,
  work: (visit: Visit) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${testService.url}/`) && !url.startsWith('data:')) complaints.push(`asks ${url}`);
    });
    await page.goto(testService.url + path, { waitUntil: 'networkidle' });
    await work({ page, complaints });
  } finally {
    await context.close();
  }
}

/** Returns the violations of WCAG and good practice that axe finds, each with the rule and the element. */
export async function barriers(page: Page | Frame): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`);
}

export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Returns the tag and the text of the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate('`${document.activeElement.tagName} ${document.activeElement.textContent.trim()}`');
}
