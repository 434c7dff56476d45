/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import pg from 'pg';
import { createLogs } from '../../src/observability/logger.ts';
import { buildAddresses } from '../../src/http/addresses.ts';
import { createProvider } from '../../src/oauth/provider.ts';
import { Secrets } from '../../src/oauth/secrets.ts';
import { approvedCode, ask, connect, encode, mcp, publicUrl, REDIRECT } from './oauth-support.ts';
import { verify } from './verify.ts';

/** Private module in which the library keeps the settings of a provider, defaults included. */
const PRIVATE_STATE: string = 'oidc-provider/lib/helpers/weak_cache.js';

interface LibraryState {
  configuration: {
    features: Record<string, { enabled: boolean }>;
    grantTypes: Set<string>;
    responseTypes: string[];
    clientAuthMethods: Set<string>;
    enableHttpPostMethods: boolean;
  };
}

test('the library has exactly the intended features, grant types and methods', async () => {
  const { logger } = createLogs('silent');
  const provider = createProvider({
    pool: new pg.Pool(),
    logger,
    addresses: buildAddresses(publicUrl()),
    secrets: new Secrets(['of-the-tests'.repeat(3)], logger),
    fetchDocument: fetch,
    countAnonymous: () => Promise.resolve(),
    corsOrigins: [],
  });
  const { default: stateOf } = (await import(PRIVATE_STATE)) as { default: (of: unknown) => LibraryState };
  const { configuration } = stateOf(provider);
  const on = Object.entries(configuration.features).filter(([, { enabled }]) => enabled);
  expect(on.map(([name]) => name).toSorted()).toEqual(['clientIdMetadataDocument', 'resourceIndicators', 'revocation']);
  expect([...configuration.grantTypes]).toEqual(['authorization_code', 'refresh_token']);
  expect([...configuration.clientAuthMethods]).toEqual(['none']);
  expect(configuration.responseTypes).toEqual(['code']);
  expect(configuration.enableHttpPostMethods).toBe(false);
});

/** Builds a DPoP proof (RFC 9449) for the token endpoint. */
function proof(): string {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const header = { alg: 'ES256', typ: 'dpop+jwt', jwk: publicKey.export({ format: 'jwk' }) };
  const iat = Math.floor(Date.now() / 1000);
  const payload = { jti: randomUUID(), htm: 'POST', htu: `${publicUrl()}/oauth/token`, iat };
  const signed = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

describe('DPoP', () => {
  test.each([
    ['a proof', proof],
    ['an invalid proof', () => 'nonsense'],
  ])('is not supported: a code and a refresh token with %s return bearer tokens', async (_case, header) => {
    const { clientId, code, verifier } = await approvedCode();
    const headers = { dpop: header() };
    const form = { client_id: clientId, redirect_uri: REDIRECT, code, code_verifier: verifier };
    const first = await ask('/oauth/token', { form: encode({ ...form, grant_type: 'authorization_code' }), headers });
    const { refresh_token } = first.body;
    const form2 = encode({ client_id: clientId, grant_type: 'refresh_token', refresh_token });
    const second = await ask('/oauth/token', { form: form2, headers: { dpop: header() } });
    for (const { status, body, headers: answered } of [first, second]) {
      expect({ status, type: body.token_type }).toEqual({ status: 200, type: 'Bearer' });
      expect(answered['dpop-nonce']).toBeUndefined();
      expect(await verify(body.access_token)).toBeDefined();
    }
    const bound = await testService.query(`select from oauth_tokens where payload ?| array['jkt', 'x5t#S256']`);
    expect(bound).toEqual([]);
  });

  test('is not requested by an error response', async () => {
    const reply = await ask('/oauth/token', {
      form: 'grant_type=refresh_token&client_id=x',
      headers: { dpop: proof() },
    });
    expect(reply.headers['www-authenticate'] ?? '').not.toContain('DPoP');
  });

  test.each(['jkt', 'x5t#S256'])(
    'a token that is bound to a key by %s does not work as a bearer token',
    async (binding) => {
      const { access, clientId } = await connect();
      await testService.query(
        `update oauth_tokens t set payload = t.payload || jsonb_build_object($2::text, 'thumbprint')
         from oauth_grants g where g.id = t.grant_id and g.client_id = $1`,
        [clientId, binding],
      );
      expect(await verify(access)).toBeUndefined();
      const reply = await ask('/mcp', { json: {}, headers: { authorization: `Bearer ${access}` } });
      expect(reply.status).toBe(401);
    },
  );

  test('is not accepted as a scheme by the tool server', async () => {
    const { access } = await connect();
    const headers = { authorization: `DPoP ${access}`, dpop: proof() };
    expect((await ask('/mcp', { json: {}, headers })).status).toBe(401);
    const { body } = await ask('/.well-known/oauth-protected-resource/mcp');
    expect(body).toMatchObject({ resource: mcp(), bearer_methods_supported: ['header'] });
  });
});
