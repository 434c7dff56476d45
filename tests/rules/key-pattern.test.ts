import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { createApiKey, isWellFormedApiKey } from '../../src/auth/api-key.ts';
import demoKeys from '../../seeds/demo-keys.json' with { type: 'json' };

const guide = readFileSync('docs/guides/authentication.md', 'utf8');
const pattern = new RegExp(/^regex = '''(.*)'''$/m.exec(guide)![1]!, 'g');

test('the pattern in the guide matches whole keys in a string', () => {
  const keys = [...Object.values(demoKeys), ...Array.from({ length: 50 }, () => createApiKey().key)];
  const text = keys.map((key, index) => `line ${index}: KEY="${key}", and more`).join('\n');
  expect(text.match(pattern)).toEqual(keys);
});

test('the guide describes the checksum correctly', () => {
  expect(guide).toContain('The last eight digits are the CRC-32 of all before them');
  const { key } = createApiKey();
  const checksum = crc32(key.slice(0, -8)).toString(16).padStart(8, '0');
  expect(key.slice(-8)).toBe(checksum);
  const other = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
  expect([isWellFormedApiKey(key), isWellFormedApiKey(other)]).toEqual([true, false]);
});

test('the pattern does not match keys of other services', () => {
  const texts = ['sk_live_4eC39HqLyjWDarjtT1zdp7dc', `sk_${'a'.repeat(12)}_${'g'.repeat(72)}`, 'sk-proj-abc'];
  expect(texts.join(' ').match(pattern)).toBeNull();
});
