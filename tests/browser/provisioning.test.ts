/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { makeUser } from '../resources/directory/directory-support.ts';
import {
  findAdmin,
  fresh,
  join,
  makeGroup,
  restoreProvisioningAfterEach,
} from '../resources/directory/provisioning-support.ts';
import { Admin } from '../support/admin.ts';
import { get } from '../support/client.ts';
import { barriers, chromiumPath, launch, overflow, signedInWith } from './browser.ts';

const withBrowser = chromiumPath ? describe : describe.skip;
restoreProvisioningAfterEach();

withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await launch()));
  afterAll(() => browser.close());

  let [context, page]: [BrowserContext, Page] = [undefined as never, undefined as never];
  let complaints: string[] = [];
  beforeEach(async () => {
    const { cookie } = await Admin.of('tenant');
    context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...signedInWith(cookie) });
    page = await context.newPage();
    complaints = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('400')) complaints.push(message.text());
    });
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    await context.close();
  });

  async function look(): Promise<void> {
    expect(await barriers(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }

  const groupName = async (id: string) =>
    ((await get('/groups')).body.data as { id: string; name: string }[]).find((group) => group.id === id)!.name;

  test('an owner provisions admins by a group of the directory, and switches it off again', async () => {
    const [member, later] = [fresh('browser-member'), fresh('browser-later')];
    const group = await makeGroup(await makeUser(member));
    await page.goto(`${testService.url}/console/admins`);
    await page.locator('a[href="/console/admins/provisioning"]').press('Enter');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await look();

    const [enabled] = await page.getByRole('checkbox').all();
    await enabled!.focus();
    await page.keyboard.press('Space');
    await page.locator('#group-0').selectOption({ label: await groupName(group) });
    await page.locator('#role-0').selectOption('auditor');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.locator(`#group-0 option[value="${group}"][selected]`).waitFor({ state: 'attached' });
    expect(await page.getByRole('checkbox').first().isChecked()).toBe(true);
    await look();
    expect(await findAdmin(member)).toMatchObject({ role: 'auditor', managedBy: 'directory' });
    await join(group, await makeUser(later));
    await page.goto(`${testService.url}/console/admins`);
    await page.getByText(`${later}@tenant.test`).first().waitFor();
    await look();

    await page.goto(`${testService.url}/console/admins/provisioning`);
    await page.getByRole('checkbox').first().uncheck();
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.waitForLoadState();
    await page.locator('input[name=enabled]:not([checked])').waitFor();
    expect(await findAdmin(member)).toMatchObject({ role: 'auditor', managedBy: null });
  });

  test('a group that is chosen twice is rejected with a message, and skipped members are listed', async () => {
    const member = await makeUser(fresh('browser-admin'), { emails: [{ value: 'admin2@tenant.test', primary: true }] });
    const group = await makeGroup(member);
    await page.goto(`${testService.url}/console/admins/provisioning`);
    for (const line of [0, 1]) await page.locator(`#group-${line}`).selectOption(group);
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('alert').waitFor();
    await look();

    await page.goto(`${testService.url}/console/admins/provisioning`);
    await page.getByRole('checkbox').first().check();
    await page.locator('#group-0').selectOption(group);
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText(member).waitFor();
    await look();
  });
});
