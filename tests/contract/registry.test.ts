import { operations } from '../../generated/operations.ts';

test('the contract has the 73 operations of the specification', () => {
  expect(Object.keys(operations)).toHaveLength(73);
});
