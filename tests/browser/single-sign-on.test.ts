/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import type { Browser } from 'playwright-core';
import { Admin } from '../support/admin.ts';
import { get } from '../support/client.ts';
import { ageProofs } from '../support/confirmations.ts';
import { CLIENT, OidcServer } from '../support/oidc-server.ts';
import { SamlServer } from '../support/saml-server.ts';
import { companies } from '../support/world.ts';
import { barriers, chromiumPath, launch, overflow, signedInWith } from './browser.ts';

const withBrowser = chromiumPath ? describe : describe.skip;

withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  const server = new OidcServer();
  const saml = new SamlServer();
  let browser: Browser;
  beforeAll(async () => {
    await testService.query(`update companies set domain = 'tenant.test' where id = $1`, [companies.tenant]);
    await server.start();
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    await saml.stop();
  });

  test('an owner adds a provider, tests it and switches it on; a learner then signs in with it', async () => {
    const { cookie } = await Admin.of('tenant');
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...signedInWith(cookie) });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });

    await page.goto(`${testService.url}/console/identity-providers`);
    expect(await barriers(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.getByRole('link', { name: 'Add a provider that supports OpenID Connect' }).click();
    expect(await barriers(page)).toEqual([]);
    await page.getByLabel('Name').fill('Keycloak');
    await page.getByLabel('Issuer').fill(server.issuer);
    await page.getByLabel('Client ID').fill(CLIENT.client_id);
    await page.getByLabel('Client secret').fill(CLIENT.client_secret);
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('heading', { name: 'Keycloak' }).waitFor();
    const { data } = (await get('/identity-providers')).body;
    server.serve(data.at(-1).callbackUrl as string);

    server.person = { sub: 'mary', email: 'admin1@tenant.test', given_name: 'Mary', family_name: 'Jackson' };
    await page.getByRole('link', { name: 'Test “Keycloak”' }).click();
    await page.getByRole('heading', { name: 'The test was successful' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'Back to the settings' }).click();
    await page.getByRole('link', { name: 'Change “Keycloak”' }).click();
    await page.getByLabel('Learners', { exact: true }).selectOption('required');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must use it').waitFor();

    await page.getByRole('link', { name: 'Change “Keycloak”' }).click();
    await page.getByLabel('Admins', { exact: true }).selectOption('optional');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('can use it').waitFor();
    expect(complaints).toEqual([]);
    await context.close();

    // Another browser, in which the provider has no session of the owner.
    server.person = { sub: 'grace', email: 'learner1@tenant.test' };
    const other = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const visitor = await other.newPage();
    await visitor.goto(`${testService.url}/learn`);
    await visitor.getByLabel('E-mail address').fill('learner1@tenant.test');
    await visitor.getByRole('button', { name: 'Send me a link' }).click();
    const go = visitor.getByRole('link', { name: 'Continue with Keycloak' });
    await go.waitFor();
    expect(await barriers(visitor)).toEqual([]);
    await go.click();
    await visitor.waitForURL(`${testService.url}/learn`);
    expect(await visitor.getByLabel('E-mail address').count()).toBe(0);
    await other.close();
  });

  test('an admin confirms with the provider in a new tab, and the waiting form is sent', async () => {
    server.person = { sub: 'mary', email: 'admin1@tenant.test', given_name: 'Mary', family_name: 'Jackson' };
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const { data } = (await get('/identity-providers')).body;
    await page.goto(data.at(-1).consoleUrl as string);
    await page.getByRole('link', { name: 'Continue with Keycloak' }).click();
    await page.waitForURL(`${testService.url}/console`);
    await ageProofs();
    await page.goto(`${testService.url}/console/keys`);
    await page.getByLabel('Name').fill('Key of Mary');
    await page.getByRole('button', { name: 'Create' }).click();
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Open the sign-in service in a new tab' }).click();
    expect(await barriers(page)).toEqual([]);
    await (await opened).getByRole('heading', { name: 'You have confirmed that it is you' }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Key of Mary').first().waitFor();
    await context.close();
  });

  test('a SAML provider on another site is added, tested and used', async () => {
    await testService.query(`delete from identity_providers where company_id = $1`, [companies.tenant]);
    await saml.start();
    saml.person = { nameId: 'mary', email: 'admin1@tenant.test', firstName: 'Mary', groups: ['Owners'] };
    const { cookie } = await Admin.of('tenant');
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...signedInWith(cookie) });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    await page.goto(`${testService.url}/console/identity-providers`);
    await page.getByRole('link', { name: 'Add a provider that supports SAML 2.0' }).click();
    await page.getByLabel('Name').fill('AD FS');
    await page.getByLabel('Or the metadata itself').fill('<hello/>');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('This is not the metadata of a SAML provider').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.getByLabel('Or the metadata itself').fill(saml.metadata);
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('heading', { name: 'AD FS' }).waitFor();
    await page.getByText('Last certificate expires').waitFor();
    expect(await overflow(page)).toBe(0);
    await page.getByRole('link', { name: 'Test “AD FS”' }).click();
    await page.getByRole('heading', { name: 'The test was successful' }).waitFor();
    await page.getByRole('link', { name: 'Back to the settings' }).click();
    await page.getByRole('link', { name: 'Change “AD FS”' }).click();
    await page.getByLabel('Admins', { exact: true }).selectOption('optional');
    await page.getByLabel('Group 1', { exact: true }).fill('Owners');
    await page.getByLabel('Role of group 1', { exact: true }).selectOption('owner');
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('can use it', { exact: true }).waitFor();
    const { data } = (await get('/identity-providers')).body;
    expect(data.at(-1).roles).toEqual([{ group: 'Owners', role: 'owner', roleId: null }]);
    // The first form was rejected, and its status is shown as an error.
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
    await context.close();

    const other = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const visitor = await other.newPage();
    await visitor.goto(data.at(-1).consoleUrl as string);
    await visitor.getByRole('link', { name: 'Continue with AD FS' }).click();
    await visitor.waitForURL(`${testService.url}/console`);
    expect(await visitor.getByLabel('E-mail address').count()).toBe(0);
    await other.close();
  });
});
