/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import type { Browser, Page } from 'playwright-core';
import type { components } from '../../generated/api-types.ts';
import { Admin } from '../support/admin.ts';
import { get, patch, post } from '../support/client.ts';
import { fetchCertificate } from '../support/saml-logout.ts';
import { adminId } from '../support/world.ts';
import { chromiumPath, launch } from './browser.ts';
import { Keycloak, KEYCLOAK_CLIENT, PASSWORD } from './keycloak.ts';

type IdentityProvider = components['schemas']['IdentityProvider'];

const home = process.env.KEYCLOAK_HOME ?? '';
const isPossible = home !== '' && chromiumPath !== undefined;
const withKeycloak = isPossible ? describe : describe.skip;

withKeycloak(isPossible ? 'with Keycloak' : 'skipped without KEYCLOAK_HOME, which make keycloak-check finds', () => {
  const keycloak = new Keycloak(home);
  let browser: Browser;
  let oidc: IdentityProvider;
  let saml: IdentityProvider;

  beforeAll(async () => {
    await keycloak.start();
    browser = await launch();
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    await keycloak.stop();
  });

  async function newPage(): Promise<Page> {
    return (await browser.newContext()).newPage();
  }

  async function pageOfOwner(): Promise<Page> {
    const page = await newPage();
    const [name, value] = (await Admin.of('tenant')).cookie.split('=') as [string, string];
    await page.context().addCookies([{ name, value, url: testService.url, httpOnly: true, sameSite: 'Lax' }]);
    return page;
  }

  /** Fills in the form of Keycloak. */
  async function enter(page: Page): Promise<void> {
    await page.locator('#username').fill('mary');
    await page.locator('#password').fill(PASSWORD);
    await page.locator('#kc-login').click();
  }

  async function testProvider({ callbackUrl }: IdentityProvider): Promise<void> {
    const page = await pageOfOwner();
    await page.goto(callbackUrl.replace('/callback', '/test'));
    await page.getByRole('link', { name: 'Continue with' }).click();
    await enter(page);
    await page.getByRole('heading', { name: 'The test was successful' }).waitFor();
    expect(await page.getByText('Owners').count()).toBe(1);
    await page.context().close();
  }

  /** Signs in to the console, and returns the page. */
  async function signIn({ consoleUrl }: IdentityProvider): Promise<Page> {
    const page = await newPage();
    await page.goto(consoleUrl);
    await page.getByRole('link', { name: 'Continue with' }).click();
    await enter(page);
    await page.waitForURL(`${testService.url}/console`);
    return page;
  }

  async function isIn(page: Page): Promise<boolean> {
    await page.goto(`${testService.url}/console`);
    return (await page.getByLabel('E-mail address').count()) === 0;
  }

  const settings = { admins: 'optional', roles: [{ group: 'Owners', role: 'owner' }] };

  test('an admin signs in by OpenID Connect, with the role of the group', async () => {
    const own = { name: 'Keycloak', protocol: 'oidc', issuer: keycloak.issuer, ...KEYCLOAK_CLIENT };
    oidc = (await post('/identity-providers', own)).body.data as IdentityProvider;
    await keycloak.addOidcClient(oidc.callbackUrl);
    await testProvider(oidc);
    expect((await patch(`/identity-providers/${oidc.id}`, settings)).status).toBe(200);
    const page = await signIn(oidc);
    expect(await isIn(page)).toBe(true);
    const { data } = (await get(`/sign-ins?adminId=${adminId('tenant', 1)}`)).body;
    expect(data[0]).toMatchObject({ method: 'identity_provider', reason: null });
    await page.context().close();
  });

  test('a sign-out at Keycloak ends the session of the service', async () => {
    const [page, other] = [await signIn(oidc), await signIn(oidc)];
    await page.goto(keycloak.signOutUrl);
    await page.locator('#kc-logout').click();
    await page.getByRole('heading', { name: 'You are logged out' }).waitFor();
    expect([await isIn(page), await isIn(other)]).toEqual([false, true]);
    for (const one of [page, other]) await one.context().close();
  });

  test('a new key of Keycloak applies at once', async () => {
    await keycloak.rotateKey(200);
    const page = await signIn(oidc);
    expect(await isIn(page)).toBe(true);
    await page.context().close();
  });

  test('an admin signs in by SAML, also after a new key', async () => {
    const own = { name: 'Keycloak by SAML', protocol: 'saml', metadataUrl: keycloak.metadataUrl };
    saml = (await post('/identity-providers', own)).body.data as IdentityProvider;
    expect(saml.issuer).toBe(keycloak.issuer);
    await keycloak.addSamlClient(saml.clientId, saml.callbackUrl);
    await testProvider(saml);
    expect((await patch(`/identity-providers/${saml.id}`, settings)).status).toBe(200);
    const page = await signIn(saml);
    expect(await isIn(page)).toBe(true);
    await keycloak.rotateKey(300);
    const again = await signIn(saml);
    expect(await isIn(again)).toBe(true);
    for (const one of [page, again]) await one.context().close();
  });

  test('a sign-out at Keycloak ends the session that began by SAML', async () => {
    const [page, other] = [await signIn(saml), await signIn(saml)];
    await page.goto(keycloak.signOutUrl);
    await page.locator('#kc-logout').click();
    await page.getByText('You are logged out').first().waitFor();
    expect([await isIn(page), await isIn(other)]).toEqual([false, true]);
    for (const one of [page, other]) await one.context().close();
  });

  test('a sign-out from the service ends the session at Keycloak by SAML, with a signed request', async () => {
    const page = await signIn(saml);
    await keycloak.requireSignature(saml.clientId, await fetchCertificate(saml.clientId));
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('link', { name: 'Sign out of Keycloak by SAML' }).click();
    await page.getByText('You are signed out here and at Keycloak by SAML.').waitFor();
    await page.goto(oidc.consoleUrl);
    await page.getByRole('link', { name: 'Continue with' }).click();
    await page.locator('#username').waitFor();
    await page.context().close();
    await keycloak.acceptUnsigned(saml.clientId);
  });

  test('a person whom Keycloak has disabled cannot sign in by OpenID Connect or SAML', async () => {
    await keycloak.disable('mary');
    for (const { consoleUrl } of [oidc, saml]) {
      const page = await newPage();
      await page.goto(consoleUrl);
      await page.getByRole('link', { name: 'Continue with' }).click();
      await enter(page);
      await page.getByText('Account is disabled').first().waitFor();
      expect(await isIn(page)).toBe(false);
      await page.context().close();
    }
  });
});
