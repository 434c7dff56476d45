import { openServicePool } from '../../support/service-pool.ts';
import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { findQueuedMessage } from '../../support/queued-messages.ts';
import { notifyLeakedKeys } from '../../../src/resources/api-keys/notify-leaked-keys.ts';
import { Admin } from '../../support/admin.ts';
import { call, get, send } from '../../support/client.ts';
import { companies } from '../../support/world.ts';
import { callWith } from './key-calls.ts';
const pool = openServicePool(2);
afterAll(() => pool.end());

interface Made {
  id: string;
  secret: string;
}

async function makeKey(maker: string | null, name: string): Promise<Made> {
  const body = { name };
  const answer = maker
    ? await callWith(maker, 'POST', '/api-keys', body)
    : await call('tenant', 'POST', '/api-keys', { body });
  expect(answer.status).toBe(200);
  const { secret, apiKey } = answer.body.data;
  return { id: apiKey.id as string, secret: secret as string };
}
const makeSource = async (maker: string, name: string) =>
  (await callWith(maker, 'POST', '/sources', { name, kind: 'xapi' })).body.data.id as string;
const makeEndpoint = async (maker: string) =>
  (await callWith(maker, 'POST', '/webhook-endpoints', { url: 'https://hooks.attacker.test/in' })).body.data
    .id as string;
const find = async (path: string, id: string) =>
  ((await get(path)).body.data as { id: string }[]).find((one) => one.id === id) as any;
const idsOf = (list: { id: string }[]) => list.map(({ id }) => id);

/** Creates a key that creates a source and a child key; the child creates a key with a source and an endpoint. */
async function leak() {
  const leaked = await makeKey(null, 'leaked');
  const child = await makeKey(leaked.secret, 'child');
  const grandchild = await makeKey(child.secret, 'grandchild');
  const own = await makeSource(leaked.secret, 'own');
  const [source, endpoint] = [await makeSource(grandchild.secret, 'deep'), await makeEndpoint(grandchild.secret)];
  return { leaked, child, grandchild, own, source, endpoint };
}

test('createdBy names the creating key and is null for keys created by an admin', async () => {
  const { leaked, child, grandchild, own, endpoint } = await leak();
  expect((await find('/api-keys', child.id)).createdBy).toBe(leaked.id);
  expect((await find('/api-keys', grandchild.id)).createdBy).toBe(child.id);
  expect((await find('/sources', own)).createdBy).toBe(leaked.id);
  expect((await find('/webhook-endpoints', endpoint)).createdBy).toBe(grandchild.id);
  const rotated = (await callWith(leaked.secret, 'POST', `/api-keys/${leaked.id}/rotate`)).body.data;
  expect(rotated.apiKey.createdBy).toBe(leaked.id);
  const admin = await Admin.of('tenant');
  await admin.post('/console/keys', { name: 'by an admin', may: 'read' });
  const keys = (await get('/api-keys')).body.data as { name: string; createdBy: string | null }[];
  expect(keys.find(({ name }) => name === 'by an admin')!.createdBy).toBeNull();
});

describe('DELETE /api-keys/{apiKeyId}', () => {
  test('returns and keeps what the key created, directly or through revoked keys, and still works', async () => {
    const { leaked, child, grandchild, own, source, endpoint } = await leak();
    await call('tenant', 'DELETE', `/api-keys/${child.id}`);
    const { data } = (await call('tenant', 'DELETE', `/api-keys/${leaked.id}`)).body;
    expect(data).toMatchObject({ id: leaked.id, status: 'revoked' });
    expect(idsOf(data.created.apiKeys)).toEqual([grandchild.id]);
    expect(idsOf(data.created.sources)).toEqual([own, source].toSorted());
    expect(idsOf(data.created.webhookEndpoints)).toEqual([endpoint]);
    expect((await find('/api-keys', grandchild.id)).status).toBe('active');
    expect((await find('/webhook-endpoints', endpoint)).enabled).toBe(true);
    expect(await find('/sources', source)).toBeDefined();
  });

  test('includeCreated revokes everything that the key created and nothing else', async () => {
    const { leaked, child, grandchild, own, source, endpoint } = await leak();
    const other = await makeKey(null, 'another');
    const kept = await makeSource(other.secret, 'kept');
    const { data } = (await call('tenant', 'DELETE', `/api-keys/${leaked.id}?includeCreated=true`)).body;
    expect(data.created.apiKeys).toMatchObject([
      { id: child.id, status: 'revoked' },
      { id: grandchild.id, status: 'revoked' },
    ]);
    expect(data.created.webhookEndpoints).toMatchObject([
      { id: endpoint, enabled: false, disabledBecause: 'requested' },
    ]);
    expect(idsOf(data.created.sources)).toEqual([own, source].toSorted());
    expect([await find('/sources', own), await find('/sources', source)]).toEqual([undefined, undefined]);
    expect((await find('/api-keys', other.id)).status).toBe('active');
    expect(await find('/sources', kept)).toBeDefined();
    const again = (await call('tenant', 'DELETE', `/api-keys/${leaked.id}?includeCreated=true`)).body.data;
    expect([again.revokedAt, again.created]).toEqual([
      data.revokedAt,
      { apiKeys: [], sources: [], webhookEndpoints: [] },
    ]);
  });

  test('a revoked key that a process still has cached cannot create a key', async () => {
    const leaked = await makeKey(null, 'leaked');
    expect((await callWith(leaked.secret, 'GET', '/company')).status).toBe(200);
    // Suppresses the notification that makes every process drop its cached keys.
    await testService.query(`alter table api_keys disable trigger api_keys_notify`);
    await testService.query('update api_keys set revoked_at = now() where id = $1', [leaked.id]);
    await testService.query(`alter table api_keys enable trigger api_keys_notify`);
    expect((await callWith(leaked.secret, 'POST', '/api-keys', { name: 'late' })).status).toBe(401);
  });

  test('an invalid includeCreated returns 400 and revokes nothing', async () => {
    const leaked = await makeKey(null, 'leaked');
    const answer = await call('tenant', 'DELETE', `/api-keys/${leaked.id}?includeCreated=perhaps`);
    expect(answer.status).toBe(400);
    expect(answer.body.error!.details[0]!.field).toContain('includeCreated');
    expect((await find('/api-keys', leaked.id)).status).toBe('active');
  });
});

test('the console revokes what a key created only on request', async () => {
  const admin = await Admin.of('tenant');
  const { leaked, child, grandchild } = await leak();
  const statuses = async () => [
    (await find('/api-keys', child.id)).status,
    (await find('/api-keys', grandchild.id)).status,
  ];
  const shown = await admin.post(`/console/keys/${leaked.id}/revoke`, {});
  expect(shown.status).toBe(200);
  expect(await statuses()).toEqual(['active', 'active']);
  const ended = await admin.post(`/console/keys/${leaked.id}/revoke`, { includeCreated: 'yes' });
  expect(ended.status).toBe(303);
  expect(await statuses()).toEqual(['revoked', 'revoked']);
});

test('the email about a leaked key names what the key created and still works', async () => {
  const { leaked, child, grandchild, endpoint } = await leak();
  await call('tenant', 'DELETE', `/api-keys/${child.id}`);
  await send('POST', '/leaked-keys', {
    body: JSON.stringify({ keys: [leaked.secret] }),
    headers: { 'content-type': 'application/json' },
  });
  const tenant = new TenantAccess(pool).ofJob(companies.tenant);
  await notifyLeakedKeys(tenant, [leaked.id]);
  const [message] = await testService.query(`select id from messages where kind = 'api_key_leaked'`);
  const [line, ...more] = (await findQueuedMessage(tenant, message!.id as string))!.subjectNames;
  expect(more).toEqual([]);
  const [, made] = line!.split(' → ');
  expect(made!.split(', ').toSorted()).toEqual(
    [
      `grandchild (sk_${grandchild.secret.slice(3, 15)})`,
      'own (xapi)',
      'deep (xapi)',
      `hooks.attacker.test (${endpoint})`,
    ].toSorted(),
  );
});
