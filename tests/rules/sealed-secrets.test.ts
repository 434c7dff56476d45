/** @jest-environment node */
import { randomBytes } from 'node:crypto';
import { SealedSecrets } from '../../src/auth/sealed-secrets.ts';
import { createSourceSecret, parseSourceId } from '../../src/auth/source-secret.ts';
import { readConfig } from '../../src/config/config.ts';

const [older, newer] = [randomBytes(32), randomBytes(32)];
const owner = '0192a3b4-0000-7000-8000-e00000000001';

test('what is sealed opens, and tells nothing without the key', () => {
  const secrets = new SealedSecrets([newer]);
  const sealed = secrets.seal('the secret', owner);
  expect(sealed.toString('latin1')).not.toContain('secret');
  expect(secrets.open(sealed, owner)).toBe('the secret');
  expect(secrets.seal('the secret', owner)).not.toEqual(sealed);
});

test('a new key in front leaves what the older one sealed open', () => {
  const sealed = new SealedSecrets([older]).seal('the secret', owner);
  const both = new SealedSecrets([newer, older]);
  expect(both.open(sealed, owner)).toBe('the secret');
  expect(new SealedSecrets([newer]).open(both.seal('another', owner), owner)).toBe('another');
});

test.each<[string, (sealed: Buffer) => () => unknown]>([
  ['without its key', (sealed) => () => new SealedSecrets([newer]).open(sealed, owner)],
  ['for another owner', (sealed) => () => new SealedSecrets([older]).open(sealed, 'another')],
  ['with a bit changed', (sealed) => () => new SealedSecrets([older]).open(changed(sealed), owner)],
  ['cut short', (sealed) => () => new SealedSecrets([older]).open(sealed.subarray(0, 20), owner)],
  ['with nothing', () => () => new SealedSecrets([]).seal('the secret', owner)],
])('%s there is an error that names no secret', (_case, attempt) => {
  const sealed = new SealedSecrets([older]).seal('the secret', owner);
  expect(attempt(sealed)).toThrow(expect.objectContaining({ code: 'secrets_key_missing', status: 503 }));
});

test('a secret names its source, and a mistyped one none', () => {
  const secret = createSourceSecret(owner);
  expect(parseSourceId(secret)).toBe(owner);
  const other = secret.endsWith('0') ? '1' : '0';
  for (const text of ['', secret.slice(0, -1) + other, `${secret} `, secret.toUpperCase(), secret.slice(4)]) {
    expect(parseSourceId(text)).toBeUndefined();
  }
});

test('the environment gives keys of 32 bytes, the newest first, and no other', () => {
  const read = (text: string) => readConfig({ ROLES: 'api', SECRETS_KEY: text }).secretsKeys;
  expect(read(`${newer.toString('base64')}, ${older.toString('base64')}`)).toEqual([newer, older]);
  expect(read('')).toEqual([]);
  for (const text of ['short', newer.toString('hex'), randomBytes(31).toString('base64')]) {
    expect(() => read(text)).toThrow('SECRETS_KEY must be 32 bytes in base64');
  }
});

function changed(sealed: Buffer): Buffer {
  const copy = Buffer.from(sealed);
  copy[copy.length - 1]! ^= 1;
  return copy;
}
