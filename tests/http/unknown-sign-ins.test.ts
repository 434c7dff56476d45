/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "WEBHOOKS_ALLOW_LOOPBACK": "yes", "TRUSTED_PROXY_HOPS": "1"} */
import type { components } from '../../generated/api-types.ts';
import { Visitor } from '../support/browser-visit.ts';
import { get, post } from '../support/client.ts';
import { CLIENT, OidcServer } from '../support/oidc-server.ts';
import { companies } from '../support/world.ts';

const server = new OidcServer();
let path: string;

beforeAll(async () => {
  await server.start();
  const own = { name: 'Entra ID', protocol: 'oidc', issuer: server.issuer };
  const secret = { clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret };
  const created = await post('/identity-providers', { ...own, ...secret });
  const { id, callbackUrl } = created.body.data as components['schemas']['IdentityProvider'];
  server.serve(callbackUrl);
  server.person = { sub: 'nobody', email: 'nobody@tenant.test' };
  path = `/sso/${companies.tenant}/${id}/learn`;
  await testService.query(`update identity_providers set tested_at = now(), learners = 'optional' where id = $1`, [id]);
});
afterAll(() => server.stop());

/** Fails to sign in as a person whom the company does not know. */
async function fail(address: string): Promise<void> {
  const visitor = new Visitor();
  const page = await visitor.get(await visitor.goTo(server, path), { headers: { 'x-forwarded-for': address } });
  expect(page.html).toContain('<code>person_unknown</code>');
}

const countListed = async () => ((await get('/sign-ins?outcome=failed&limit=100')).body.data as object[]).length;

test('20 failures an hour by unknown people are listed per network', async () => {
  for (let attempt = 0; attempt < 22; attempt += 1) await fail('203.0.113.1');
  expect(await countListed()).toBe(20);
  await fail('198.51.100.1');
  expect(await countListed()).toBe(21);
});

test('200 failures an hour by unknown people are listed over all networks', async () => {
  await testService.query(
    `insert into sign_ins (company_id, kind, method, action, reason, network)
     select $1, 'learner', 'identity_provider', 'sign_in', 'person_unknown', 'network ' || n from generate_series(1, 179) as n`,
    [companies.tenant],
  );
  await fail('198.51.100.2');
  await testService.query(`delete from sign_ins where network = 'network 1'`);
  await fail('198.51.100.2');
  await fail('198.51.100.2');
  const [row] = await testService.query(
    `select count(*)::integer as count from sign_ins where company_id = $1 and person_id is null and reason is not null`,
    [companies.tenant],
  );
  expect(row).toEqual({ count: 200 });
});
