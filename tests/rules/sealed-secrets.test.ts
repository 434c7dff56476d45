/** @jest-environment node */
import { randomBytes } from 'node:crypto';
import { SealedSecrets } from '../../src/auth/sealed-secrets.ts';
import { createSourceSecret, parseSourceId } from '../../src/auth/source-secret.ts';
import { readConfig } from '../../src/config/config.ts';

const [older, newer] = [randomBytes(32), randomBytes(32)];
const owner = '0192a3b4-0000-7000-8000-e00000000001';

test('a sealed secret opens and reveals nothing without the key', () => {
  const secrets = new SealedSecrets([newer]);
  const sealed = secrets.seal('the secret', owner);
  expect(sealed.toString('latin1')).not.toContain('secret');
  expect(secrets.open(sealed, owner)).toBe('the secret');
  expect(secrets.seal('the secret', owner)).not.toEqual(sealed);
});

test('secrets sealed with an older key stay readable after a new key is added', () => {
  const sealed = new SealedSecrets([older]).seal('the secret', owner);
  const both = new SealedSecrets([newer, older]);
  expect(both.open(sealed, owner)).toBe('the secret');
  expect(new SealedSecrets([newer]).open(both.seal('another', owner), owner)).toBe('another');
});

test.each<[string, (sealed: Buffer) => () => unknown]>([
  ['opening without its key', (sealed) => () => new SealedSecrets([newer]).open(sealed, owner)],
  ['opening for another owner', (sealed) => () => new SealedSecrets([older]).open(sealed, 'another')],
  ['opening with a changed bit', (sealed) => () => new SealedSecrets([older]).open(changed(sealed), owner)],
  ['opening truncated data', (sealed) => () => new SealedSecrets([older]).open(sealed.subarray(0, 20), owner)],
  ['sealing without any key', () => () => new SealedSecrets([]).seal('the secret', owner)],
])('%s fails with secrets_key_missing', (_case, attempt) => {
  const sealed = new SealedSecrets([older]).seal('the secret', owner);
  expect(attempt(sealed)).toThrow(expect.objectContaining({ code: 'secrets_key_missing', status: 503 }));
});

test('a source secret contains its source id, and a mistyped one is rejected', () => {
  const secret = createSourceSecret(owner);
  expect(parseSourceId(secret)).toBe(owner);
  const other = secret.endsWith('0') ? '1' : '0';
  for (const text of ['', secret.slice(0, -1) + other, `${secret} `, secret.toUpperCase(), secret.slice(4)]) {
    expect(parseSourceId(text)).toBeUndefined();
  }
});

test('SECRETS_KEY must hold 32-byte keys, newest first', () => {
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
