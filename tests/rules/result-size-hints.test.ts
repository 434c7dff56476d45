import { ResultSizeHints } from '../../src/db/driver/result-size-hints.ts';

test('a list counts as short until a long result, per company and statement', () => {
  const lengths = new ResultSizeHints();
  const told = () => [
    lengths.fitsOneBatch('a', 'list'),
    lengths.fitsOneBatch('b', 'list'),
    lengths.fitsOneBatch('a', 'other'),
  ];
  expect(told()).toEqual([false, false, false]);
  lengths.record('a', 'list', true);
  expect(told()).toEqual([true, false, false]);
  lengths.record('a', 'list', false);
  lengths.record('a', 'list', true);
  expect(told()).toEqual([false, false, false]);
});

test('beyond its capacity, the oldest hints are dropped', () => {
  const lengths = new ResultSizeHints();
  for (let n = 0; n <= 10_000; n++) lengths.record(String(n), 'list', true);
  lengths.record('10000', 'list', true);
  expect(['0', '1', '10000'].map((companyId) => lengths.fitsOneBatch(companyId, 'list'))).toEqual([false, true, true]);
});
