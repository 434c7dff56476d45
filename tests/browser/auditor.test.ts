/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { activate } from '../resources/admins/admin-state.ts';
import { Admin } from '../support/admin.ts';
import { fingerprintOf } from '../support/client.ts';
import { adminId } from '../support/world.ts';
import { barriers, chromiumPath, launch, overflow, signedInWith } from './browser.ts';

// An auditor's day answers five questions: who has not signed, the state on a past date, the history of one person, who
// changed what, and who signed in. An auditor reads everything and changes nothing, so pages must never offer forms
// that change data.

const MAX_CLICKS = 30;
/** The table that records each minute when a session was last used. */
const SESSIONS = ['person_sessions'];
/** Forms that an auditor can send: the sign-out, and those of the auditor's own account. */
const OWN_FORMS = /\/(sign-out|sign-out-everywhere|passkeys|sessions)/;

const withBrowser = chromiumPath ? describe : describe.skip;
withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
    await activate(adminId('tenant', 2));
    await testService.query(`update admins set role = 'auditor', locale = 'en' where id = $1`, [adminId('tenant', 2)]);
  });
  afterAll(() => browser.close());

  test('an auditor answers five questions by keyboard, and no page offers a change', async () => {
    const { cookie } = await Admin.of('tenant', 2);
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...signedInWith(cookie) });
    const page = await context.newPage();
    const before = await fingerprintOf('tenant', SESSIONS);
    let clicks = 0;
    const press = async (target: Locator, event: 'load' | 'download' = 'load') => {
      await target.focus();
      clicks += 1;
      const [happened] = await Promise.all([page.waitForEvent(event as 'download'), page.keyboard.press('Enter')]);
      return happened;
    };
    const link = (text: string | RegExp) => page.getByRole('link', { name: text, exact: true }).first();
    const look = async () => {
      const forms = await page.locator('form[method="post"]').evaluateAll((all) => all.map((form) => form.action));
      expect({
        url: page.url(),
        changes: forms.filter((action) => !OWN_FORMS.test(action)),
        barriers: await barriers(page),
        overflow: await overflow(page),
      }).toEqual({ url: page.url(), changes: [], barriers: [], overflow: 0 });
    };

    await page.goto(`${testService.url}/console`);
    await press(link('Reports'));
    await look();
    await press(page.locator('main a[href="/console/reports/policies"]'));
    await look();
    await page
      .getByLabel(/as of|on the day|date/i)
      .first()
      .fill('2026-01-01');
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    expect(page.url()).toContain('asOf=2026-01-01');
    await look();
    const download = await press(page.getByRole('link', { name: /CSV/ }).first(), 'download');
    expect(readFileSync(await download.path(), 'utf8')).toMatch(/^\uFEFF.*policy/);

    await press(link('People'));
    await look();
    await press(page.locator('main tbody a').first());
    await look();
    await press(link('Settings'));
    await press(link('Audit log'));
    await look();
    await press(link('Sign-in log'));
    await look();
    await allPlaces(page, look);
    await context.close();
    expect(clicks).toBeLessThanOrEqual(MAX_CLICKS);
    expect(await fingerprintOf('tenant', SESSIONS)).toBe(before);
  });

  /** Visits every page of the navigation. */
  async function allPlaces(page: Page, look: () => Promise<void>) {
    const hrefs = () =>
      page.locator('header nav a').evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href));
    const seen = new Set<string>();
    for (const href of await hrefs()) {
      await page.goto(href);
      for (const one of [href, ...(await hrefs())]) {
        if (seen.has(one)) continue;
        seen.add(one);
        await page.goto(one);
        await look();
      }
    }
    expect(seen.size).toBeGreaterThan(12);
  }
});
