/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import { keys } from '../support/world.ts';
import { keyWith } from '../support/scoped-keys.ts';
import { ask, authorize, Browser, exchange, pkce, refresh, registerClient, textOf } from './oauth-support.ts';

/** Goes from an authorization request to tokens, and returns the text of the approval page. */
async function approve(key: string, scope: string | undefined) {
  const clientId = await registerClient();
  const { verifier, challenge } = pkce();
  const browser = await new Browser().open(await authorize(clientId, challenge, { scope }));
  await browser.post({ action: 'check', key });
  const page = textOf(await browser.load());
  const back = await browser.decide('approve');
  const { body } = await exchange({ clientId, code: back.searchParams.get('code')!, verifier });
  return { page, clientId, granted: body.scope as string, access: body.access_token as string, body };
}

async function toolsOf(token: string): Promise<string[]> {
  const { body } = await ask('/mcp', {
    json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: { accept: 'application/json, text/event-stream', authorization: `Bearer ${token}` },
  });
  return (body.result.tools as { name: string }[]).map(({ name }) => name).filter((name) => !name.endsWith('_help'));
}

const COMPANY = ['service_get_company', 'service_get_company_features'];

test('an application that requests fewer scopes gets only these, on the page and after a refresh', async () => {
  const { page, granted, access, clientId, body } = await approve(keys.tenant, 'company:read openid admins:write');
  expect(page).toContain('Read these, and nothing else: company.');
  expect(granted).toBe('company:read');
  expect(await toolsOf(access)).toEqual(COMPANY);
  const { body: renewed } = await refresh({ clientId, refresh: body.refresh_token });
  expect(renewed.scope).toBe('company:read');
  expect(await toolsOf(renewed.access_token)).toEqual(COMPANY);
});

test.each([undefined, 'tenant:read', 'tenant:read company:read', 'openid made:up'])(
  'the scope %s grants everything that the key can read',
  async (scope) => {
    const { page, granted, access } = await approve(keys.tenant, scope);
    expect(page).toContain('Read what this key can read');
    expect(granted).toBe('tenant:read');
    expect((await toolsOf(access)).length).toBeGreaterThan(COMPANY.length);
  },
);

test('a key with scopes never grants more than it has', async () => {
  const key = await keyWith('tenant', ['company:read', 'groups:write']);
  const all = await approve(key, 'tenant:read');
  expect(all.page).toContain('Read these, and nothing else: company.');
  expect(await toolsOf(all.access)).toEqual(COMPANY);
  const some = await approve(key, 'company:read learners:read');
  expect(some.granted).toBe('company:read');
  expect(await toolsOf(some.access)).toEqual(COMPANY);
});

test('a key without any of the requested scopes is rejected on the page', async () => {
  const { challenge } = pkce();
  const browser = await new Browser().open(
    await authorize(await registerClient(), challenge, { scope: 'groups:read' }),
  );
  const reply = await browser.post({ action: 'check', key: await keyWith('tenant', ['learners:read']) });
  expect(reply.status).toBe(400);
  expect(textOf(reply)).toContain('This key is not allowed to read anything that the application asks for.');
});

test('a token without a scope opens no tool', async () => {
  const { access } = await approve(keys.tenant, 'company:read');
  await testService.query(`update oauth_tokens set payload = payload - 'scope' where kind = 'AccessToken'`);
  expect(await toolsOf(access)).toEqual([]);
});
