import { ListLengths } from '../../src/db/driver/result-size-hints.ts';

test('a list counts as short once it was, and no more once it was long, for its company and statement alone', () => {
  const lengths = new ListLengths();
  const told = () => [lengths.isShort('a', 'list'), lengths.isShort('b', 'list'), lengths.isShort('a', 'other')];
  expect(told()).toEqual([false, false, false]);
  lengths.note('a', 'list', true);
  expect(told()).toEqual([true, false, false]);
  lengths.note('a', 'list', false);
  lengths.note('a', 'list', true);
  expect(told()).toEqual([false, false, false]);
});

test('of more lists than it keeps, the first ones are forgotten', () => {
  const lengths = new ListLengths();
  for (let n = 0; n <= 10_000; n++) lengths.note(String(n), 'list', true);
  lengths.note('10000', 'list', true);
  expect(['0', '1', '10000'].map((companyId) => lengths.isShort(companyId, 'list'))).toEqual([false, true, true]);
});
