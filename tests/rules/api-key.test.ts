import { createHash } from 'node:crypto';
import { apiKeyFrom, createApiKey, hashApiKey, isWellFormedApiKey } from '../../src/auth/api-key.ts';

const FORMAT = /^sk_[0-9a-z]{12}_[0-9a-f]{64}[0-9a-f]{8}$/;
const known = apiKeyFrom('testkey00001', Buffer.alloc(32, 1));

describe('an API key', () => {
  test('is sk_, its public id, 256 bits and a checksum', () => {
    for (let n = 0; n < 100; n += 1) {
      const { key, publicId } = createApiKey();
      expect(key).toMatch(FORMAT);
      expect(key.split('_')[1]).toBe(publicId);
      expect(isWellFormedApiKey(key)).toBe(true);
    }
  });

  test('is stored as its SHA-256 alone', () => {
    const { key, keyHash } = createApiKey();
    expect(keyHash).toEqual(createHash('sha256').update(key).digest());
    expect(keyHash.toString('hex')).toBe(hashApiKey(key));
    expect(keyHash).toHaveLength(32);
  });

  test('is never made twice, nor is its public id', () => {
    const keys = Array.from({ length: 5000 }, createApiKey);
    expect(new Set(keys.map(({ key }) => key)).size).toBe(5000);
    expect(new Set(keys.map(({ publicId }) => publicId)).size).toBe(5000);
  });

  test('of given parts is always the same, and has the CRC-32 of what stands before it at its end', () => {
    expect(apiKeyFrom('testkey00001', Buffer.alloc(32, 1))).toEqual(known);
    expect(known.key).toBe(`sk_testkey00001_${'01'.repeat(32)}e31df2bf`);
    expect(apiKeyFrom('testkey00002', Buffer.alloc(32, 1)).key.slice(-8)).not.toBe('e31df2bf');
  });
});

describe('isWellFormedApiKey', () => {
  test('refuses every single changed character', () => {
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

  test('refuses every two neighbours that changed places', () => {
    const { key } = apiKeyFrom('abcdefghijkl', Buffer.from(Array.from({ length: 32 }, (_, n) => n * 7 + 1)));
    expect(isWellFormedApiKey(key)).toBe(true);
    for (let place = 0; place + 1 < key.length; place += 1) {
      if (key[place] === key[place + 1]) continue;
      const swapped = key.slice(0, place) + key[place + 1]! + key[place]! + key.slice(place + 2);
      expect(`${swapped} ${isWellFormedApiKey(swapped)}`).toBe(`${swapped} false`);
    }
  });

  test.each([
    ['nothing', ''],
    ['a key without its last character', known.key.slice(0, -1)],
    ['a key with one more', `${known.key}0`],
    ['white space around it', ` ${known.key}`],
    ['a line break after it', `${known.key}\n`],
    ['upper case', known.key.toUpperCase()],
    ['another prefix', known.key.replace('sk_', 'pk_')],
    ['two keys', known.key + known.key],
    ['a very long text', 'sk_'.padEnd(1_000_000, 'a')],
  ])('refuses %s', (_case, text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });
});
