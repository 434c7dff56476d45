/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "SIMULATION_SENDER_DOMAINS": "parcel-desk.test"} */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { readTemplates } from '../../src/resources/simulations/templates/written-templates.ts';
import { Admin } from '../support/admin.ts';
import {
  allowSimulations,
  forgetSimulations,
  makeDraft,
  makeMailedSimulation,
  makeTemplate,
} from '../support/own-simulations.ts';
import { barriers, chromiumPath, focused, launch, overflow, signedInWith } from './browser.ts';

const PATH = '/console/simulations';
const looks = [
  ['light', { colorScheme: 'light', viewport: { width: 1280, height: 900 } }],
  ['dark, on a phone', { colorScheme: 'dark', viewport: { width: 360, height: 740 } }],
] as const;

const withBrowser = chromiumPath ? describe : describe.skip;
withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  let [templateId, draftId, runningId] = ['', '', ''];
  beforeAll(async () => {
    browser = await launch();
    await allowSimulations();
    const { templates } = await readTemplates('content');
    const words = templates.find(({ slug }) => slug === 'parcel-on-hold')!.content.en!;
    templateId = await makeTemplate({ locales: ['en'], words });
    draftId = await makeDraft({}, templateId);
    runningId = (await makeMailedSimulation([1, 2])).id;
    await testService.query('update simulation_recipients set sent_at = now() where simulation_id = $1', [runningId]);
  });
  afterAll(async () => {
    await browser.close();
    await forgetSimulations();
  });

  async function signedIn(options: BrowserContextOptions, work: (page: Page, complaints: string[]) => Promise<void>) {
    const context = await browser.newContext({ ...options, ...signedInWith((await Admin.of('tenant')).cookie) });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await work(page, complaints);
    await context.close();
  }

  test.each(looks)('every page of simulations has no barrier and no overflow: %s', async (_look, options) => {
    await signedIn(options, async (page, complaints) => {
      const templates = [
        'templates',
        `templates/${templateId}`,
        'templates/new',
        `templates/new?from=${templateId}&locale=en`,
      ];
      for (const path of ['all', 'new', draftId, runningId, `${runningId}/interactions`, 'results', ...templates]) {
        await page.goto(`${testService.url}${PATH}/${path}`, { waitUntil: 'networkidle' });
        const found = {
          path,
          barriers: await barriers(page),
          overflow: await overflow(page),
          complaints: [...complaints],
        };
        expect(found).toEqual({ path, barriers: [], overflow: 0, complaints: [] });
      }
    });
  });

  test('an admin plans a simulation with the keyboard only', async () => {
    await signedIn({}, async (page) => {
      await page.goto(`${testService.url}${PATH}/new?template=${templateId}`);
      await page.getByLabel('Name', { exact: true }).focus();
      await page.keyboard.type('By keyboard');
      for (let presses = 0; presses < 60 && !(await focused(page)).startsWith('BUTTON Save'); presses += 1) {
        await page.keyboard.press('Tab');
      }
      await Promise.all([page.waitForURL(/notice=saved/), page.keyboard.press('Enter')]);
      expect(await page.getByRole('status').textContent()).toBe('The draft has been saved.');
      await page.getByRole('heading', { name: 'Calendar' }).waitFor();
    });
  });
});
