/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "CONTENT_FOLDER": "tests/fixtures/content"} */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { Admin } from '../support/admin.ts';
import { onePagePdf, policyId, versionId } from '../support/world-policies.ts';
import { nameWrittenCourses } from '../support/player.ts';
import { managedCourses, ownCourseId } from '../support/world.ts';
import { packageOf } from '../resources/courses/package-samples.ts';
import { barriers, chromiumPath, focused, launch, overflow, signedInWith } from './browser.ts';

const POLICY = `policies/${policyId('tenant', 2)}`;
const PHISHING = `courses/${managedCourses.phishing}`;
const OWN = `courses/${ownCourseId('tenant')}`;
const paths = [
  ...['policies', 'policies/new', 'policies/from-template', POLICY, `${POLICY}/draft`, `${POLICY}/publish`],
  ...[`${POLICY}/unsigned`, `${POLICY}/people/assign`, `${POLICY}/people/assign?who=matching`, `${POLICY}/delete`],
  `${POLICY}/read/${versionId('tenant', 2)}`,
  ...['courses', 'courses/new', PHISHING, OWN, `${OWN}/package`, `${OWN}/people/assign?who=matching`],
  ...[`preview/${PHISHING}/1`, `preview/${PHISHING}/2`, `preview/${PHISHING}/2?answered=yes`],
];
const looks = [
  ['light', { colorScheme: 'light', viewport: { width: 1280, height: 900 } }],
  ['dark, on a phone', { colorScheme: 'dark', viewport: { width: 360, height: 740 } }],
] as const;

const withBrowser = chromiumPath ? describe : describe.skip;
withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
    await nameWrittenCourses();
  });
  afterAll(() => browser.close());

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

  const open = (page: Page, path: string) =>
    page.goto(`${testService.url}/console/${path}`, { waitUntil: 'networkidle' });

  /** Moves the focus with the Tab key to an element, by its tag and text. */
  async function tabTo(page: Page, element: string): Promise<void> {
    for (let presses = 0; presses < 80 && !(await focused(page)).startsWith(element); presses += 1)
      await page.keyboard.press('Tab');
    expect(await focused(page)).toContain(element);
  }

  test.each(looks)('every page of policies and courses has no barrier and no overflow: %s', async (_look, options) => {
    await signedIn(options, async (page, complaints) => {
      for (const path of paths) {
        await open(page, path);
        const folder = process.env.SCREENSHOTS;
        if (folder)
          await page.screenshot({ path: `${folder}/${_look[0]}-${path.replaceAll(/\W+/g, '-')}.png`, fullPage: true });
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

  test('an admin uploads a policy, looks at it and publishes it with the keyboard only', async () => {
    await signedIn({}, async (page) => {
      await open(page, 'policies');
      await tabTo(page, 'A Upload a policy');
      await Promise.all([page.waitForURL(/policies\/new$/), page.keyboard.press('Enter')]);
      await page.getByLabel('Name', { exact: true }).focus();
      await page.keyboard.type('By keyboard');
      await page
        .getByLabel('PDF file')
        .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: onePagePdf });
      await tabTo(page, 'BUTTON Save the draft');
      await Promise.all([page.waitForURL(/notice=created/), page.keyboard.press('Enter')]);
      const policy = page.url();
      await tabTo(page, 'A Look at the PDF');
      await Promise.all([page.waitForURL(/read\/draft$/), page.keyboard.press('Enter')]);
      await page.getByRole('group', { name: 'Page 1 of 1' }).locator('canvas').waitFor();
      await page.goto(policy);
      await tabTo(page, 'A Publish');
      await Promise.all([page.waitForURL(/publish$/), page.keyboard.press('Enter')]);
      await tabTo(page, 'BUTTON Publish');
      await Promise.all([page.waitForURL(/notice=published/), page.keyboard.press('Enter')]);
      expect(await page.getByRole('status').first().textContent()).toBe('The new version has been published.');
    });
  });

  test('an admin uploads a package and looks at a step of a course with the keyboard only', async () => {
    await signedIn({}, async (page) => {
      await open(page, `${OWN}/package`);
      const buffer = packageOf();
      await page.getByLabel('ZIP file').setInputFiles({ name: 'a.zip', mimeType: 'application/zip', buffer });
      await tabTo(page, 'BUTTON Upload the package');
      await Promise.all([page.waitForURL(/notice=packageSaved/), page.keyboard.press('Enter')]);
      await open(page, PHISHING);
      await page.getByRole('list').getByRole('link').first().focus();
      await Promise.all([page.waitForURL(/preview\/.*\/1$/), page.keyboard.press('Enter')]);
      await page.getByText('Nothing that you answer is recorded.').waitFor();
    });
  });
});
