import fc from 'fast-check';
import { ApiError } from '../../src/contract/errors.ts';
import { type Bounds, JsonBounds } from '../../src/http/body/json-bounds.ts';

const WIDE: Bounds = { maxDepth: 100, maxNames: 1e9, maxItems: 1e9, maxValues: 1e9 };

/** Reads the text in pieces of `pieceBytes` and returns the rejection message or the number of values in the text. */
function judge(text: string, bounds: Partial<Bounds>, pieceBytes = Infinity): string | number {
  const json = new JsonBounds({ ...WIDE, ...bounds });
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) json.read(bytes.subarray(at, at + pieceBytes));
    return json.values;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

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
  [']'.repeat(10_000_000), 0, false],
])('%#: depth is judged correctly, regardless of brackets in strings', (text, maxDepth, isDeeper) => {
  const refusal = `\`body\` must be nested at most ${maxDepth} levels deep.`;
  for (const pieceBytes of [Infinity, 65_536]) expect(judge(text, { maxDepth }, pieceBytes) === refusal).toBe(isDeeper);
});

test.each<[string, Partial<Bounds>, string]>([
  ['{"a":1,"b":2,"c":3}', { maxNames: 2 }, '`body` must have at most 2 fields.'],
  ['{"rows":[{"a":1,"b":2,"c":3}]}', { maxNames: 2 }, '`body/rows` must have at most 2 fields.'],
  ['{"a":{},"rows":{"x":1,"y":[],"z":{}}}', { maxNames: 2 }, '`body/rows` must have at most 2 fields.'],
  ['{"name":"a","rows":[1,2,3]}', { maxItems: 2 }, '`body/rows` must have at most 2 items.'],
  ['{"rows":[{"ids":["a","b","c"]}]}', { maxItems: 2 }, '`body/rows` must have at most 2 items.'],
  ['[{},{},{}]', { maxItems: 2 }, '`body` must have at most 2 items.'],
  ['[[1,1],[1,1]]', { maxValues: 6 }, '`body` must have at most 6 values in total.'],
  ['{"rows":[[],[],[]]}', { maxValues: 4 }, '`body/rows` must have at most 4 values in total.'],
])('%s exceeding %j is rejected with the field and the bound', (text, bounds, refusal) => {
  expect(judge(text, bounds)).toBe(refusal);
});

test('a violation in a field whose name spans two pieces is reported for the body', () => {
  expect(judge('{"rows":[1,2,3]}', { maxItems: 2 }, 4)).toBe('`body` must have at most 2 items.');
});

interface Shape {
  depth: number;
  names: number;
  items: number;
}

function shapeOf(value: unknown): Shape {
  if (typeof value !== 'object' || value === null) return { depth: 0, names: 0, items: 0 };
  const parts = Object.values(value).map(shapeOf);
  const most = (measure: keyof Shape) => Math.max(0, ...parts.map((part) => part[measure]));
  const { length } = Object.keys(value);
  const isList = Array.isArray(value);
  return {
    depth: 1 + most('depth'),
    names: Math.max(isList ? 0 : length, most('names')),
    items: Math.max(isList ? length : 0, most('items')),
  };
}

test('any JSON in pieces of any size is rejected exactly if it exceeds a bound', () => {
  const bound = fc.integer({ min: 1, max: 5 });
  const bounds = fc.record({ maxDepth: bound, maxNames: bound, maxItems: bound });
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), bounds, fc.integer({ min: 1, max: 20 }), (value, limits, pieceBytes) => {
      const { depth, names, items } = shapeOf(value);
      const passes = depth > limits.maxDepth || names > limits.maxNames || items > limits.maxItems;
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
        expect(typeof judge(text, limits, pieceBytes)).toBe(passes ? 'string' : 'number');
      }
    }),
  );
});
