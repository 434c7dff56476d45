import { RowDecoder } from '../../src/db/driver/row-decoder.ts';

const [INT4, INT8, BOOL, TEXT, JSON_TYPE] = [23, 20, 16, 25, 114];
const columns = [
  { name: 'id', dataTypeID: TEXT },
  { name: 'count', dataTypeID: INT8 },
  { name: 'isOn', dataTypeID: BOOL },
  { name: 'groups', dataTypeID: JSON_TYPE },
];

test("a row has its columns' values, decoded by type and in order", () => {
  const row = new RowDecoder(columns).decode(['a', '12', 't', '[1]']);
  expect(row).toEqual({ id: 'a', count: 12, isOn: true, groups: [1] });
  expect(Object.keys(row)).toEqual(['id', 'count', 'isOn', 'groups']);
});

test('null stays null for every type', () => {
  expect(new RowDecoder(columns).decode([null, null, null, null])).toEqual({
    id: null,
    count: null,
    isOn: null,
    groups: null,
  });
});

test('a row with other columns is rejected', () => {
  expect(() => new RowDecoder(columns).decode(['a'])).toThrow('have changed');
});

test('the last of several columns with the same name wins', () => {
  const twins = [...columns, { name: 'id', dataTypeID: INT4 }];
  expect(new RowDecoder(twins).decode(['a', '12', 't', '[1]', '2'])).toMatchObject({ id: 2 });
});
