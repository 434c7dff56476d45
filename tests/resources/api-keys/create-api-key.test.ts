/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { isWellFormedApiKey } from '../../../src/auth/api-key.ts';
import { del, expectError, get, post } from '../../support/client.ts';
import { keyWith } from '../../support/scoped-keys.ts';
import { companies, keys, spareKeyId } from '../../support/world.ts';
import { callWith, inDays, statusOf } from './key-calls.ts';

describe('POST /api-keys', () => {
  test('creates a key that works at once only for its scopes and returns its secret only once', async () => {
    const { status, body, headers } = await post('/api-keys', { name: 'HR import', scopes: ['learners:read'] });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    const { secret, apiKey } = body.data;
    expect(isWellFormedApiKey(secret)).toBe(true);
    expect(apiKey).toMatchObject({
      publicId: secret.slice(3, 15),
      name: 'HR import',
      scopes: ['learners:read'],
      status: 'active',
      lastUsedAt: null,
      replacedBy: null,
    });
    expect(Math.abs(Date.parse(apiKey.expiresAt) - inDays(365).getTime())).toBeLessThan(60_000);
    expect((await callWith(secret, 'GET', '/learners')).status).toBe(200);
    expectError(await callWith(secret, 'GET', '/groups'), 403, 'insufficient_scope');
    const listed = await get('/api-keys');
    expect(listed.text).not.toContain(secret.slice(16, 48));
    expect(listed.body.data.find(({ id }: { id: string }) => id === apiKey.id)).toMatchObject({ name: 'HR import' });
  });

  test('a new key gets the scopes of the calling key by default and cannot get further scopes', async () => {
    const maker = await keyWith('tenant', ['api_keys:write', 'learners:read']);
    const { body } = await callWith(maker, 'POST', '/api-keys', { name: 'As mine' });
    expect(body.data.apiKey.scopes).toEqual(['api_keys:write', 'learners:read']);
    const asked = { name: 'More', scopes: ['learners:read', 'learners:delete'] };
    const refused = await callWith(maker, 'POST', '/api-keys', asked);
    expectError(refused, 403, 'insufficient_scope', ['body/scopes/1']);
    expect(refused.headers.get('www-authenticate')).toContain('scope="learners:delete"');
    const { body: all } = await post('/api-keys', { name: 'All', expiresAt: null });
    expect(all.data.apiKey).toMatchObject({ scopes: null, expiresAt: null });
  });

  test('a key cannot create a key that outlives it, and an expiry in the past returns 400', async () => {
    const maker = await keyWith('tenant', null, { expiresAt: inDays(5) });
    for (const expiresAt of [null, '2999-01-01T00:00:00Z']) {
      const refused = await callWith(maker, 'POST', '/api-keys', { name: 'For ever', expiresAt });
      expectError(refused, 400, 'invalid_request', ['body/expiresAt']);
    }
    expectError(await post('/api-keys', { name: 'Late', expiresAt: '2026-01-01T00:00:00Z' }), 400, 'invalid_request', [
      'body/expiresAt',
    ]);
  });

  test.each([[[]], [['learners:admin']], [['learners:read', 'learners:read']], ['learners:read']])(
    'the scopes %j return 400 naming the field',
    async (scopes) => {
      const { status, body } = await post('/api-keys', { name: 'Odd', scopes });
      expect({ status, field: body.error!.details[0]!.field }).toMatchObject({
        status: 400,
        field: expect.stringMatching(/^body\/scopes/),
      });
    },
  );

  test('one of three concurrent calls creates the last key that the limit allows; the others return 403', async () => {
    await testService.query(
      `insert into api_keys (id, company_id, public_id, key_hash, name)
       select new_id(), $1, 'filler' || lpad(n::text, 6, '0'), sha256(n::text::bytea), 'filler'
         from generate_series(1, 97) as n`,
      [companies.other],
    );
    const answers = await Promise.all([1, 2, 3].map(() => post('/api-keys', { name: 'Last' }, 'other')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403]);
    expectError(
      answers.find(({ status }) => status === 403)!,
      403,
      'api_key_limit_reached',
    );
  });
});

describe('DELETE /api-keys/{apiKeyId}', () => {
  test('revokes a key, returns the same on a repeated call and returns 404 for a key of a child company', async () => {
    const { body } = await post('/api-keys', { name: 'To end' });
    const { secret, apiKey } = body.data;
    expect(await statusOf(secret, 200)).toBe(200);
    const first = await del(`/api-keys/${apiKey.id}`);
    expect(first.body.data).toMatchObject({ id: apiKey.id, status: 'revoked', revokedAt: expect.any(String) });
    expect((await del(`/api-keys/${apiKey.id}`)).body.data).toEqual(first.body.data);
    expect(await statusOf(secret, 401)).toBe(401);
    expectError(await del(`/api-keys/${spareKeyId('childA')}`, undefined, 'msp'), 404, 'not_found');
  });

  test('returns 403 to a key with only api_keys:read', async () => {
    const reader = await keyWith('tenant', ['api_keys:read']);
    expect((await callWith(reader, 'GET', '/api-keys')).status).toBe(200);
    expectError(await callWith(reader, 'DELETE', `/api-keys/${spareKeyId('tenant')}`), 403, 'insufficient_scope');
  });
});

test("a list of keys contains only keys of the caller's company", async () => {
  const { body } = await get('/api-keys', 'msp');
  const publicIds = body.data.map(({ publicId }: { publicId: string }) => publicId);
  expect(publicIds).toEqual([keys.msp.slice(3, 15), 'sparekey0002']);
});
