/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import type { components } from '../../generated/api-types.ts';
import { Admin } from '../support/admin.ts';
import { Visitor } from '../support/browser-visit.ts';
import { post } from '../support/client.ts';
import { ageProofs, asksToConfirm, continueForm } from '../support/confirmations.ts';
import type { Page } from '../support/learner.ts';
import type { ResponseForm } from '../support/saml-provider.ts';
import { SamlServer } from '../support/saml-server.ts';
import { companies } from '../support/world.ts';

type IdentityProvider = components['schemas']['IdentityProvider'];

const server = new SamlServer();
let provider: IdentityProvider;
const path = (place: string) => `/sso/${companies.tenant}/${provider.id}/${place}`;
const reason = (html: string) => /<code>(\w+)<\/code>/.exec(html)?.[1];
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const newKey = { name: 'confirmed', may: 'read', expiresAt: '' };

beforeAll(async () => {
  await server.start();
  server.person = { nameId: 'mary', email: 'admin1@tenant.test' };
  const body = { name: 'AD FS', protocol: 'saml', metadata: server.metadata };
  provider = (await post('/identity-providers', body)).body.data as IdentityProvider;
  await testService.query(`update identity_providers set tested_at = now(), admins = 'optional' where id = $1`, [
    provider.id,
  ]);
});
afterAll(() => server.stop());

/** Signs in at a path, with the given differences from a valid response. */
async function signIn(visitor: Visitor, place: string, form: ResponseForm = {}): Promise<Page> {
  const location = (await visitor.get(path(place))).headers.get('location')!;
  return visitor.get(path('callback'), {
    ...{ method: 'POST', body: new URLSearchParams({ ...server.respond(location, form) }) },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
}

async function begin(form: ResponseForm = {}): Promise<{ visitor: Visitor; admin: Admin }> {
  const visitor = new Visitor();
  expect((await signIn(visitor, 'console', form)).status).toBe(303);
  return { visitor, admin: new Admin(`admin=${visitor.cookies.get('admin')!}`) };
}

test('a provider confirms the session of an admin, if it has just signed the admin in again', async () => {
  const { visitor, admin } = await begin();
  await ageProofs();
  const asked = await admin.post('/console/keys', newKey);
  expect(asksToConfirm(asked)).toBe(true);
  const old = await signIn(visitor, 'confirm', { authn: { AuthnInstant: inSeconds(-3600) } });
  expect(reason(old.html)).toBe('sign_in_not_recent');
  expect(asksToConfirm(await continueForm(admin, asked))).toBe(true);
  expect((await signIn(visitor, 'confirm')).status).toBe(200);
  expect((await continueForm(admin, asked)).status).toBe(200);
});

test('a session ends when the provider requires it, but no later than our own limit', async () => {
  const authn = (end: string) => ({ authn: { AuthnInstant: inSeconds(-10), SessionNotOnOrAfter: end } });
  const lengths = async () => {
    const rows = await testService.query(
      `select round(extract(epoch from expires_at - now()) / 60)::integer as minutes from person_sessions
        where provider_id = $1 order by expires_at`,
      [provider.id],
    );
    return rows.map(({ minutes }) => minutes as number);
  };
  await testService.query('delete from person_sessions where provider_id = $1', [provider.id]);
  const { admin } = await begin(authn(inSeconds(600)));
  await begin(authn(inSeconds(86_400)));
  await begin();
  expect(await lengths()).toEqual([10, 480, 480]);
  await testService.query(`update person_sessions set expires_at = now() where provider_id = $1`, [provider.id]);
  expect((await admin.get('/console/keys')).status).toBe(303);
});
