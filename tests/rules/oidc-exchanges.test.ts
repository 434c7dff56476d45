import { createHmac, createPublicKey } from 'node:crypto';
import { failToSignIn, signIn, startProvider, type TestProvider } from '../support/provider-sign-in.ts';
import {
  ACCESS_TOKEN,
  createSigningKey,
  type Exchange,
  halfHash,
  PATHS,
  sendJson,
  signWith,
} from '../support/scripted-provider.ts';

const keys = {
  RS256: createSigningKey('RS256'),
  PS256: createSigningKey('PS256'),
  ES256: createSigningKey('ES256'),
  EdDSA: createSigningKey('EdDSA'),
};
/** A key that the provider does not publish, with the id of a published key. */
const attackers = createSigningKey('RS256');
const other = createSigningKey('RS256', 'two');
const now = () => Math.floor(Date.now() / 1000);

let started: TestProvider;
let exchange: Exchange;
const prepare = (key = keys.RS256) => {
  started.provider.prepare(key);
  ({ exchange } = started.provider);
};

beforeAll(async () => (started = await startProvider()));
beforeEach(() => prepare());
afterAll(() => started.provider.stop());

describe('a person is signed in', () => {
  test.each(Object.values(keys))('with an ID token signed by $algorithm', async (key) => {
    prepare(key);
    expect(await signIn(started)).toEqual({
      ...{ subject: 'grace', email: 'grace@tenant.test', isEmailVerified: true },
      ...{ firstName: 'Grace', lastName: 'Hopper', groups: ['Staff'] },
    });
    expect(started.provider.requests).toEqual([PATHS.discovery, PATHS.discovery, PATHS.token, PATHS.keys]);
  });

  test('with keys that change between two sign-ins', async () => {
    await signIn(started);
    prepare(other);
    expect((await signIn(started)).subject).toBe('grace');
  });

  test('with keys that change while the browser is at the provider', async () => {
    const meanwhile = () => {
      exchange.keys = [other.jwk];
      exchange.header.kid = 'two';
      exchange.sign = (input) => signWith(other, input);
    };
    expect((await signIn(started, { meanwhile })).subject).toBe('grace');
  });

  test('with claims that only the UserInfo response has', async () => {
    Object.assign(exchange.claims, { email: undefined, groups: undefined });
    exchange.userInfo = { sub: 'grace', email: 'other@tenant.test', groups: 'Owners' };
    expect(await signIn(started)).toMatchObject({ email: 'other@tenant.test', groups: ['Owners'] });
  });

  test('with several audiences, if the client is the authorized party', async () => {
    Object.assign(exchange.claims, { aud: ['awareness', 'other'], azp: 'awareness' });
    expect((await signIn(started)).subject).toBe('grace');
  });
});

type Row = [name: string, change: () => void];
const claim = (claims: () => object) => () => void Object.assign(exchange.claims, claims());
const header = (changes: () => object) => () => void Object.assign(exchange.header, changes());
const signByAttacker = () => (exchange.sign = (input) => signWith(attackers, input));
const signByHmac = (secret: () => string | Buffer) => () => {
  exchange.header.alg = 'HS256';
  exchange.metadata.id_token_signing_alg_values_supported = ['HS256', 'RS256'];
  exchange.sign = (input) => createHmac('sha256', secret()).update(input).digest();
};
const publicPem = () => {
  return createPublicKey(keys.RS256.privateKey).export({ type: 'spki', format: 'pem' });
};

const signatures: Row[] = [
  [
    'no signature, which the configuration permits',
    () => {
      exchange.header = { alg: 'none' };
      exchange.metadata.id_token_signing_alg_values_supported = ['none', 'RS256'];
      exchange.sign = () => Buffer.alloc(0);
    },
  ],
  ['an empty signature', () => (exchange.sign = () => Buffer.alloc(0))],
  ['a signature by the client secret', signByHmac(() => 'the-secret-of-the-client')],
  ['a signature by the public key as a secret', signByHmac(publicPem)],
  ['a signature by another key with the same id', signByAttacker],
  ['an unknown key id', header(() => ({ kid: 'unknown' }))],
  [
    'no key id while there are two keys',
    () => {
      exchange.header.kid = undefined;
      exchange.keys = [keys.RS256.jwk, other.jwk];
    },
  ],
  [
    'an algorithm that the configuration does not list',
    () => (exchange.metadata.id_token_signing_alg_values_supported = ['ES256']),
  ],
  ['an algorithm of another kind of key', header(() => ({ alg: 'ES256' }))],
  ...['jku', 'x5u'].map((name): Row => {
    return [
      `an address of keys in its header (${name})`,
      () => {
        exchange.header[name] = `${started.provider.issuer}/attacker`;
        exchange.answers['/attacker'] = (response) => sendJson(response, { keys: [attackers.jwk] });
        signByAttacker();
      },
    ];
  }),
  [
    'a key in its header (jwk)',
    () => {
      exchange.header.jwk = attackers.jwk;
      signByAttacker();
    },
  ],
  ['an unknown critical header', header(() => ({ crit: ['exp'] }))],
  ['a signature by a symmetric key', () => (exchange.keys = [{ kty: 'oct', kid: 'one', k: 'c2VjcmV0' }])],
  ['keys that are not objects', () => (exchange.keys = [null, 1, 'key'])],
  ['keys without parameters', () => (exchange.keys = [{ kty: 'RSA', kid: 'one' }])],
  ['a key for encryption', () => (exchange.keys = [{ ...keys.RS256.jwk, use: 'enc' }])],
];

const claims: Row[] = [
  ['an expiry in the past', claim(() => ({ exp: now() - 120 }))],
  ['no expiry', claim(() => ({ exp: undefined }))],
  ['an expiry that is a string', claim(() => ({ exp: '9999999999' }))],
  ['a time of issue in the future', claim(() => ({ iat: now() + 3600, exp: now() + 7200 }))],
  ['a not-before time in the future', claim(() => ({ nbf: now() + 3600 }))],
  ['another issuer', claim(() => ({ iss: 'https://attacker.test' }))],
  ['the issuer with a slash at the end', claim(() => ({ iss: `${started.provider.issuer}/` }))],
  ['the issuer of another tenant', claim(() => ({ iss: `${started.provider.issuer}/tenant` }))],
  ['another audience', claim(() => ({ aud: 'another' }))],
  ['several audiences without an authorized party', claim(() => ({ aud: ['awareness', 'another'] }))],
  ['several audiences for another authorized party', claim(() => ({ aud: ['awareness', 'another'], azp: 'another' }))],
  ['another authorized party', claim(() => ({ azp: 'another' }))],
  ['no nonce', claim(() => ({ nonce: undefined }))],
  ['the nonce of another attempt', claim(() => ({ nonce: 'A'.repeat(43) }))],
  ['a nonce that is an array', claim(() => ({ nonce: ['A'] }))],
  ['a wrong hash of the access token', claim(() => ({ at_hash: halfHash('RS256', 'another') }))],
  ['a wrong hash of the code', claim(() => ({ c_hash: halfHash('RS256', ACCESS_TOKEN) }))],
  ['no subject', claim(() => ({ sub: undefined }))],
  ...[...['', ' ', 7, null, ['grace'], { id: 'grace' }, 'x'.repeat(10_000)], ...['grace\0', 'grace\n', '\ud800']].map(
    (sub): Row => [`the subject ${JSON.stringify(sub).slice(0, 20)}`, claim(() => ({ sub }))],
  ),
];

test.each([...signatures, ...claims])('an ID token with %s signs nobody in', async (_name, change) => {
  change();
  expect((await failToSignIn(started)).reason).toBe('response_invalid');
  expect(started.provider.requests).not.toContain('/attacker');
});

test('a UserInfo response about another person signs nobody in', async () => {
  exchange.claims.email = undefined;
  exchange.userInfo = { sub: 'mary', email: 'mary@tenant.test' };
  expect((await failToSignIn(started)).reason).toBe('response_invalid');
});

const callbacks: [name: string, reason: string, change: (parameters: URLSearchParams) => void][] = [
  ['an error', 'provider_refused', (parameters) => parameters.set('error', 'access_denied')],
  [
    'the issuer of another provider',
    'response_invalid',
    (parameters) => parameters.set('iss', 'https://attacker.test'),
  ],
  ['two states', 'response_invalid', (parameters) => parameters.append('state', 'A')],
  ['another state', 'response_invalid', (parameters) => parameters.set('state', 'A'.repeat(43))],
  ['two codes', 'response_invalid', (parameters) => parameters.append('code', 'A')],
  ['no code', 'response_invalid', (parameters) => parameters.delete('code')],
  ['the code of another client', 'response_invalid', (parameters) => parameters.set('code', 'another')],
  ['an ID token', 'response_invalid', (parameters) => parameters.set('id_token', 'a.b.c')],
  ['an access token', 'response_invalid', (parameters) => parameters.set('token', 'a')],
  ['a signed response', 'response_invalid', (parameters) => parameters.set('response', 'a.b.c')],
];

test.each(callbacks)('a callback with %s signs nobody in', async (_name, reason, change) => {
  exchange.callback = change;
  expect((await failToSignIn(started)).reason).toBe(reason);
});

test('a callback without the issuer signs nobody in if the provider announces it', async () => {
  exchange.metadata.authorization_response_iss_parameter_supported = true;
  expect((await failToSignIn(started)).reason).toBe('response_invalid');
  expect(started.provider.requests).not.toContain(PATHS.token);
});

const texts = { email: '', firstName: '', lastName: '', groups: [] };
const unusual: [name: string, claims: object, reported: object][] = [
  ['arrays', { email: ['a@tenant.test'], given_name: [], family_name: ['x'], groups: [['x']] }, texts],
  ['objects', { email: {}, given_name: {}, family_name: {}, groups: {} }, texts],
  ['numbers', { email: 1, given_name: 2, family_name: 3, groups: 4 }, texts],
  ['NUL', { email: 'a\0@tenant.test', given_name: '\0', family_name: 'x\0', groups: ['a\0'] }, texts],
  [
    'control characters',
    { email: 'a@tenant.test\r\nBcc: b', given_name: '\x07', family_name: '', groups: '\x1b' },
    texts,
  ],
  ['lone surrogates', { email: '\ud800@tenant.test', given_name: '\udc00', family_name: '', groups: [] }, texts],
  ['long strings', { email: `${'a'.repeat(600)}@tenant.test`, given_name: '', family_name: '', groups: [] }, texts],
  ['email_verified "false"', { email_verified: 'false' }, { isEmailVerified: false }],
  ['email_verified 0', { email_verified: 0 }, { isEmailVerified: false }],
  ['email_verified "no"', { email_verified: 'no' }, { isEmailVerified: false }],
  ['email_verified []', { email_verified: [] }, { isEmailVerified: false }],
];

test.each(unusual)('claims with %s are not read as strings', async (_name, changed, reported) => {
  Object.assign(exchange.claims, changed);
  expect(await signIn(started)).toMatchObject(reported);
});

test('claims named __proto__ change no other claim', async () => {
  exchange.claims = JSON.parse(
    JSON.stringify(exchange.claims).replace('{', '{"__proto__":{"email_verified":false},'),
  ) as object as Exchange['claims'];
  expect(await signIn(started)).toMatchObject({ email: 'grace@tenant.test', isEmailVerified: true });
  expect({}).not.toHaveProperty('email_verified');
});

test('a provider with 100,000 groups signs nobody in, and with 20,000 the first 2,000 count', async () => {
  const groups = (count: number) => Array.from({ length: count }, (_, index) => `group-${index}`);
  exchange.claims.groups = groups(100_000);
  expect((await failToSignIn(started)).reason).toBe('provider_unavailable');
  exchange.claims.groups = groups(20_000);
  expect((await signIn(started)).groups).toEqual(groups(2000));
});
