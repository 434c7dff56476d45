/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import type { components } from '../../generated/api-types.ts';
import { Admin, makeAdminLink } from '../support/admin.ts';
import { Visitor } from '../support/browser-visit.ts';
import { get, patch, post } from '../support/client.ts';
import { ageProofs, asksToConfirm, continueForm } from '../support/confirmations.ts';
import { CLIENT, OidcServer } from '../support/oidc-server.ts';
import { companies } from '../support/world.ts';

type IdentityProvider = components['schemas']['IdentityProvider'];

const server = new OidcServer();
let provider: IdentityProvider;
const path = (place: string) => `/sso/${companies.tenant}/${provider.id}/${place}`;
const mary = { sub: 'mary', email: 'admin1@tenant.test' };
const john = { sub: 'john', email: 'admin2@tenant.test' };
const newKey = { name: 'confirmed', may: 'read', expiresAt: '' };
const reason = (html: string) => /<code>(\w+)<\/code>/.exec(html)?.[1];
const log = () =>
  testService.query(`select method, reason from sign_ins where action = 'confirmation' order by occurred_at, id`);

beforeAll(async () => {
  await server.start();
  const own = { name: 'Entra ID', protocol: 'oidc', issuer: server.issuer };
  const secret = { clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret };
  provider = (await post('/identity-providers', { ...own, ...secret })).body.data as IdentityProvider;
  server.serve(provider.callbackUrl);
});
afterAll(() => server.stop());
beforeEach(async () => {
  Object.assign(server, { person: mary, secondsSinceSignIn: 0 });
  await testService.query(
    `update identity_providers set tested_at = now(), admins = 'optional', learners = 'off' where id = $1`,
    [provider.id],
  );
  await testService.query('delete from provider_identities; delete from sign_ins; delete from company_settings');
});

/** Signs in with the provider, and makes the session older than ten minutes. */
async function begin(): Promise<{ browser: Visitor; admin: Admin }> {
  const browser = new Visitor();
  expect((await browser.signIn(server, path('console'))).status).toBe(303);
  await ageProofs();
  return { browser, admin: new Admin(`admin=${browser.cookies.get('admin')!}`) };
}

test('the provider of the session confirms it, by signing the person in again', async () => {
  const { browser, admin } = await begin();
  const asked = await admin.post('/console/keys', newKey);
  expect(asksToConfirm(asked)).toBe(true);
  expect(asked.html).toContain(`href="${path('confirm')}"`);
  const begun = new URL((await browser.get(path('confirm'))).headers.get('location')!);
  expect([begun.searchParams.get('prompt'), begun.searchParams.get('max_age')]).toEqual(['login', '0']);
  const cookie = browser.cookies.get('admin');
  const page = await browser.signIn(server, path('confirm'));
  expect([page.status, page.html.includes('You have confirmed that it is you')]).toEqual([200, true]);
  expect(browser.cookies.get('admin')).toBe(cookie);
  expect((await continueForm(admin, asked)).status).toBe(200);
  expect(await log()).toEqual([{ method: 'identity_provider', reason: null }]);
});

test('a sign-in by another person, or an old sign-in, does not confirm the session', async () => {
  const { browser, admin } = await begin();
  const asked = await admin.post('/console/keys', newKey);
  server.person = john;
  await testService.query(`update admins set status = 'active' where email = $1`, [john.email]);
  const other = await browser.signIn(server, path('confirm'));
  expect([other.status, reason(other.html)]).toEqual([403, 'person_differs']);
  Object.assign(server, { person: mary, secondsSinceSignIn: 3600 });
  const old = await browser.signIn(server, path('confirm'));
  expect([old.status, reason(old.html)]).toEqual([403, 'sign_in_not_recent']);
  expect(asksToConfirm(await continueForm(admin, asked))).toBe(true);
  expect(await log()).toEqual([
    { method: 'identity_provider', reason: 'person_differs' },
    { method: 'identity_provider', reason: 'sign_in_not_recent' },
  ]);
  const { data } = (await get('/sign-ins?outcome=failed')).body as { data: object[] };
  expect(data[0]).toMatchObject({ action: 'confirmation', reason: 'sign_in_not_recent' });
});

test('a confirmation needs a session, and a provider of its company that is switched on', async () => {
  const stranger = await new Visitor().get(path('confirm'));
  expect([stranger.status, stranger.headers.get('location')]).toEqual([303, '/console']);
  const foreign = new Visitor();
  await foreign.get(`/console/sign-in/${await makeAdminLink('other')}`, { method: 'POST' });
  expect(reason((await foreign.get(path('confirm'))).html)).toBe('provider_off');
  const { browser, admin } = await begin();
  await patch(`/identity-providers/${provider.id}`, { admins: 'off' });
  expect(reason((await browser.get(path('confirm'))).html)).toBe('provider_off');
  // Without the provider, a mailed link confirms.
  expect((await admin.post('/console/keys', newKey)).html).toContain('formaction="/console/confirm/mail"');
});

test('a sign-in with a provider needs no passkey, although the company requires one', async () => {
  await testService.query(`insert into company_settings (company_id, admin_passkeys) values ($1, 'required')`, [
    companies.tenant,
  ]);
  const { browser } = await begin();
  expect((await browser.get('/console/keys')).status).toBe(200);
});

test('while a provider is required, a session by link is confirmed with it, and not by another link', async () => {
  const admin = await Admin.of('tenant');
  await testService.query(`update identity_providers set admins = 'required' where id = $1`, [provider.id]);
  await ageProofs();
  const asked = await admin.post('/console/keys', newKey);
  expect(asked.html).toContain(`href="${path('confirm')}"`);
  expect((await admin.send(`/console/sign-in/${await makeAdminLink('tenant')}`, {})).status).toBe(404);
  expect(asksToConfirm(await continueForm(admin, asked))).toBe(true);
});
