import { scopes } from '../../../src/contract/contract.ts';
import { expectError, post, send } from '../../support/client.ts';
import { keyWith } from '../../support/scoped-keys.ts';
import { companies, keys } from '../../support/world.ts';
import { entriesOf } from '../audit-log/audit-state.ts';
import { inDays } from '../api-keys/key-calls.ts';
import { ask, directoryKey, expectScimError, newUser, type ScimRequest } from './directory-support.ts';

const askWith = (key: string, method = 'GET', path = '/Users', request: ScimRequest = {}) =>
  ask(method, path, { ...request, headers: { ...request.headers, authorization: key === '' ? '' : `Bearer ${key}` } });

test('a key with the scope scim can call only SCIM', async () => {
  const { body } = await post('/api-keys', { name: 'Entra', scopes: ['scim'] });
  const { secret } = body.data as { secret: string };
  expect((await askWith(secret)).status).toBe(200);
  const headers = { authorization: `Bearer ${secret}` };
  for (const path of ['/learners', '/groups', '/company']) {
    expectError(await send('GET', path, { headers }), 403, 'insufficient_scope');
  }
});

test('a key without scopes can call SCIM, and a key with all scopes except scim cannot', async () => {
  expect((await askWith(keys.tenant)).status).toBe(200);
  const others = await keyWith(
    'tenant',
    scopes.filter((scope) => scope !== 'scim'),
  );
  const id = 'refused-by-scope';
  for (const [method, path, body] of [
    ['GET', '/Users'],
    ['POST', '/Users', newUser('never')],
    ['PATCH', `/Groups/${companies.tenant}`, '{'],
  ] as const) {
    const answer = await askWith(others, method, path, { ...(body && { body }), headers: { 'x-request-id': id } });
    expectScimError(answer, 403);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="scim"');
  }
  expect(await entriesOf(id)).toMatchObject([
    { operation: 'listScimUsers' },
    { outcome: 'denied' },
    { outcome: 'denied' },
  ]);
});

test('the response to a key that expires soon has Api-Key-Expires', async () => {
  const expiresAt = inDays(29);
  const { headers } = await askWith(await keyWith('tenant', ['scim'], { expiresAt }));
  expect(headers.get('api-key-expires')).toBe(expiresAt.toISOString());
});

test('a missing or invalid key returns a SCIM error with 401', async () => {
  for (const key of ['', 'x', keys.unknown, keys.revoked]) {
    const answer = await askWith(key);
    expectScimError(answer, 401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  }
});

test('a directory has its own rate limit of 6,000 calls a minute', async () => {
  const { headers } = await ask('GET', '/Users');
  expect(headers.get('ratelimit-policy')).toMatch(/^"per-directory"; q=6000; w=60/);
});

test('each change writes an audit log entry of the key with fields and ids but no values', async () => {
  const headers = { 'x-request-id': 'scim-entry' };
  const { body } = await ask('POST', '/Users', { body: newUser('entered'), headers });
  await ask('PATCH', `/Users/${body.id}`, {
    body: { Operations: [{ op: 'Add', path: 'displayName', value: 'E' }] },
    headers,
  });
  await ask('DELETE', `/Users/${body.id}`, { headers });
  const entries = await entriesOf('scim-entry');
  expect(entries).toMatchObject([
    { operation: 'createScimUser', actor_type: 'key', outcome: 'done', targets: [{ field: 'id', ids: [body.id] }] },
    { operation: 'updateScimUser', targets: [{ field: 'learnerId', ids: [body.id] }], fields: ['displayName'] },
    { operation: 'deleteScimUser', targets: [{ field: 'learnerId', ids: [body.id] }] },
  ]);
  expect(JSON.stringify(entries)).not.toContain('Somerville');
});

test('discovery needs no key, and unknown resources return 404', async () => {
  const asked = async (path: string) => {
    const answer = await fetch(`${testService.url}/scim/v2${path}`);
    const text = await answer.text();
    const type = answer.headers.get('content-type')!;
    expect(testService.checkResponse('GET', `/scim/v2${path}`, answer.status, type, text)).toBeUndefined();
    return JSON.parse(text);
  };
  expect(await asked('/ServiceProviderConfig')).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
  });
  const { Resources: types } = await asked('/ResourceTypes');
  expect(types.map(({ id }: { id: string }) => id)).toEqual(['User', 'Group']);
  const { Resources: schemas } = await asked('/Schemas');
  for (const { id } of schemas) expect(await asked(`/Schemas/${id}`)).toMatchObject({ id });
  expect(JSON.stringify(schemas)).not.toContain('null');
  for (const path of ['/Schemas/x', '/ResourceTypes/x', '/Me'])
    expect(await asked(path)).toMatchObject({ status: '404' });
  const document = await fetch(`${testService.url}/scim/v2/openapi.json`);
  expect(await document.json()).toMatchObject({ openapi: '3.1.1', paths: { '/Users': {} } });
});

test('an unsupported method returns 405, and an unsupported type or invalid JSON returns 400', async () => {
  expectScimError(await ask('PUT', '/Users', { body: {} }), 405);
  expectScimError(await ask('POST', '/Schemas', { body: {} }), 405);
  const typed = (type: string) => ask('POST', '/Users', { body: newUser('typed'), headers: { 'content-type': type } });
  expectScimError(await typed('text/plain'), 400, 'invalidSyntax');
  expect((await typed('application/json; charset=utf-8')).status).toBe(201);
  for (const body of ['{', '[]', '7', '"x"'])
    expectScimError(await ask('POST', '/Users', { body }), 400, 'invalidSyntax');
  expect(await directoryKey()).toMatch(/^sk_/);
});
