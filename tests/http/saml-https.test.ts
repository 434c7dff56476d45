/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "PUBLIC_URL": "https://console.test"} */
import type { components } from '../../generated/api-types.ts';
import { Visitor } from '../support/browser-visit.ts';
import { post } from '../support/client.ts';
import { SamlServer } from '../support/saml-server.ts';

const server = new SamlServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const ATTRIBUTES = ['Path=/', 'HttpOnly', 'SameSite=Lax', 'Secure'];

/** Returns the name and the attributes of each cookie that a page sets. */
function listCookies(headers: Headers): [name: string, ...attributes: string[]][] {
  return headers.getSetCookie().map((line) => {
    const [pair, ...attributes] = line.split('; ') as [string, ...string[]];
    return [pair.split('=')[0]!, ...attributes];
  });
}

test('over https, only this host and no other site gets the cookies of a sign-in', async () => {
  server.person = { nameId: 'grace', email: 'learner1@tenant.test' };
  const metadata = server.metadata.replaceAll(/http:\/\/localhost:\d+/g, 'https://idp.example.org');
  const created = await post('/identity-providers', { name: 'AD FS', protocol: 'saml', metadata });
  const { id, learnUrl, callbackUrl } = created.body.data as components['schemas']['IdentityProvider'];
  await testService.query(`update identity_providers set tested_at = now(), learners = 'optional' where id = $1`, [id]);
  expect(callbackUrl).toMatch(/^https:\/\/console\.test\//);

  const visitor = new Visitor();
  const begun = await visitor.get(new URL(learnUrl).pathname);
  const [attempt] = listCookies(begun.headers);
  expect(attempt![0]).toMatch(/^__Host-sso-[0-9a-f]{8}$/);
  expect(attempt!.slice(1)).toEqual(expect.arrayContaining(ATTRIBUTES));

  const form = server.respond(begun.headers.get('location')!);
  const body = new URLSearchParams({ ...form });
  const page = await visitor.get(new URL(callbackUrl).pathname, { method: 'POST', body });
  expect([page.status, page.headers.get('location')]).toEqual([303, '/learn']);
  const session = listCookies(page.headers).find(([name]) => name === '__Host-learner');
  expect(session).toEqual(expect.arrayContaining(ATTRIBUTES));
  expect((await visitor.get('/learn')).html).not.toContain('name="email"');
});
