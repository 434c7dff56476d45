import { globSync } from 'node:fs';
import { LEFT_OUT, SUITE } from '../citus/suite.ts';

test.each([...SUITE, ...Object.values(LEFT_OUT).flat()])('the Citus suite names existing tests: %s', (path) => {
  expect(globSync([path, `${path}.ts`, `${path}*.test.ts`])).not.toEqual([]);
});
