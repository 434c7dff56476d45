/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import { send } from '../support/client.ts';
import { keys } from '../support/world.ts';
import {
  approvedCode,
  ask,
  type Changes,
  connect,
  encode,
  exchange,
  expectRefused,
  mcp,
  pkce,
  refresh,
  registerClient,
  revoke,
  type Tokens,
} from './oauth-support.ts';
import { verify } from './verify.ts';

/** Moves a time of a grant's tokens back. */
async function age(tokens: Pick<Tokens, 'clientId'>, kind: string, column: string, seconds: number): Promise<void> {
  await testService.query(
    `update oauth_tokens t set ${column} = t.${column} - $3 * interval '1 second'
       from oauth_grants g where g.id = t.grant_id and g.client_id = $1 and t.kind = $2`,
    [tokens.clientId, kind, seconds],
  );
}

async function withKey(change: string, work: () => Promise<void>): Promise<void> {
  const where = `public_id = '${keys.prospect.slice(3, 15)}'`;
  await testService.query(`update api_keys set ${change} where ${where}`);
  try {
    await work();
  } finally {
    await testService.query(`update api_keys set revoked_at = null, expires_at = null where ${where}`);
  }
}

describe('a code', () => {
  test.each<[string, string, Changes]>([
    ['with a wrong verifier', 'invalid_grant', { code_verifier: pkce().verifier }],
    ['with no verifier', 'invalid_grant', { code_verifier: undefined }],
    ['with the challenge as its verifier', 'invalid_grant', { code_verifier: 'challenge' }],
    ['with a malformed verifier', 'invalid_request', { code_verifier: 'short' }],
    ['with another redirect', 'invalid_grant', { redirect_uri: 'https://evil.example/callback' }],
    ['for a foreign resource', 'invalid_target', { resource: 'https://evil.example/mcp' }],
    ['that is invalid', 'invalid_grant', { code: 'A'.repeat(43) }],
    ['that is missing', 'invalid_request', { code: undefined }],
    ['with an unknown grant type', 'unsupported_grant_type', { grant_type: 'password' }],
    ['with client credentials', 'unsupported_grant_type', { grant_type: 'client_credentials' }],
    ['without a grant type', 'invalid_request', { grant_type: undefined }],
    ['without a client', 'invalid_request', { client_id: undefined }],
  ])('%s is rejected: %s', async (_case, error, changes) => {
    const connection = await approvedCode();
    const code_verifier = changes.code_verifier === 'challenge' ? pkceOf(connection.verifier) : changes.code_verifier;
    const reply = await exchange(connection, { ...changes, ...('code_verifier' in changes && { code_verifier }) });
    expectRefused(reply, error);
    expect(reply.text).not.toContain(connection.code);
  });

  const pkceOf = (verifier: string) => verifier.split('').reverse().join('');

  test('of another client is rejected, and still works for its own client', async () => {
    const connection = await approvedCode();
    expectRefused(await exchange({ ...connection, clientId: await registerClient() }), 'invalid_grant');
    expect((await exchange(connection)).status).toBe(200);
  });

  test('of an unknown client is rejected', async () => {
    const connection = await approvedCode();
    expectRefused(await exchange({ ...connection, clientId: 'nobody' }), 'invalid_client', 401);
  });

  test('works once, and using it again ends its tokens', async () => {
    const connection = await approvedCode();
    const { body } = await exchange(connection);
    expect(await verify(body.access_token)).toBeDefined();
    expectRefused(await exchange(connection), 'invalid_grant');
    expect(await verify(body.access_token)).toBeUndefined();
    expectRefused(await refresh({ clientId: connection.clientId, refresh: body.refresh_token }), 'invalid_grant');
  });

  test('used five times at once returns at most one pair of tokens, which then end', async () => {
    const connection = await approvedCode();
    const replies = await Promise.all(Array.from({ length: 5 }, () => exchange(connection)));
    const won = replies.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    for (const reply of replies) if (reply.status !== 200) expectRefused(reply, 'invalid_grant');
    for (const { body } of won) expect(await verify(body.access_token)).toBeUndefined();
  });

  test('is rejected after a minute', async () => {
    const connection = await approvedCode();
    await age(connection, 'AuthorizationCode', 'expires_at', 61);
    expectRefused(await exchange(connection), 'invalid_grant');
  });

  test('is rejected if its key was revoked', async () => {
    const connection = await approvedCode('prospect');
    await withKey('revoked_at = now()', async () => expectRefused(await exchange(connection), 'invalid_grant'));
  });
});

describe('a refresh token', () => {
  test('of another client is rejected, and still works for its own client', async () => {
    const tokens = await connect();
    expectRefused(await refresh({ ...tokens, clientId: await registerClient() }), 'invalid_grant');
    expect((await refresh(tokens)).status).toBe(200);
  });

  test('used again within a minute still works, for clients that refresh in parallel', async () => {
    const tokens = await connect();
    const replies = await Promise.all(Array.from({ length: 4 }, () => refresh(tokens)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const { body } of replies) expect(await verify(body.access_token)).toBeDefined();
  });

  test('used again after a minute is rejected and ends the whole family', async () => {
    const tokens = await connect();
    const { body: next } = await refresh(tokens);
    await age(tokens, 'RefreshToken', 'consumed_at', 61);
    expectRefused(await refresh(tokens), 'invalid_grant');
    expect(await verify(tokens.access)).toBeUndefined();
    expect(await verify(next.access_token)).toBeUndefined();
    expectRefused(await refresh({ ...tokens, refresh: next.refresh_token }), 'invalid_grant');
  });

  test('is rejected after 30 days without use', async () => {
    const tokens = await connect();
    await age(tokens, 'RefreshToken', 'expires_at', 30 * 86_400 + 1);
    expectRefused(await refresh(tokens), 'invalid_grant');
  });

  test('is rejected 90 days after the approval, and so is the access token', async () => {
    const tokens = await connect();
    await testService.query('update oauth_grants set expires_at = now() where client_id = $1', [tokens.clientId]);
    expectRefused(await refresh(tokens), 'invalid_grant');
    expect(await verify(tokens.access)).toBeUndefined();
  });

  test.each([
    ['revoked', 'revoked_at = now()'],
    ['expired', `expires_at = now() - interval '1 second'`],
  ])('is rejected with its access token as soon as its key is %s', async (_case, change) => {
    const tokens = await connect('prospect');
    await withKey(change, async () => {
      expect(await verify(tokens.access)).toBeUndefined();
      expectRefused(await refresh(tokens), 'invalid_grant');
    });
  });

  test('does not work as an access token, and an access token does not work as a refresh token', async () => {
    const tokens = await connect();
    expect(await verify(tokens.refresh)).toBeUndefined();
    expectRefused(await refresh({ ...tokens, refresh: tokens.access }), 'invalid_grant');
  });

  test.each([
    ['a wider scope', 'invalid_scope', { scope: 'tenant:write' }],
    ['a foreign resource', 'invalid_target', { resource: 'https://evil.example/mcp' }],
  ])('for %s is rejected', async (_case, error, changes) => {
    expectRefused(await refresh(await connect(), changes), error);
  });

  test('is rejected with its access token when its key is deleted', async () => {
    const [key] = await testService.query(
      `insert into api_keys (id, company_id, public_id, key_hash, name)
       select new_id(), company_id, 'shortlived00', '\\x00', 'short-lived' from api_keys
        where public_id = $1 returning id`,
      [keys.tenant.slice(3, 15)],
    );
    const tokens = await connect();
    await testService.query('update oauth_grants set api_key_id = $1 where client_id = $2', [key!.id, tokens.clientId]);
    expect(await verify(tokens.access)).toBeDefined();
    await testService.query('delete from api_keys where id = $1', [key!.id]);
    expect(await verify(tokens.access)).toBeUndefined();
    expectRefused(await refresh(tokens), 'invalid_grant');
  });
});

describe('an access token', () => {
  test('is invalid after an hour', async () => {
    const tokens = await connect();
    await age(tokens, 'AccessToken', 'expires_at', 3601);
    expect(await verify(tokens.access)).toBeUndefined();
  });

  test('for another audience is invalid', async () => {
    const tokens = await connect();
    await testService.query(
      `update oauth_tokens t set payload = jsonb_set(t.payload, '{aud}', '"https://evil.example/mcp"')
         from oauth_grants g where g.id = t.grant_id and g.client_id = $1`,
      [tokens.clientId],
    );
    expect(await verify(tokens.access)).toBeUndefined();
  });

  test.each(['', 'x', 'A'.repeat(43), 'A'.repeat(5000), '\0'.repeat(43), keys.tenant, 'é'.repeat(43)])(
    'that is %j is invalid',
    async (token) => expect(await verify(token)).toBeUndefined(),
  );

  test('in the query is ignored', async () => {
    const { access } = await connect();
    for (const path of [`/company?access_token=${access}`, `/learners?token=${access}`]) {
      expect((await send('GET', path)).status).toBe(401);
    }
  });
});

describe('revocation', () => {
  test.each(['access', 'refresh'] as const)('of another client’s %s token changes nothing', async (kind) => {
    const tokens = await connect();
    const reply = await revoke(await registerClient(), tokens[kind]);
    expect({ status: reply.status, text: reply.text }).toEqual({ status: 200, text: '' });
    expect(await verify(tokens.access)).toBeDefined();
    expect((await refresh(tokens)).status).toBe(200);
  });

  test('by an unknown client is rejected', async () => {
    const tokens = await connect();
    expectRefused(await revoke('nobody', tokens.access), 'invalid_client', 401);
    expect(await verify(tokens.access)).toBeDefined();
  });

  test('without a token is rejected', async () => {
    expectRefused(await ask('/oauth/revoke', { form: { client_id: await registerClient() } }), 'invalid_request');
  });

  test('of a JWT is rejected, and of an unknown token returns 200', async () => {
    const clientId = await registerClient();
    expectRefused(await revoke(clientId, 'eyJhbGciOiJub25lIn0.e30.'), 'unsupported_token_type');
    expect((await revoke(clientId, 'nonsense')).status).toBe(200);
  });
});

describe.each(['/oauth/token', '/oauth/revoke'])('%s', (path) => {
  test('ignores parameters in the query', async () => {
    const tokens = await connect();
    const query = encode({
      client_id: tokens.clientId,
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh,
      token: tokens.access,
    });
    expectRefused(await ask(`${path}?${query}`, { method: 'POST' }), 'invalid_request');
    expect(await verify(tokens.access)).toBeDefined();
  });

  test('rejects GET', async () => {
    const reply = await ask(`${path}?client_id=x`);
    expectRefused(reply, 'method_not_allowed', 405);
    expect(reply.headers.allow).toBe('POST, OPTIONS');
  });

  test.each([
    ['JSON', { 'content-type': 'application/json' }, '{"client_id":"x"}'],
    ['plain text', { 'content-type': 'text/plain' }, 'client_id=x'],
    ['a body that is too large', {}, `client_id=${'x'.repeat(60_000)}`],
  ])('rejects %s', async (_case, headers, form) => {
    expectRefused(await ask(path, { form, headers }), 'invalid_request');
  });

  test('rejects a repeated parameter', async () => {
    const clientId = await registerClient();
    const form = `client_id=${clientId}&grant_type=refresh_token&refresh_token=a&refresh_token=b&token=a&token=b`;
    expectRefused(await ask(path, { form }), 'invalid_request');
  });

  test('rejects a client with a password', async () => {
    const clientId = await registerClient();
    const headers = { authorization: `Basic ${Buffer.from(`${clientId}:secret`).toString('base64')}` };
    const reply = await ask(path, { form: { grant_type: 'refresh_token', refresh_token: 'a', token: 'a' }, headers });
    expectRefused(reply, 'invalid_client', 401);
    expect(reply.headers['www-authenticate']).toBe(`Basic realm="${testService.url}"`);
  });

  test('rejects an API key as a client', async () => {
    const form = {
      client_id: keys.tenant,
      grant_type: 'refresh_token',
      refresh_token: keys.tenant,
      token: keys.tenant,
    };
    const reply = await ask(path, { form });
    expectRefused(reply, 'invalid_client', 401);
    expect(reply.text).not.toContain('sk_');
  });

  test('returns JSON even to a browser that prefers HTML', async () => {
    const reply = await ask(path, { form: 'client_id=nobody', headers: { accept: 'text/html' } });
    expectRefused(reply, 'invalid_client', 401);
  });
});

test('only the exact URL of the tool server is a valid resource', async () => {
  const connection = await approvedCode();
  expectRefused(await exchange(connection, { resource: `${mcp()}?x=1` }), 'invalid_target');
});
