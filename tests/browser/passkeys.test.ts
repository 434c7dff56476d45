/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "PUBLIC_URL": "https://console.test"} */
import { createHash, X509Certificate } from 'node:crypto';
import { connect, type AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Admin } from '../support/admin.ts';
import { Authority } from '../support/certificates.ts';
import { patch } from '../support/client.ts';
import { ageProofs } from '../support/confirmations.ts';
import { adminId } from '../support/world.ts';
import { barriers, chromiumPath, launch, overflow } from './browser.ts';

const HOST = 'console.test';
const ORIGIN = `https://${HOST}`;
const withBrowser = chromiumPath ? describe : describe.skip;

withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  let proxy: Server;
  beforeAll(async () => {
    const certificate = await (await Authority.create()).certify({ type: 'dns', value: HOST });
    proxy = createServer(certificate, (socket) => {
      const upstream = connect(Number(new URL(testService.url).port), '127.0.0.1');
      socket.on('error', () => upstream.destroy()).pipe(upstream);
      upstream.on('error', () => socket.destroy()).pipe(socket);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const publicKey = new X509Certificate(certificate.cert).publicKey.export({ type: 'spki', format: 'der' });
    browser = await launch([
      `--host-resolver-rules=MAP ${HOST}:443 127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      // Chromium offers no passkeys on a page with a certificate error. This key causes none.
      `--ignore-certificate-errors-spki-list=${createHash('sha256').update(publicKey).digest('base64')}`,
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await new Promise((resolve) => proxy.close(resolve));
  });

  /** Opens a signed-in browser with a device that can have passkeys. */
  async function openConsole(): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const [name, value] = (await Admin.of('tenant')).cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url: ORIGIN, secure: true, httpOnly: true, sameSite: 'Lax' }]);
    const page = await context.newPage();
    const devices = await context.newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    return { context, page };
  }

  test('an admin adds a passkey, signs out and signs in with it, with only the keyboard', async () => {
    const { context, page } = await openConsole();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
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
    await page.getByRole('link', { name: 'Your account' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('an admin keeps a passkey after a change of address', async () => {
    const { context, page } = await openConsole();
    await page.goto(`${ORIGIN}/console/passkeys`);
    await page.getByLabel('Name').fill('Before the change');
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Before the change' }).waitFor();
    await patch(`/admins/${adminId('tenant', 1)}`, { email: 'moved.admin@tenant.test' });
    const [name, value] = (await Admin.of('tenant')).cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url: ORIGIN, secure: true, httpOnly: true, sameSite: 'Lax' }]);

    await page.goto(`${ORIGIN}/console/passkeys`);
    await page.getByRole('rowheader', { name: 'suspended' }).first().waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.getByRole('button', { name: 'Keep them with a passkey' }).press('Enter');
    await page.getByRole('button', { name: 'Keep them with a passkey' }).waitFor({ state: 'detached' });
    await page.getByRole('rowheader', { name: 'Before the change' }).waitFor();
    expect(await page.getByText('suspended').count()).toBe(0);
    await context.close();
  });

  test('an admin confirms with a passkey, and the waiting form is sent with its input', async () => {
    const { context, page } = await openConsole();
    await page.goto(`${ORIGIN}/console/passkeys`);
    await page.getByLabel('Name').fill('Desktop');
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Desktop' }).waitFor();
    await ageProofs();

    await page.goto(`${ORIGIN}/console/keys`);
    await page.getByLabel('Name').fill('Key of the "browser"');
    await page.keyboard.press('Enter');
    const confirm = page.getByRole('button', { name: 'Confirm with a passkey' });
    await confirm.waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await confirm.press('Enter');
    await page.getByText('Key of the "browser"').first().waitFor();
    expect(await page.locator('main').innerText()).toContain('sk_');
    const keys = await testService.query('select from api_keys where name = $1', ['Key of the "browser"']);
    expect(keys).toHaveLength(1);
    await context.close();
  });
});
