import { operations } from '../../generated/operations.ts';
import { handlers, pending } from '../../src/operations.ts';

test('every keyed operation of the contract is either served or pending, and none is both', () => {
  const keyed = Object.entries(operations).filter(([, operation]) => operation.keyed);
  const listed = [...Object.keys(handlers), ...pending];
  expect(listed.toSorted()).toEqual(keyed.map(([operationId]) => operationId).toSorted());
});

test('the contract has the 73 operations of the specification', () => {
  expect(Object.keys(operations)).toHaveLength(73);
});
