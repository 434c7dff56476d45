import fc from 'fast-check';
import { isDeeperThan } from '../../src/web/json-depth.ts';

test.each<[string, number, boolean]>([
  ['[[1]]', 2, false],
  ['[[1]]', 1, true],
  ['{"a":[{"b":1}]}', 3, false],
  ['{"a":[{"b":1}]}', 2, true],
  ['"[[[["', 0, false],
  [String.raw`{"a\"[[[[":"\\"}`, 1, false],
  [String.raw`["\\",[1]]`, 1, true],
  ['['.repeat(10_000_000), 32, true],
  ['"'.repeat(10_000_001), 0, false],
  ['"' + '\\'.repeat(10_000_000), 0, false],
])('%#: a text is deeper than allowed or not, whatever its strings hold', (text, max, deeper) => {
  expect(isDeeperThan(max, text)).toBe(deeper);
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('the depth of any JSON is told right', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 0, max: 6 }), (value, max) => {
      expect(isDeeperThan(max, JSON.stringify(value))).toBe(depthOf(value) > max);
    }),
  );
});
