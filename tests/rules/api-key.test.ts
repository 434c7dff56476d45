import { createHash } from 'node:crypto';
import { apiKeyFrom, createApiKey, hashApiKey, isWellFormedApiKey } from '../../src/auth/api-key.ts';

const FORMAT = /^sk_[0-9a-z]{12}_[0-9a-f]{64}[0-9a-f]{8}$/;
const known = apiKeyFrom('testkey00001', Buffer.alloc(32, 1));

describe('an API key', () => {
  test('consists of sk_, its public id, 256 bits and a checksum', () => {
    for (let n = 0; n < 100; n += 1) {
      const { key, publicId } = createApiKey();
      expect(key).toMatch(FORMAT);
      expect(key.split('_')[1]).toBe(publicId);
      expect(isWellFormedApiKey(key)).toBe(true);
    }
  });

  test('is stored only as its SHA-256 hash', () => {
    const { key, keyHash } = createApiKey();
    expect(keyHash).toEqual(createHash('sha256').update(key).digest());
    expect(keyHash.toString('hex')).toBe(hashApiKey(key));
    expect(keyHash).toHaveLength(32);
  });

  test('is unique, and so is its public id', () => {
    const keys = Array.from({ length: 5000 }, createApiKey);
    expect(new Set(keys.map(({ key }) => key)).size).toBe(5000);
    expect(new Set(keys.map(({ publicId }) => publicId)).size).toBe(5000);
  });

  test('is deterministic for given parts and ends with the CRC-32 of the rest', () => {
    expect(apiKeyFrom('testkey00001', Buffer.alloc(32, 1))).toEqual(known);
    expect(known.key).toBe(`sk_testkey00001_${'01'.repeat(32)}e31df2bf`);
    expect(apiKeyFrom('testkey00002', Buffer.alloc(32, 1)).key.slice(-8)).not.toBe('e31df2bf');
  });
});

describe('isWellFormedApiKey', () => {
  test('rejects a key with any single changed character', () => {
    const accepted: string[] = [];
    for (let place = 0; place < known.key.length; place += 1) {
      for (const character of '0123456789abcdefghijklmnopqrstuvwxyzABCDEF_- ') {
        if (character === known.key[place]) continue;
        const changed = known.key.slice(0, place) + character + known.key.slice(place + 1);
        if (isWellFormedApiKey(changed)) accepted.push(changed);
      }
    }
    expect(accepted).toEqual([]);
  });

  test('rejects a key with any two adjacent characters swapped', () => {
    const { key } = apiKeyFrom('abcdefghijkl', Buffer.from(Array.from({ length: 32 }, (_, n) => n * 7 + 1)));
    expect(isWellFormedApiKey(key)).toBe(true);
    for (let place = 0; place + 1 < key.length; place += 1) {
      if (key[place] === key[place + 1]) continue;
      const swapped = key.slice(0, place) + key[place + 1]! + key[place]! + key.slice(place + 2);
      expect(`${swapped} ${isWellFormedApiKey(swapped)}`).toBe(`${swapped} false`);
    }
  });

  test.each([
    ['an empty string', ''],
    ['a key without its last character', known.key.slice(0, -1)],
    ['a key with one more character', `${known.key}0`],
    ['a key with leading white space', ` ${known.key}`],
    ['a key with a trailing line break', `${known.key}\n`],
    ['a key in upper case', known.key.toUpperCase()],
    ['a key with another prefix', known.key.replace('sk_', 'pk_')],
    ['two keys', known.key + known.key],
    ['a very long string', 'sk_'.padEnd(1_000_000, 'a')],
  ])('rejects %s', (_case, text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });
});
