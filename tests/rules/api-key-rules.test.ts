import { scopes } from '../../src/contract/contract.ts';
import {
  judgeExpiry,
  judgeRotation,
  judgeScopes,
  renewedExpiry,
  type RotatedKey,
} from '../../src/resources/api-keys/api-key-rules.ts';

const now = new Date('2026-03-02T00:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
const all = { scopes: null, expiresAt: null };
const some = { scopes: ['learners:read', 'api_keys:write'], expiresAt: inDays(10) };
const code = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    const { code: name, details } = error as { code: string; details: { field: string }[] };
    return [name, ...details.map(({ field }) => field)];
  }
};

test('a new key has the requested scopes, by default those of the calling key', () => {
  expect(judgeScopes(undefined, all)).toBeNull();
  expect(judgeScopes(undefined, some)).toEqual(some.scopes);
  expect(judgeScopes(['groups:read'], all)).toEqual(['groups:read']);
  expect(judgeScopes(['learners:read'], some)).toEqual(['learners:read']);
});

test('requesting a scope that the caller lacks is rejected and names the scope', () => {
  expect(code(() => judgeScopes(['learners:read', 'learners:write'], some))).toEqual([
    'insufficient_scope',
    'body/scopes/1',
  ]);
});

test('a key expires after a year by default, at the requested time, or never', () => {
  expect(judgeExpiry(undefined, all, now)).toEqual(inDays(365));
  expect(judgeExpiry(null, all, now)).toBeNull();
  expect(judgeExpiry('2099-01-01T00:00:00Z', all, now)).toEqual(new Date('2099-01-01T00:00:00Z'));
  expect(code(() => judgeExpiry('2026-03-01T23:59:59Z', all, now))).toEqual(['invalid_request', 'body/expiresAt']);
});

test('an expiring key cannot create a key that outlives it', () => {
  expect(judgeExpiry(undefined, some, now)).toEqual(inDays(10));
  expect(judgeExpiry(inDays(10).toISOString(), some, now)).toEqual(inDays(10));
  for (const asked of [null, inDays(11).toISOString()])
    expect(code(() => judgeExpiry(asked, some, now))).toEqual(['invalid_request', 'body/expiresAt']);
});

const key: RotatedKey = {
  scopes: ['learners:read'],
  createdAt: inDays(-80).toISOString(),
  expiresAt: inDays(10).toISOString(),
  revokedAt: null,
  replacedBy: null,
};

test("an active key within the caller's scopes can be rotated once", () => {
  expect(judgeRotation(key, some, now)).toBeUndefined();
  expect(judgeRotation({ ...key, scopes: null }, all, now)).toBeUndefined();
  expect(code(() => judgeRotation({ ...key, replacedBy: 'another' }, all, now))).toEqual(['api_key_rotated']);
  expect(code(() => judgeRotation({ ...key, revokedAt: key.createdAt }, all, now))).toEqual(['api_key_not_active']);
  expect(code(() => judgeRotation({ ...key, expiresAt: now.toISOString() }, all, now))).toEqual(['api_key_not_active']);
});

test('a key with more permissions than the caller cannot be rotated', () => {
  for (const wider of [['learners:delete'], null])
    expect(code(() => judgeRotation({ ...key, scopes: wider }, some, now))).toEqual([
      'insufficient_scope',
      'header/authorization',
    ]);
  const everyScope = { scopes: [...scopes], expiresAt: null };
  expect(code(() => judgeRotation({ ...key, scopes: null }, everyScope, now))).toEqual(['forbidden']);
});

test('a rotated key keeps the lifetime of its predecessor and does not outlive the caller', () => {
  expect(renewedExpiry(key, all, now)).toEqual(inDays(90));
  expect(renewedExpiry({ ...key, expiresAt: null }, all, now)).toBeNull();
  for (const expiresAt of [key.expiresAt, null])
    expect(renewedExpiry({ ...key, expiresAt }, some, now)).toEqual(inDays(10));
  expect(renewedExpiry(key, { ...some, expiresAt: inDays(100) }, now)).toEqual(inDays(90));
});
