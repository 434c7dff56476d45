/** @jest-environment node */
import { randomBytes } from 'node:crypto';
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Caller } from '../../src/auth/caller.ts';
import { parseIdempotencyKey } from '../../src/rest/idempotency-rules.ts';
import { buildFingerprint } from '../../src/operations/call-fingerprint.ts';
import { IdempotencyKey } from '../../src/operations/idempotency-key.ts';

test.each([
  ['8e03978e-40d5-43e8-bc93-6894a57f9324', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
  ['"8e03978e-40d5-43e8-bc93-6894a57f9324"', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
  ['"with \\"quotes\\" and \\\\"'.replaceAll(' ', '-'), 'with-"quotes"-and-\\'],
  ['inner"quote', 'inner"quote'],
  ['x'.repeat(255), 'x'.repeat(255)],
  [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
])('%s is a valid key', (header, key) => {
  expect(parseIdempotencyKey(header)).toBe(key);
});

test.each([
  '',
  '""',
  '"',
  '"open',
  'one, two',
  '"one", "two"',
  'with space',
  '"with space"',
  '"bad\\escape"',
  '"key";parameter=1',
  'ü',
  'bell\u0007',
  'x'.repeat(256),
  `"${'x'.repeat(256)}"`,
])('%j is not a valid key', (header) => {
  expect(parseIdempotencyKey(header)).toBeUndefined();
});

test.each([
  ...['key', '!', 'a"b', 'a\\', '"key"', '"a\\"b"', '"a\\\\"', 'x'.repeat(255), `"${'x'.repeat(255)}"`],
  ...['', '"', '""', '"key', 'a b', '"a b"', '"a"b"', '"a\\b"', 'ü', '\u007f', 'x'.repeat(256), `"${'x'.repeat(256)}"`],
  ...[`"${'\\"'.repeat(255)}"`, `"${'\\"'.repeat(256)}"`],
])("the contract's pattern accepts %j exactly if the service does", (header) => {
  const { pattern, minLength, maxLength } = contract.components.parameters.IdempotencyKey.schema;
  const isTaken = header.length >= minLength && header.length <= maxLength && new RegExp(pattern, 'u').test(header);
  expect(isTaken).toBe(parseIdempotencyKey(header) !== undefined);
});

const caller = { companyId: 'c', keyId: 'k', scopes: null } as Caller;
const call = {
  operationId: 'updateGroup' as const,
  caller,
  input: { groupId: 'g', body: { name: 'A', learnerIds: ['1', '2'] } },
};
const same = (other: object) => buildFingerprint({ ...call, ...other }).equals(buildFingerprint(call));

test('the fingerprint ignores the order of fields, and which key calls if its scopes are equal', () => {
  expect(same({ input: { body: { learnerIds: ['1', '2'], name: 'A' }, groupId: 'g' } })).toBe(true);
  expect(same({ caller: { ...caller, keyId: 'another' } })).toBe(true);
  const scoped = (scopes: string[]) => buildFingerprint({ ...call, caller: { ...caller, scopes } });
  expect(scoped(['a', 'b'])).toEqual(scoped(['b', 'a']));
});

test('the fingerprint depends on operation, path, query, content, list order and scopes', () => {
  const input = call.input;
  expect(same({ operationId: 'setGroupManagers' })).toBe(false);
  expect(same({ input: { ...input, groupId: 'h' } })).toBe(false);
  expect(same({ input: { ...input, dryRun: true } })).toBe(false);
  expect(same({ input: { ...input, body: { ...input.body, name: 'B' } } })).toBe(false);
  expect(same({ input: { ...input, body: { ...input.body, learnerIds: ['2', '1'] } } })).toBe(false);
  expect(same({ caller: { ...caller, scopes: ['groups:write'] } })).toBe(false);
});

test('if the response holds a secret, the fingerprint depends on the key but not on its expiry', () => {
  const of = (other: object) =>
    buildFingerprint({ ...call, operationId: 'createApiKey', caller: { ...caller, ...other } });
  expect(of({ keyId: 'another' })).not.toEqual(of({}));
  expect(of({ expiresAt: new Date() })).toEqual(of({}));
});

test('the fingerprint of a file depends on its bytes and its name', () => {
  const of = (bytes: string, fileName: string | null) =>
    buildFingerprint({ ...call, input: { file: { bytes: Buffer.from(bytes), fileName, pageCount: 1 } } });
  expect(of('%PDF', 'a.pdf')).toEqual(of('%PDF', 'a.pdf'));
  expect(of('%PDF', 'a.pdf')).not.toEqual(of('%PDE', 'a.pdf'));
  expect(of('%PDF', 'a.pdf')).not.toEqual(of('%PDF', null));
});

describe('a stored response', () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  const answer = '{"data":{"secret":"sk_…"}}';

  test('opens only with the idempotency key that the caller sent, and only in its own row', async () => {
    for (const secretsKeys of [[], [newer]]) {
      const key = new IdempotencyKey('a key', secretsKeys);
      const kept = await key.seal(answer, 'place');
      expect(await key.open(kept, 'place')).toBe(answer);
      await expect(key.open(kept, 'elsewhere')).rejects.toMatchObject({ code: 'secrets_key_missing' });
      const other = new IdempotencyKey('another key', secretsKeys);
      await expect(other.open(kept, 'place')).rejects.toMatchObject({ code: 'secrets_key_missing' });
    }
  });

  test('opens only with the secrets key that sealed it, which can be an older one', async () => {
    const kept = await new IdempotencyKey('guessed', [older]).seal(answer, 'place');
    await expect(new IdempotencyKey('guessed', []).open(kept, 'place')).rejects.toMatchObject({ status: 503 });
    expect(await new IdempotencyKey('guessed', [newer, older]).open(kept, 'place')).toBe(answer);
    const unkeyed = await new IdempotencyKey('guessed', []).seal(answer, 'place');
    expect(await new IdempotencyKey('guessed', [newer]).open(unkeyed, 'place')).toBe(answer);
  });
});
