/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import { del, get } from '../support/client.ts';
import { askPage } from '../support/learner.ts';
import {
  fetchCertificate,
  type LogoutForm,
  nameId,
  readAddress,
  readAttribute,
  sessionIndex,
  signFields,
  signQuery,
} from '../support/saml-logout.ts';
import { createSamlKey, encode } from '../support/saml-provider.ts';
import { SamlServer } from '../support/saml-server.ts';
import { isIn, readReason, SamlVisits } from '../support/saml-visits.ts';
import { companies, learnerId } from '../support/world.ts';

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

test('a signed request ends the session that it names, and is answered with a signed response', async () => {
  const [first, second] = [
    await visits.signIn({ authn: { AuthnInstant: new Date().toISOString(), SessionIndex: 'one' } }),
    await visits.signIn({ authn: { AuthnInstant: new Date().toISOString(), SessionIndex: 'two' } }),
  ];
  const xml = visits.build({ content: nameId('grace') + sessionIndex('one') });
  const answer = await visits.open(signQuery(xml, server.keys[0]!, { relayState: 'a b+c' }));
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([303, 'no-store']);
  expect([await isIn(first), await isIn(second)]).toEqual([false, true]);
  const response = readAddress(answer.headers.get('location')!, certificate);
  expect([response.url, response.relayState]).toEqual([server.logoutUrl, 'a b+c']);
  expect(response.xml).toContain('<samlp:LogoutResponse ');
  expect(response.xml).toContain('StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"');
  expect(response.xml).toContain(`>${visits.provider.clientId}</saml:Issuer>`);
  expect(readAttribute(response.xml, 'InResponseTo')).toBe(readAttribute(xml, 'ID'));
  expect(readAttribute(response.xml, 'Destination')).toBe(server.logoutUrl);
});

test('a request without a session ends all sessions of the person with the provider, and no others', async () => {
  const [one, two] = [await visits.signIn(), await visits.signIn()];
  server.person = { nameId: 'mary', email: 'admin1@tenant.test' };
  const mary = await visits.signIn({}, 'console');
  expect((await visits.open(visits.sign({ content: nameId('grace') }))).status).toBe(303);
  expect([await isIn(one), await isIn(two), await isIn(mary, '/console')]).toEqual([false, false, true]);
});

test('a request of the HTTP-POST binding ends sessions, also without a browser', async () => {
  const visitor = await visits.signIn();
  const answer = await visits.send(signFields(visits.build(), server.keys[0]!, 'state'));
  expect(answer.status).toBe(303);
  expect(readAddress(answer.headers.get('location')!, certificate).relayState).toBe('state');
  expect(await isIn(visitor)).toBe(false);
});

test('the audit log names the provider, and the sessions and people whose sign-ins it has ended', async () => {
  await visits.signIn();
  const [session] = await testService.query('select id from person_sessions');
  await visits.open(visits.sign({ content: nameId('grace') }));
  await visits.open(visits.sign({ content: nameId('grace') }));
  const { entries } = (await get('/audit-log?operation=signOut')).body.data as unknown as { entries: object[] };
  const ofProvider = { actorType: 'identity_provider', actorId: visits.provider.id, outcome: 'done' };
  expect(entries[0]).toMatchObject({
    ...ofProvider,
    targets: [
      { field: 'sessionId', count: 1, ids: [session!.id] },
      { field: 'learnerId', count: 1, ids: [learnerId('tenant', 1)] },
    ],
  });
  // The second request has ended nothing.
  expect(entries[1]).not.toMatchObject({ ...ofProvider, targets: [{ ids: [session!.id] }, {}] });
});

describe('a request is rejected, and ends nothing', () => {
  const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();

  test.each<[string, LogoutForm]>([
    ['of another issuer', { issuer: 'https://other.example.org' }],
    ['for another destination', { attributes: { Destination: 'https://other.example.org/logout' } }],
    ['without a destination', { attributes: { Destination: undefined } }],
    ['that is old', { attributes: { IssueInstant: minutes(-8) } }],
    ['from the future', { attributes: { IssueInstant: minutes(8) } }],
    ['that has expired', { attributes: { NotOnOrAfter: minutes(-3) } }],
    ['without a time', { attributes: { IssueInstant: undefined } }],
    ['without an ID', { attributes: { ID: undefined } }],
    ['of another version', { attributes: { Version: '1.1' } }],
    ['without a person', { content: sessionIndex('_session1') }],
    ['for two people', { content: nameId('mary') + nameId('grace') }],
    ['for nobody', { content: nameId(' ') }],
    ['with too many sessions', { content: nameId('grace') + sessionIndex('x').repeat(101) }],
    ['that is another message', { name: 'samlp:AuthnRequest' }],
    ['with a comment in the person', { content: nameId('grace<!-- x -->') }],
  ])('%s', async (_name, form) => {
    const visitor = await visits.signIn();
    expect(readReason(await visits.open(visits.sign(form)))).toBe('response_invalid');
    expect(
      readReason(await visits.send(signFields(visits.build({ attributes: { ID: '_1' }, ...form }), server.keys[0]!))),
    ).toBe('response_invalid');
    expect(await isIn(visitor)).toBe(true);
  });

  test('for the service of another company, or of another provider', async () => {
    const visitor = await visits.signIn();
    const other = await SamlVisits.create(server);
    for (const query of [other.sign(), visits.sign({ attributes: { Destination: `${testService.url}/sso/x` } })])
      expect(readReason(await visits.open(query))).toBe('response_invalid');
    const foreign = await askPage(
      `${visits.path('logout').replace(companies.tenant, companies.other)}?${visits.sign()}`,
    );
    expect([foreign.status, readReason(foreign)]).toEqual([404, 'provider_off']);
    // Both providers have the same entity ID. Each ends only the sessions that began with it.
    expect((await other.open(other.sign())).status).toBe(303);
    expect(await isIn(visitor)).toBe(true);
    await del(`/identity-providers/${other.provider.id}`);
  });

  test('that was used before', async () => {
    const query = visits.sign();
    expect((await visits.open(query)).status).toBe(303);
    const visitor = await visits.signIn();
    const again = await visits.open(query);
    expect([again.status, readReason(again)]).toEqual([400, 'attempt_unknown']);
    expect(await isIn(visitor)).toBe(true);
  });

  test('without a signature of the provider', async () => {
    const visitor = await visits.signIn();
    const [xml, key, other] = [visits.build(), server.keys[0]!, await createSamlKey()];
    const good = signQuery(xml, key);
    const [signed, signature] = good.split('&Signature=') as [string, string];
    const fields = signFields(xml, key);
    const decode = (base64: string) => Buffer.from(base64, 'base64').toString();
    const evil = visits.build({ content: nameId('grace') });
    const wrapped = [
      // The signed request, in an extension of another one that carries its signature.
      evil.replace('</samlp:LogoutRequest>', `${decode(fields.SAMLRequest!)}</samlp:LogoutRequest>`),
      // The signature, moved to another request.
      evil.replace(
        '</saml:Issuer>',
        `</saml:Issuer>${/<ds:Signature .*<\/ds:Signature>/.exec(decode(fields.SAMLRequest!))![0]}`,
      ),
      decode(fields.SAMLRequest!).replace('>grace<', '>mary<'),
      xml,
    ];
    const queries = [
      signQuery(xml, other),
      ...[signed, `${signed}&Signature=`, `${signed}&Signature=AAAA`],
      good.replace('SigAlg=', 'SigAlg=x&SigAlg='),
      `${good}&SAMLRequest=${signQuery(evil, key).slice('SAMLRequest='.length)}`,
      `RelayState=https%3A%2F%2Fattacker.test&${good}&RelayState=`,
      good.replace('&SigAlg', '&RelayState=https%3A%2F%2Fattacker.test&SigAlg'),
      good.replace(/SigAlg=[^&]*/, `SigAlg=${encodeURIComponent('http://www.w3.org/2000/09/xmldsig#rsa-sha1')}`),
      good.replace(/SigAlg=[^&]*/, `SigAlg=${encodeURIComponent('http://www.w3.org/2000/09/xmldsig#hmac-sha1')}`),
      `${good}&SAMLEncoding=other`,
      `${good}&SAMLResponse=x`,
      // The signature of the other binding does not count.
      signQuery(decode(fields.SAMLRequest!), other),
      ...['', 'SAMLRequest=', 'SAMLRequest=%', 'SAMLRequest=AAAA', `SAMLRequest=${'A'.repeat(10_000)}`],
      signature,
    ];
    for (const query of queries) expect(readReason(await visits.open(query))).toBe('response_invalid');
    for (const document of wrapped)
      expect(readReason(await visits.send({ SAMLRequest: encode(document) }))).toBe('response_invalid');
    expect(await isIn(visitor)).toBe(true);
    expect((await visits.open(good)).status).toBe(303);
  });

  test('by HEAD', async () => {
    const query = visits.sign();
    const head = await fetch(`${testService.url + visits.path('logout')}?${query}`, { method: 'HEAD' });
    expect([head.status, (await visits.open(query)).status]).toEqual([405, 303]);
  });
});

test('sessions that begin after the request are kept', async () => {
  const visitor = await visits.signIn();
  await testService.query(`update person_sessions set created_at = now() + interval '5 minutes'`);
  expect((await visits.open(visits.sign())).status).toBe(303);
  expect(await isIn(visitor)).toBe(true);
});
