/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import { companies, keys } from '../support/world.ts';
import { type Ask, ask, connect, publicUrl, type Reply, revoke } from './oauth-support.ts';

const list = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'service_get_company', arguments: {} } };

/** Calls a tool with a token, as clients of the protocol do. */
function callTool(token: string | undefined, { headers, ...options }: Ask = {}): Promise<Reply> {
  const given: Record<string, string> = { accept: 'application/json, text/event-stream', ...headers };
  if (token !== undefined) given.authorization = `Bearer ${token}`;
  return ask('/mcp', { json: list, headers: given, ...options });
}

async function statusWith(token: string): Promise<number> {
  return (await callTool(token)).status;
}

test('an access token and an API key call the same tools for the same company', async () => {
  const { access } = await connect('other');
  for (const bearer of [access, keys.other]) {
    const reply = await callTool(bearer);
    expect(reply.status).toBe(200);
    expect(reply.text).toContain(companies.other);
  }
});

test('a call without a token gets the URL of the resource metadata', async () => {
  const reply = await callTool(undefined);
  expect(reply.status).toBe(401);
  const { headers } = reply;
  const address = /resource_metadata="([^"]+)"/.exec(headers['www-authenticate']!)![1]!;
  expect(address).toBe(`${publicUrl()}/.well-known/oauth-protected-resource/mcp`);
  expect((await ask(new URL(address).pathname)).body.resource).toBe(`${publicUrl()}/mcp`);
});

test('a refresh token, an unknown token or an inactive key cannot call a tool', async () => {
  const { refresh } = await connect();
  for (const token of [refresh, 'A'.repeat(43), 'nonsense', keys.revoked, keys.expired]) {
    expect(await statusWith(token)).toBe(401);
  }
});

test('a revoked connection can no longer call tools', async () => {
  const { access, clientId } = await connect();
  expect(await statusWith(access)).toBe(200);
  await revoke(clientId, access);
  expect(await statusWith(access)).toBe(401);
});

test('a connection with a revoked key can no longer call tools', async () => {
  const { access } = await connect('prospect');
  expect(await statusWith(access)).toBe(200);
  await testService.query(`update api_keys set revoked_at = now() where public_id = 'testkey00008'`);
  expect(await statusWith(access)).toBe(401);
});

test('a token in the query is ignored', async () => {
  const { access } = await connect();
  expect((await callTool(undefined, { target: `/mcp?access_token=${access}` })).status).toBe(401);
});

test('a call updates the last use of the connection and of its key', async () => {
  const { access, clientId } = await connect('msp');
  await callTool(access);
  const [row] = await testService.query(
    `select g.last_used_at is not null as used, k.last_used_at is not null as key_used from oauth_grants g join api_keys k on k.id = g.api_key_id
      where g.client_id = $1`,
    [clientId],
  );
  expect(row).toEqual({ used: true, key_used: true });
});

test("a read of a child is in the child's audit log as an action of the connection", async () => {
  const { access, clientId } = await connect('msp');
  const params = { name: 'service_list_groups', arguments: { companyId: companies.childA } };
  expect((await callTool(access, { json: { ...list, params } })).status).toBe(200);
  const entries = await testService.query(
    `select operation, company_id, actor_company_id from audit_log
      where actor_type = 'grant' and actor_id = (select id from oauth_grants where client_id = $1)`,
    [clientId],
  );
  expect(entries).toEqual([{ operation: 'listGroups', company_id: companies.childA, actor_company_id: companies.msp }]);
});
