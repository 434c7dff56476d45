/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import { X509Certificate } from 'node:crypto';
import { receiveMessage } from '../../src/identity/saml/received-message.ts';
import { Visitor } from '../support/browser-visit.ts';
import { del } from '../support/client.ts';
import type { Page } from '../support/learner.ts';
import { fetchCertificate, readAddress, readAttribute, signQuery, status } from '../support/saml-logout.ts';
import { createSamlKey, encode } from '../support/saml-provider.ts';
import { SamlServer } from '../support/saml-server.ts';
import { isIn, readReason, SamlVisits } from '../support/saml-visits.ts';

const POST_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

const server = new SamlServer();
let visits: SamlVisits;
let certificate: string;

beforeAll(async () => {
  await server.start();
  visits = await SamlVisits.create(server);
  certificate = await fetchCertificate(visits.provider.clientId);
});
afterAll(() => server.stop());
beforeEach(async () => {
  server.person = { nameId: 'grace', email: 'learner1@tenant.test' };
  await testService.query('delete from person_sessions');
});

describe('after a sign-out here', () => {
  async function signOut(visitor: Visitor, home = '/learn'): Promise<Page> {
    const { html } = await visitor.get(home);
    const form_token = /name="form_token" value="([^"]+)"/.exec(html)![1]!;
    const body = new URLSearchParams({ form_token });
    const left = await visitor.get(`${home}/sign-out`, { method: 'POST', body });
    return visitor.get(left.headers.get('location')!);
  }

  const readLink = ({ html }: Page) => /<a class="button" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  const respond = (requestId: string, codes: string[], attributes = {}) => {
    const content = status(...codes);
    return visits.build({
      name: 'samlp:LogoutResponse',
      attributes: { InResponseTo: requestId, ...attributes },
      content,
    });
  };

  test('the page sends the browser to the provider, which reports the end of its session', async () => {
    const visitor = await visits.signIn({
      nameIdAttributes: { Format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', NameQualifier: 'a&quot;b' },
    });
    const request = readAddress(readLink(await signOut(visitor))!, certificate);
    expect([request.url, request.relayState]).toEqual([server.logoutUrl, null]);
    expect(request.xml).toContain(' NameQualifier="a&quot;b">grace</saml:NameID>');
    expect(request.xml).toContain('<samlp:SessionIndex>_session1</samlp:SessionIndex>');
    const id = readAttribute(request.xml, 'ID')!;
    const query = (xml: string) => signQuery(xml, server.keys[0]!, { parameter: 'SAMLResponse' });
    const other = await new Visitor().get(`${visits.path('logout')}?${query(respond(id, ['Success']))}`);
    expect([other.status, readReason(other)]).toEqual([400, 'attempt_unknown']);
    for (const wrong of [
      respond('_other', ['Success']),
      respond(id, ['Success'], { Destination: 'https://other.test/' }),
      respond(id, ['Success']).replace(server.entityId, 'https://other.test/'),
    ])
      expect(readReason(await visitor.get(`${visits.path('logout')}?${query(wrong)}`))).toBe('response_invalid');
    const page = await visitor.get(`${visits.path('logout')}?${query(respond(id, ['Success']))}`);
    expect([page.status, page.html.includes('You are signed out here and at AD FS.')]).toEqual([200, true]);
    expect(readReason(await visitor.get(`${visits.path('logout')}?${query(respond(id, ['Success']))}`))).toBe(
      'attempt_unknown',
    );
  });

  test('the page says if the provider has not ended all sessions', async () => {
    const visitor = await visits.signIn();
    const id = readAttribute(readAddress(readLink(await signOut(visitor))!, certificate).xml, 'ID')!;
    const fields = { SAMLResponse: encode(respond(id, ['Success', 'PartialLogout'])) };
    const sendBy = (form: Record<string, string>, site: string) =>
      visitor.get(visits.path('logout'), {
        ...{ method: 'POST', body: new URLSearchParams(form), headers: { 'sec-fetch-site': site } },
      });
    expect((await sendBy(fields, 'cross-site')).html).toContain('id="resend"');
    const page = await sendBy({ ...fields, RelayState: '', again: 'yes' }, 'same-origin');
    expect(page.html).toContain('did not end all your sessions');
  });

  test('nobody can make the service ask for the end of another session', async () => {
    const visitor = await visits.signIn();
    await signOut(visitor);
    const sealed = visitor.cookies.get('signed-out')!;
    for (const cookie of [sealed.slice(0, -2), `${sealed.slice(0, -4)}AAAA`, 'AAAA', '{}']) {
      visitor.cookies.set('signed-out', cookie);
      const page = await visitor.get(visits.path('signed-out/learn'));
      expect([page.status, readLink(page)]).toEqual([200, undefined]);
    }
    const other = await SamlVisits.create(server);
    visitor.cookies.set('signed-out', sealed);
    const page = await visitor.get(visits.path('signed-out/learn').replace(visits.provider.id, other.provider.id));
    expect(readLink(page)).toBeUndefined();
    await del(`/identity-providers/${other.provider.id}`);
  });

  test('the page has a signed form for a provider with only the HTTP-POST binding', async () => {
    const own = visits;
    server.logoutBindings = [POST_BINDING];
    visits = await SamlVisits.create(server);
    const visitor = await visits.signIn();
    const page = await signOut(visitor);
    expect(page.headers.get('content-security-policy')).toContain('form-action http:;');
    expect(page.html).toContain(`action="${server.logoutUrl}"`);
    const xml = Buffer.from(/name="SAMLRequest" value="([^"]+)"/.exec(page.html)![1]!, 'base64').toString();
    const { publicKey } = new X509Certificate(Buffer.from(await fetchCertificate(visits.provider.clientId), 'base64'));
    const { verify } = receiveMessage({ form: new URLSearchParams({ SAMLRequest: encode(xml) }) });
    expect(verify([publicKey]).name).toBe('LogoutRequest');
    const answer = await visits.open(visits.sign());
    expect([answer.status, answer.html.includes('name="SAMLResponse"')]).toEqual([200, true]);
    await del(`/identity-providers/${visits.provider.id}`);
    visits = own;
  });

  test('the page has no link for a provider without a single logout service', async () => {
    const own = visits;
    server.logoutBindings = [];
    visits = await SamlVisits.create(server);
    const page = await signOut(await visits.signIn());
    expect([page.status, readLink(page)]).toEqual([200, undefined]);
    const answer = await visits.open(visits.sign());
    expect([answer.status, answer.html.includes('You are signed out here and at AD FS.')]).toEqual([200, true]);
    visits = own;
  });
});

test('a request that a new key of the provider signs ends a session that began after the change', async () => {
  server.logoutBindings = ['urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'];
  const address = `${server.url}/metadata`;
  await testService.query('update identity_providers set metadata_url = $1 where id = $2', [
    address,
    visits.provider.id,
  ]);
  await visits.signIn();
  const own = server.keys;
  server.keys = [await createSamlKey()];
  const visitor = await visits.signIn();
  expect((await visits.open(visits.sign())).status).toBe(303);
  expect(await isIn(visitor)).toBe(false);
  server.keys = own;
  await testService.query('update identity_providers set metadata_url = null where id = $1', [visits.provider.id]);
});
