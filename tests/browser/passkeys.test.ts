/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "PUBLIC_URL": "https://console.test"} */
import type { Browser } from 'playwright-core';
import { Admin } from '../support/admin.ts';
import { barriers, chromiumPath, launch, overflow } from './browser.ts';

const ORIGIN = 'https://console.test';
const withBrowser = chromiumPath ? describe : describe.skip;

withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  test('an admin adds a passkey, signs out and signs in with it, with only the keyboard', async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    // Routes requests for the public name to this service. Chromium adds Sec-Fetch-Site only after this point.
    await context.route(`${ORIGIN}/**`, async (route) => {
      const url = route.request().url().replace(ORIGIN, testService.url);
      const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
      await route.fulfill({ response: await route.fetch({ url, headers, maxRedirects: 0 }) });
    });
    const [name, value] = (await Admin.of('tenant')).cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url: ORIGIN, secure: true, httpOnly: true, sameSite: 'Lax' }]);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    const devices = await context.newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    });

    await page.goto(`${ORIGIN}/console/passkeys`);
    expect(await barriers(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.getByLabel('Name').fill('Laptop');
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Laptop' }).waitFor();

    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    const enter = page.getByRole('button', { name: 'Sign in with a passkey' });
    await enter.waitFor();
    expect(await barriers(page)).toEqual([]);
    await enter.press('Enter');
    await page.getByRole('link', { name: 'Passkeys' }).waitFor();
    expect(complaints).toEqual([]);
    // Waits for the requests that the page still makes.
    await context.unrouteAll({ behavior: 'wait' });
    await context.close();
  });
});
