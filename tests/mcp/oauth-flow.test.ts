/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import { send } from '../support/client.ts';
import { companies, id, keys } from '../support/world.ts';
import {
  approvedCode,
  ask,
  authorize,
  Browser,
  connect,
  exchange,
  mcp,
  pkce,
  REDIRECT,
  refresh,
  registerClient,
  revoke,
  textOf,
} from './oauth-support.ts';
import { verify } from './verify.ts';

describe('discovery', () => {
  test.each(['', '/mcp'])(
    'the resource metadata at the well-known path%s names the authorization server',
    async (suffix) => {
      const { status, body, headers } = await ask(`/.well-known/oauth-protected-resource${suffix}`);
      expect({ status, cors: headers['access-control-allow-origin'] }).toEqual({ status: 200, cors: '*' });
      expect(body).toMatchObject({
        resource: mcp(),
        authorization_servers: [testService.url],
        scopes_supported: expect.arrayContaining(['tenant:read', 'learners:read', 'policy_templates:read']),
        bearer_methods_supported: ['header'],
      });
    },
  );

  test('the authorization server metadata lists its endpoints and features', async () => {
    const { status, body } = await ask('/.well-known/oauth-authorization-server');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      issuer: testService.url,
      authorization_endpoint: `${testService.url}/oauth/authorize`,
      token_endpoint: `${testService.url}/oauth/token`,
      registration_endpoint: `${testService.url}/oauth/register`,
      revocation_endpoint: `${testService.url}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
    expect(body.scopes_supported).not.toContain('offline_access');
  });

  test('any origin can read the metadata, with a preflight', async () => {
    const headers = { origin: 'https://inspector.test', 'access-control-request-method': 'GET' };
    const reply = await ask('/.well-known/oauth-authorization-server', { method: 'OPTIONS', headers });
    expect({ status: reply.status, cors: reply.headers['access-control-allow-origin'] }).toEqual({
      status: 204,
      cors: '*',
    });
  });
});

test.each(['/oauth/register', '/oauth/token', '/oauth/revoke'])('%s returns its method for OPTIONS', async (path) => {
  const preflight = { origin: 'https://client.test', 'access-control-request-method': 'POST' };
  for (const options of [{}, { headers: preflight }]) {
    const reply = await ask(path, { method: 'OPTIONS', ...options });
    expect(reply).toMatchObject({ status: 204, headers: { 'access-control-allow-methods': 'POST' } });
  }
});

describe('the whole flow', () => {
  test("goes from registration to a token for the key's company", async () => {
    const clientId = await registerClient();
    const { verifier, challenge } = pkce();
    const browser = await new Browser().open(await authorize(clientId, challenge));
    await browser.giveKey('msp');
    const back = await browser.decide('approve');
    expect(back.origin + back.pathname).toBe(REDIRECT);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'the-state',
      iss: testService.url,
    });
    const { status, body } = await exchange({ clientId, code: back.searchParams.get('code')!, verifier });
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'tenant:read',
    });
    const verified = (await verify(body.access_token))!;
    expect(verified).toMatchObject({
      caller: { companyId: companies.msp, accountType: 'msp', keyId: id('e', 3), modules: expect.any(Array) },
      clientId,
    });
    expect(Math.abs(verified.expiresAt!.getTime() - Date.now() - 3_600_000)).toBeLessThan(10_000);
  });

  test('a refresh returns new tokens for the same grant', async () => {
    const tokens = await connect();
    const { status, body } = await refresh(tokens);
    expect({ status, scope: body.scope }).toEqual({ status: 200, scope: 'tenant:read' });
    expect(body.refresh_token).not.toBe(tokens.refresh);
    expect(await verify(body.access_token)).toMatchObject({ clientId: tokens.clientId });
    const grants = await testService.query('select id from oauth_grants where client_id = $1', [tokens.clientId]);
    expect(grants).toHaveLength(1);
  });

  test.each(['access', 'refresh'] as const)('revoking the %s token ends the connection', async (kind) => {
    const tokens = await connect();
    const reply = await revoke(tokens.clientId, tokens[kind]);
    expect({ status: reply.status, text: reply.text }).toEqual({ status: 200, text: '' });
    expect(await verify(tokens.access)).toBeUndefined();
    expect((await refresh(tokens)).body.error).toBe('invalid_grant');
    expect((await revoke(tokens.clientId, tokens[kind])).status).toBe(200);
  });

  test('a denial redirects to the application with the issuer', async () => {
    const browser = await new Browser().open(await authorize(await registerClient(), pkce().challenge));
    const back = await browser.decide('deny');
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      error_description: 'The request was denied.',
      state: 'the-state',
      iss: testService.url,
    });
  });

  test('a denial works in the second step', async () => {
    const browser = await new Browser().open(await authorize(await registerClient(), pkce().challenge));
    await browser.giveKey();
    expect((await browser.decide('deny')).searchParams.get('error')).toBe('access_denied');
  });

  test.each([
    ['no resource', { resource: undefined }],
    ['a resource with a trailing slash', { resource: 'slash' }],
    ['other scopes', { scope: 'claudeai openid offline_access' }],
    ['no state', { state: undefined }],
    ['prompt=consent', { prompt: 'consent' }],
    ['a nonce and a max_age', { nonce: 'n', max_age: '0' }],
    ['response_mode=query', { response_mode: 'query' }],
  ])(
    'a client that sends %s gets a token for the tool server',
    async (_case, changes: Record<string, string | undefined>) => {
      if (changes.resource === 'slash') changes.resource = `${mcp()}/`;
      const clientId = await registerClient();
      const { verifier, challenge } = pkce();
      const browser = await new Browser().open(await authorize(clientId, challenge, changes));
      await browser.giveKey();
      const code = (await browser.decide('approve')).searchParams.get('code')!;
      const resource = 'resource' in changes ? changes.resource : undefined;
      const { status, body } = await exchange({ clientId, code, verifier }, { resource });
      expect({ status, scope: body.scope }).toEqual({ status: 200, scope: 'tenant:read' });
      expect(await verify(body.access_token)).toBeDefined();
    },
  );

  test('two connections of one browser use their own keys', async () => {
    const browser = new Browser();
    const callers: unknown[] = [];
    for (const key of ['tenant', 'other'] as const) {
      const clientId = await registerClient();
      const { verifier, challenge } = pkce();
      await browser.open(await authorize(clientId, challenge));
      await browser.giveKey(key);
      const code = (await browser.decide('approve')).searchParams.get('code')!;
      const { body } = await exchange({ clientId, code, verifier });
      callers.push((await verify(body.access_token))!.caller.companyId);
    }
    expect(callers).toEqual([companies.tenant, companies.other]);
    expect([...browser.jar.keys()].filter((name) => name.includes('session'))).toEqual([]);
  });

  test('a client connects again without registering again', async () => {
    const { clientId } = await connect();
    const again = await connect('other', clientId);
    expect((await verify(again.access))!.caller.companyId).toBe(companies.other);
  });
});

describe('stored data and logs', () => {
  test('the tables contain no token, code, verifier or key', async () => {
    const connection = await approvedCode();
    const { body } = await exchange(connection);
    await authorize(connection.clientId, pkce().challenge);
    const rows = await testService.query(`
      select coalesce(string_agg(t::text, ' '), '') as text from (
        select oauth_tokens::text from oauth_tokens union all select oauth_grants::text from oauth_grants
        union all select oauth_clients::text from oauth_clients
        union all select oauth_interactions::text from oauth_interactions) as t`);
    const text = rows[0]!.text as string;
    expect(text).toContain(connection.clientId);
    for (const secret of [body.access_token, body.refresh_token, connection.code, connection.verifier, keys.tenant]) {
      expect(text).not.toContain(secret);
    }
  });

  test('a grant names its application and the host of the redirect', async () => {
    const { clientId } = await connect();
    const [row] = await testService.query('select * from oauth_grants where client_id = $1', [clientId]);
    expect(row).toMatchObject({ client_name: 'Test client', redirect_host: 'client.test' });
  });

  test('the log contains no secret', async () => {
    const connection = await approvedCode();
    const { body } = await exchange(connection);
    const log = testService.log.join('');
    for (const secret of [body.access_token, body.refresh_token, connection.code, keys.tenant, 'the-state']) {
      expect(log).not.toContain(secret);
    }
  });
});

test('REST does not accept an OAuth token', async () => {
  const { access } = await connect();
  const answer = await send('GET', '/company', { headers: { authorization: `Bearer ${access}` } });
  expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status: 401, code: 'unauthorized' });
});

test('the page names the application, the company and the destination of the access', async () => {
  const clientId = await registerClient({ client_name: 'Notes <b>&amp;</b> more' });
  const browser = await new Browser().open(await authorize(clientId, pkce().challenge));
  expect(textOf(browser.page!)).toContain('“Notes <b>&amp;</b> more” asks to read');
  expect(browser.page!.text).toContain('<strong>client.test</strong>');
  expect(browser.page!.text).not.toContain('class="warning"');
  await browser.giveKey('other');
  expect(textOf(browser.page!)).toContain('The other company');
  expect(textOf(browser.page!)).toContain('It cannot change, send or delete anything.');
});
