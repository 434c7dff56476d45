/** @jest-environment-options {"CONTENT_FOLDER": "tests/fixtures/content", "AUTH_FAILURES_PER_MINUTE": "0"} */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import PostalMime from 'postal-mime';
import { startService, stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { activate } from '../resources/admins/admin-state.ts';
import { callWith } from '../resources/api-keys/key-calls.ts';
import { Admin } from '../support/admin.ts';
import { get, post } from '../support/client.ts';
import { ageProofs } from '../support/confirmations.ts';
import { nameWrittenCourses } from '../support/player.ts';
import { adminId, managedCourses } from '../support/world.ts';
import { policyId } from '../support/world-policies.ts';
import { barriers, chromiumPath, launch, overflow } from './browser.ts';

// Complete journeys from an email to its goal, by keyboard only. A worker writes the emails into a folder.

const folder = mkdtempSync(join(tmpdir(), 'walks-'));
const withBrowser = chromiumPath ? describe : describe.skip;

withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  beforeAll(async () => {
    await nameWrittenCourses();
    browser = await launch();
    await startService({
      DATABASE_URL: testService.database.serviceUrl,
      ROLES: 'worker',
      MAIL_FOLDER: folder,
      PUBLIC_URL: testService.url,
    });
  });
  afterAll(async () => {
    stopServices();
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens a window, in which `look` checks overflow and accessibility. A page without script cannot be checked. */
  async function inWindow(hasScript: boolean, work: (page: Page, look: () => Promise<void>) => Promise<void>) {
    const context = await browser.newContext({ javaScriptEnabled: hasScript, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await work(page, async () => {
      if (!hasScript) return;
      expect(await barriers(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    });
    expect(complaints).toEqual([]);
    await context.close();
  }

  /** Returns the link in the newest email to an address. */
  async function linkTo(address: string, path: string): Promise<string> {
    const link = new RegExp(`${testService.url}${path}/\\S+`);
    let found: string | undefined;
    await until(async () => {
      const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.eml')) : [];
      for (const file of files) {
        const mail = await PostalMime.parse(readFileSync(join(folder, file)));
        if (mail.to?.[0]?.address === address) found = link.exec(mail.text ?? '')?.[0] ?? found;
      }
      return found !== undefined;
    });
    return found!;
  }

  async function madeLearner(name: string): Promise<{ id: string; email: string }> {
    const learner = { email: `${name}@tenant.test`, firstName: 'Radia', lastName: 'Perlman' };
    const { body } = await post('/learners', learner);
    return { id: body.data.id as string, email: learner.email };
  }

  test.each([
    ['with script', true],
    ['without script', false],
  ])('a learner gets from the email to the certificate, %s', async (_case, hasScript) => {
    const { id, email } = await madeLearner(hasScript ? 'scripted' : 'scriptless');
    await post('/course-enrollments', { courseIds: [managedCourses.phishing], learnerIds: [id] });
    await inWindow(hasScript, async (page, look) => {
      await page.goto(await linkTo(email, '/learn/sign-in'));
      await look();
      await page.getByRole('button', { name: 'Sign in' }).press('Enter');
      await page.getByRole('link', { name: /^Phishing/ }).press('Enter');
      await look();
      await page.locator('main form button').press('Enter');
      for (const right of [[], ['b'], [], ['a', 'b'], ['b']]) {
        for (const value of right) await page.locator(`main input[value="${value}"]`).press('Space');
        await look();
        await page.locator('main form button').press('Enter');
        if (right.length > 0) await page.locator('main a.button').press('Enter');
      }
      await page.getByText('You passed with 100%').waitFor();
      await look();
      await page.getByRole('link', { name: /certificate/i }).press('Enter');
      await page.getByRole('button', { name: 'Create my certificate' }).press('Enter');
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: /Download certificate/ }).press('Enter');
      expect(
        readFileSync(await (await download).path())
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-');
      await page.locator('main a[href^="/certificates/"]').press('Enter');
      await page.getByText('genuine').first().waitFor();
      await look();
    });
    const { body } = await get(`/learners/${id}/course-results`);
    expect(body.data).toMatchObject([{ score: 100, grade: 'pass' }]);
  });

  test.each([
    ['with script', true, 1],
    ['without script', false, 2],
  ] as const)('an admin confirms by mail, and the form that waited is sent, %s', async (_case, hasScript, number) => {
    await activate(adminId('tenant', number));
    const [name, value] = (await Admin.of('tenant', number)).cookie.split('=') as [string, string];
    await ageProofs();
    await inWindow(hasScript, async (page, look) => {
      await page.context().addCookies([{ name, value, url: testService.url, httpOnly: true, sameSite: 'Lax' }]);
      await page.goto(`${testService.url}/console/keys`);
      await page.locator('input[name="name"]').fill(`Key of admin ${number}`);
      await page.keyboard.press('Enter');
      await page.locator('button[formaction="/console/confirm/mail"]').press('Enter');
      await page.locator('[role="status"]').waitFor();
      await look();
      const mail = await page.context().newPage();
      await mail.goto(await linkTo(`admin${number}@tenant.test`, '/console/sign-in'));
      await mail.locator('main form button').press('Enter');
      await mail.locator('main form').waitFor({ state: 'detached' });
      await mail.close();
      await page.locator('main form button').press('Enter');
      await page.getByText(`Key of admin ${number}`).first().waitFor();
    });
    const names = ((await get('/api-keys')).body.data as { name: string }[]).map((key) => key.name);
    expect(names.filter((one) => one === `Key of admin ${number}`)).toHaveLength(1);
  });

  test('a learner gets from the email to the signature', async () => {
    const { id, email } = await madeLearner('signer');
    await post('/policy-assignments', { policyIds: [policyId('tenant', 1)], learnerIds: [id] });
    await inWindow(true, async (page, look) => {
      await page.goto(await linkTo(email, '/learn/sign-in'));
      await page.getByRole('button', { name: 'Sign in' }).press('Enter');
      // The script records the visit, which a signature needs, once it has drawn the first page.
      const visit = page.waitForResponse((response) => response.url().endsWith('/visits'));
      await page.getByRole('link', { name: 'Policy 1 of tenant' }).press('Enter');
      await visit;
      await page.getByLabel('Your first and last name').fill('Radia Perlman');
      await page.getByRole('checkbox').press('Space');
      await look();
      await page.getByRole('button', { name: 'Sign', exact: true }).press('Enter');
      await page.getByRole('heading', { name: 'Your receipt' }).waitFor();
      await look();
    });
    const { body } = await get(`/learners/${id}/policy-results`);
    expect(body.data).toMatchObject([{ signed: expect.any(String) }]);
  });

  test.each([
    ['with script', true],
    ['without script', false],
  ])('an admin gets from the invitation to a new API key, %s', async (_case, hasScript) => {
    const email = `admin-${hasScript ? 'scripted' : 'scriptless'}@tenant.test`;
    await post('/admins', { email, firstName: 'Dorothy', lastName: 'Vaughan' });
    await inWindow(hasScript, async (page, look) => {
      await page.goto(await linkTo(email, '/setup'));
      await look();
      await page.locator('main form button').press('Enter');
      await page.locator('main a.button').press('Enter');
      await page.getByRole('link', { name: 'Settings' }).press('Enter');
      await page.getByRole('link', { name: 'API keys' }).press('Enter');
      await look();
      await page.getByLabel('Name').fill(`Key of ${email}`);
      await page.keyboard.press('Enter');
      await page.getByText(/sk_[0-9a-z]{12}_[0-9a-f]{72}/).waitFor();
      await look();
      const key = /sk_[0-9a-z]{12}_[0-9a-f]{72}/.exec(await page.locator('main').innerText())![0];
      expect((await callWith(key, 'GET', '/learners')).status).toBe(200);
    });
  });
});
