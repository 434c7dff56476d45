/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { Admin } from '../support/admin.ts';
import { get, post } from '../support/client.ts';
import { campaignId } from '../support/world-campaigns.ts';
import { managedCourses } from '../support/world.ts';
import { barriers, chromiumPath, launch, overflow, signedInWith, visit } from './browser.ts';

const withBrowser = chromiumPath ? describe : describe.skip;
/** Folder for screenshots of the pages, for manual review. */
const PICTURES = process.env.PICTURES;
const PATH = '/console/campaigns';

withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  let signedIn: BrowserContextOptions;
  let draft: string;
  beforeAll(async () => {
    browser = await launch();
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
    const fields = {
      name: 'Sicherheitsgrundlagen'.repeat(9),
      items: [{ type: 'course', id: managedCourses.phishing }],
    };
    const { body } = await post('/campaigns', { ...fields, audience: { everyone: true }, due: { days: 14 } });
    draft = `${PATH}/${body.data.id}`;
    signedIn = signedInWith((await Admin.of('tenant')).cookie);
  });
  afterAll(() => browser.close());

  test('an admin plans, previews and starts a campaign by keyboard', async () => {
    await visit(browser, PATH, signedIn, async ({ page, complaints }) => {
      await page.getByRole('link', { name: 'Plan a campaign' }).focus();
      await page.keyboard.press('Enter');
      await page.getByLabel('Name', { exact: true }).focus();
      await page.keyboard.type('By keyboard');
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.getByRole('button', { name: 'Save and preview' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Preview', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'Start the campaign' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('status').getByText('The campaign has been started.').waitFor();
      expect(complaints).toEqual([]);
    });
    const { body } = await get('/reports/campaigns?nameContains=By%20keyboard');
    expect(body.data).toMatchObject([{ name: 'By keyboard', status: 'scheduled' }]);
  });

  const one = `${PATH}/${campaignId('tenant')}`;
  const listPages = () => ({
    list: PATH,
    new: `${PATH}/new`,
    campaign: one,
    edit: `${one}/edit`,
    preview: `${draft}/preview`,
    draft,
    people: `${one}/people?assignmentStatus=overdue`,
    change: `${one}/change?which=all&assignmentStatus=overdue&action=extend`,
    parts: '/console/parts',
  });
  test.each([
    ['light', 360],
    ['dark', 768],
    ['light', 1280],
  ] as const)('each page has no barriers and no sideways scrolling: %s, %d px', async (colorScheme, width) => {
    const found: string[] = [];
    for (const [name, path] of Object.entries(listPages())) {
      const options = { ...signedIn, colorScheme, viewport: { width, height: 800 } };
      await visit(browser, path, options, async ({ page }) => {
        await page.evaluate('document.querySelectorAll("details").forEach((one) => (one.open = true))');
        if (PICTURES)
          await page.screenshot({ path: join(PICTURES, `${name}-${width}-${colorScheme}.png`), fullPage: true });
        if ((await overflow(page)) > 0) found.push(`${name} is too wide`);
        for (const barrier of await barriers(page)) found.push(`${name}: ${barrier}`);
      });
    }
    expect(found).toEqual([]);
  });
});
