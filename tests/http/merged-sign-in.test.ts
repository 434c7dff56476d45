/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import type { components } from '../../generated/api-types.ts';
import { Visitor } from '../support/browser-visit.ts';
import { post } from '../support/client.ts';
import { CLIENT, OidcServer } from '../support/oidc-server.ts';
import { companies, learnerId } from '../support/world.ts';
import { merged, undone } from '../resources/learner-merges/merge-state.ts';

type IdentityProvider = components['schemas']['IdentityProvider'];

const server = new OidcServer();
let provider: IdentityProvider;
const [stays, duplicate] = [learnerId('tenant', 1), learnerId('tenant', 2)];
const people = {
  grace: { sub: 'grace', email: 'learner1@tenant.test' },
  former: { sub: 'grace-as-contractor', email: 'learner2@tenant.test' },
  other: { sub: 'someone', email: 'learner1@tenant.test' },
};

beforeAll(async () => {
  await server.start();
  const own = { name: 'Entra ID', protocol: 'oidc', issuer: server.issuer };
  const secret = { clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret };
  provider = (await post('/identity-providers', { ...own, ...secret })).body.data as IdentityProvider;
  server.serve(provider.callbackUrl);
  await testService.query(`update identity_providers set tested_at = now(), learners = 'optional' where id = $1`, [
    provider.id,
  ]);
});
afterAll(() => server.stop());

/** Signs a person in. Returns the session's learner, or the reason for a failure. */
async function signIn(person: keyof typeof people): Promise<unknown> {
  server.person = people[person];
  const page = await new Visitor().signIn(server, `/sso/${companies.tenant}/${provider.id}/learn`);
  if (page.status !== 303) return /<code>(\w+)<\/code>/.exec(page.html)?.[1];
  const [session] = await testService.query(
    `select learner_id from person_sessions where provider_id = $1 order by created_at desc limit 1`,
    [provider.id],
  );
  return session!.learner_id;
}

test("after a merge, both learners' ids at the provider sign in the remaining learner, until the merge is undone", async () => {
  expect([await signIn('grace'), await signIn('former')]).toEqual([stays, duplicate]);
  const { id } = await merged(duplicate, stays);
  for (let round = 0; round < 2; round += 1)
    expect([await signIn('former'), await signIn('grace')]).toEqual([stays, stays]);
  expect(await signIn('other')).toBe('identity_differs');
  await undone(id);
  expect([await signIn('former'), await signIn('grace')]).toEqual([duplicate, stays]);
});

test('a provider id that only the duplicate had also moves, and the remaining learner keeps the address', async () => {
  await testService.query('delete from provider_identities');
  expect(await signIn('former')).toBe(duplicate);
  const { id } = await merged(duplicate, stays);
  expect([await signIn('former'), await signIn('grace'), await signIn('former')]).toEqual([stays, stays, stays]);
  await undone(id);
  expect([await signIn('former'), await signIn('grace')]).toEqual([duplicate, stays]);
});

test('changing the address of the remaining learner invalidates both provider ids', async () => {
  const { id } = await merged(duplicate, stays);
  await testService.query(`update learners set email = 'moved@tenant.test' where id = $1`, [stays]);
  expect([await signIn('former'), await signIn('grace')]).toEqual(['person_unknown', 'person_unknown']);
  await testService.query(`update learners set email = 'learner1@tenant.test' where id = $1`, [stays]);
  expect(await signIn('grace')).toBe(stays);
  await undone(id);
  expect(await signIn('former')).toBe(duplicate);
});
