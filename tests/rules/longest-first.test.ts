import { join } from 'node:path';

interface Sequencer {
  /** Returns the duration of a test file in the last run. */
  time(test: { path: string }): number | undefined;
  sort(tests: { path: string }[]): { path: string }[];
}
// A variable, because the module has no types.
const file = '../support/longest-first.js';
const { default: LongestFirst } = (await import(file)) as { default: new () => Sequencer };

const EXAMPLES = join(import.meta.dirname, '../docs/examples-go.test.ts');

/** Returns the order in which Jest starts the test files, given their sizes, and durations of the last run if known. */
function order(files: { path: string; size: number; seconds?: number }[]): string[] {
  const context = {
    config: { cache: false },
    hasteFS: { getSize: (of: string) => files.find(({ path }) => path === of)!.size },
  };
  const sequencer = new LongestFirst();
  sequencer.time = (test) => files.find(({ path }) => path === test.path)!.seconds;
  return sequencer.sort(files.map(({ path }) => ({ path, context }))).map(({ path }) => path);
}

test('a long test file starts before larger ones in a new checkout', () => {
  const files = [
    { path: '/large', size: 9000 },
    { path: EXAMPLES, size: 1000 },
    { path: '/small', size: 10 },
  ];
  expect(order(files)).toEqual([EXAMPLES, '/large', '/small']);
});

test('measured durations decide the order where they are known', () => {
  const files = [
    { path: '/quick', size: 9000, seconds: 1 },
    { path: EXAMPLES, size: 1000, seconds: 2 },
    { path: '/slow', size: 10, seconds: 3 },
  ];
  expect(order(files)).toEqual(['/slow', EXAMPLES, '/quick']);
});
