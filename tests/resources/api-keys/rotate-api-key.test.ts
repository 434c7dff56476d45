/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { expectError, get, post } from '../../support/client.ts';
import { keyWith } from '../../support/scoped-keys.ts';
import { spareKeyId } from '../../support/world.ts';
import { callWith, statusOf } from './key-calls.ts';

async function newKey(body: object): Promise<{ secret: string; apiKey: { id: string; expiresAt: string } }> {
  return (await post('/api-keys', { name: 'Rotating', ...body })).body.data;
}

const HOUR_MS = 3_600_000;

describe('POST /api-keys/{apiKeyId}/rotate', () => {
  test('creates a key with the same scopes, and both keys work during the overlap', async () => {
    const old = await newKey({ scopes: ['company:read'] });
    const { status, body } = await post(`/api-keys/${old.apiKey.id}/rotate`, { overlapHours: 48 });
    expect(status).toBe(200);
    const { secret, apiKey, replaced } = body.data;
    expect(apiKey).toMatchObject({ name: 'Rotating', scopes: ['company:read'], status: 'active', replacedBy: null });
    expect(replaced).toMatchObject({ id: old.apiKey.id, status: 'active', replacedBy: apiKey.id });
    expect(Math.abs(Date.parse(replaced.expiresAt) - Date.now() - 48 * HOUR_MS)).toBeLessThan(60_000);
    for (const key of [old.secret, secret]) expect(await statusOf(key, 200)).toBe(200);
  });

  test('without an overlap the old key stops working at once', async () => {
    const old = await newKey({});
    const { body } = await post(`/api-keys/${old.apiKey.id}/rotate`, { overlapHours: 0 });
    expect(body.data.replaced.status).toBe('expired');
    expect(await statusOf(old.secret, 401)).toBe(401);
  });

  test('a key can rotate itself, by default with an overlap of 24 hours and the same expiry', async () => {
    const old = await newKey({ scopes: ['api_keys:write', 'company:read'] });
    const { body } = await callWith(old.secret, 'POST', `/api-keys/${old.apiKey.id}/rotate`);
    expect(Math.abs(Date.parse(body.data.replaced.expiresAt) - Date.now() - 24 * HOUR_MS)).toBeLessThan(60_000);
    expect(await statusOf(body.data.secret, 200)).toBe(200);
    // Rotation renews the secret but not the expiry.
    expect(body.data.apiKey.expiresAt).toBe(old.apiKey.expiresAt);
  });

  test('one of three concurrent calls rotates the key; the others return 400 api_key_rotated', async () => {
    const old = await newKey({});
    const answers = await Promise.all([1, 2, 3].map(() => post(`/api-keys/${old.apiKey.id}/rotate`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    expectError(
      answers.find(({ status }) => status === 400)!,
      400,
      'api_key_rotated',
    );
    const { body } = await get('/api-keys');
    const winner = answers.find(({ status }) => status === 200)!.body.data.apiKey.id;
    const replacedBy = body.data.find(({ id }: { id: string }) => id === old.apiKey.id).replacedBy;
    expect(replacedBy).toBe(winner);
  });

  test('rotation returns an error for keys with wider scopes, revoked keys and foreign keys', async () => {
    const narrow = await keyWith('tenant', ['api_keys:write', 'company:read']);
    const refused = await callWith(narrow, 'POST', `/api-keys/${spareKeyId('tenant')}/rotate`);
    expectError(refused, 403, 'insufficient_scope');
    const old = await newKey({ scopes: ['company:read'] });
    await callWith(narrow, 'DELETE', `/api-keys/${old.apiKey.id}`);
    expectError(await post(`/api-keys/${old.apiKey.id}/rotate`), 400, 'api_key_not_active');
    expectError(await post(`/api-keys/${spareKeyId('other')}/rotate`), 404, 'not_found');
  });

  test.each([-1, 169, 1.5, '24'])('an overlap of %j hours returns 400', async (overlapHours) => {
    const answer = await post(`/api-keys/${spareKeyId('tenant')}/rotate`, { overlapHours });
    expectError(answer, 400, 'invalid_request', ['body/overlapHours']);
  });
});
