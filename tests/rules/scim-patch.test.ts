import { readGroup, readGroupPatch } from '../../src/scim/group-reading.ts';
import { readPatch } from '../../src/scim/patch.ts';
import { readUser, readUserPatch } from '../../src/scim/user-reading.ts';
import { booleanAt, toList, objectAt, textAt } from '../../src/scim/values.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const body = (...Operations: object[]) => ({ Operations });
const user = (...operations: object[]) => readUserPatch(body(...operations));
const group = (...operations: object[]) => readGroupPatch(body(...operations));
const wrong = (scimType: string) => expect.objectContaining({ scimType });

test.each([
  [{ op: 'REPLACE', path: ' displayName ', value: 'A' }, { displayName: 'A' }],
  [{ op: 'Add', value: { DISPLAYNAME: 'A', nickName: 'B' } }, { displayName: 'A' }],
  [{ op: 'Remove', path: 'displayName', value: 'A' }, { displayName: null }],
  [{ op: 'add', path: 'displayName', value: '' }, { displayName: null }],
  [{ op: 'add', path: 'displayName', value: [{ $ref: null, value: 'A' }] }, { displayName: 'A' }],
  [{ op: 'add', path: 'name', value: { givenName: 'A' } }, { givenName: 'A' }],
  [
    { op: 'remove', path: 'name' },
    { givenName: null, familyName: null, formatted: null },
  ],
  [
    { op: 'add', path: ENTERPRISE, value: { employeeNumber: '1', department: 'B' } },
    { employeeNumber: '1', department: 'B' },
  ],
  [{ op: 'add', value: { [ENTERPRISE]: { employeeNumber: '1' } } }, { employeeNumber: '1' }],
  [{ op: 'remove', path: 'active' }, {}],
  [{ op: 'replace', path: 'active', value: [{ value: 'FALSE' }] }, { active: false }],
  [{ op: 'add', path: 'manager', value: [{ value: '1' }] }, { managerId: '1' }],
  [{ op: 'add', path: 'urn:other:2.0:User:x', value: 1 }, {}],
  [{ op: 'add', value: {} }, {}],
])('%j changes a user to %j', (operation, said) => expect(user(operation)).toEqual(said));

test('the last of several operations on an attribute wins', () => {
  const name = (op: string, value?: string) => ({ op, path: 'displayName', value });
  expect(user(name('add', 'A'), name('replace', 'B'))).toEqual({ displayName: 'B' });
  expect(user(name('add', 'A'), name('remove'))).toEqual({ displayName: null });
});

test.each<[string, unknown]>([
  ['invalidSyntax', null],
  ['invalidSyntax', { Operations: [] }],
  ['invalidSyntax', { Operations: Array.from({ length: 10_001 }, () => ({ op: 'add', value: {} })) }],
  ['invalidValue', { Operations: ['x'] }],
  ['invalidSyntax', body({})],
  ['invalidSyntax', body({ op: 'move' })],
  ['invalidSyntax', body({ op: 'add', value: 'A' })],
  ['invalidSyntax', body({ op: 'add', value: ['A'] })],
  ['noTarget', body({ op: 'remove', path: '' })],
  ['invalidPath', body({ op: 'add', path: 5 })],
  ['invalidPath', body({ op: 'add', path: 'emails[type eq "work"', value: 'a' })],
  ['invalidFilter', body({ op: 'add', path: 'emails[type is "work"].value', value: 'a' })],
])('a PATCH is rejected as %s: %j', (scimType, given) => expect(() => readPatch(given)).toThrow(wrong(scimType)));

test.each([
  ['invalidPath', { op: 'add', path: 'shoeSize', value: 1 }],
  ...['groups', 'groups.value', 'groups[value eq "1"]', 'id', 'meta.created'].map((path): [string, object] => [
    'mutability',
    { op: 'add', path, value: [{ value: '1' }] },
  ]),
  ['invalidValue', { op: 'remove', path: 'userName' }],
  ['invalidValue', { op: 'add', path: 'displayName', value: 5 }],
  ['invalidValue', { op: 'add', path: 'displayName', value: { a: 1 } }],
  ['invalidValue', { op: 'add', path: 'displayName', value: 'a\u202Eb' }],
  ['invalidValue', { op: 'add', path: 'name', value: 'A B' }],
  ['invalidValue', { op: 'add', path: 'active', value: 1 }],
  ['invalidValue', { op: 'add', path: 'emails', value: [5] }],
])('a change to a user is rejected as %s: %j', (scimType, operation) =>
  expect(() => user(operation)).toThrow(wrong(scimType)),
);

test.each([
  [[{ op: 'Add', path: 'members', value: [{ $ref: null, value: '1' }, { value: '1' }] }], { addedIds: ['1'] }],
  [[{ op: 'add', path: 'members', value: { value: '1' } }], { addedIds: ['1'] }],
  [[{ op: 'add', value: { members: [{ value: '1' }] } }], { addedIds: ['1'] }],
  [[{ op: 'Remove', path: 'members', value: [{ value: '1' }] }], { removedIds: ['1'] }],
  [[{ op: 'remove', path: 'members[value eq "1"]' }], { removedIds: ['1'] }],
  [[{ op: 'remove', path: 'members' }], { memberIds: [] }],
  [[{ op: 'replace', path: 'members', value: ['1', '2'] }], { memberIds: ['1', '2'] }],
  [[{ op: 'replace', path: 'members', value: null }], { memberIds: [] }],
  [
    [
      { op: 'replace', path: 'members', value: ['1', '2'] },
      { op: 'remove', path: 'members', value: ['1'] },
      { op: 'add', path: 'members', value: ['3'] },
    ],
    { memberIds: ['2', '3'] },
  ],
  [
    [
      { op: 'add', path: 'members', value: ['1'] },
      { op: 'remove', path: 'members', value: ['1'] },
    ],
    { removedIds: ['1'] },
  ],
  [[{ op: 'replace', value: { displayName: 'A', id: 'x', other: 1 } }], { displayName: 'A' }],
])('%j changes a group to %j', (operations, said) => expect(group(...operations)).toEqual(said));

test('unreadable members, and more than 10,000, are rejected', () => {
  const members = (value: unknown) => ({ op: 'add', path: 'members', value });
  for (const value of [[5], [{}], [{ value: 5 }], [null]])
    expect(() => group(members(value))).toThrow(wrong('invalidValue'));
  const ids = Array.from({ length: 10_001 }, (_, index) => String(index));
  expect(() => group(members(ids))).toThrow('must have at most 10000 members');
  expect(group(members(ids.slice(1))).addedIds).toHaveLength(10_000);
  expect(() => group({ op: 'remove', path: 'members[display eq "A"]' })).toThrow(wrong('invalidFilter'));
  expect(() => group({ op: 'add', path: 'shoeSize', value: 1 })).toThrow(wrong('invalidPath'));
});

test('a PUT clears omitted attributes except active', () => {
  const { active, userName, email, ...others } = readUser({ USERNAME: 'a', title: null, manager: null });
  expect([active, userName, email]).toEqual([undefined, 'a', { changes: [{ op: 'remove' }] }]);
  expect(new Set(Object.values(others))).toEqual(new Set([null]));
  expect(() => readUser({ displayName: 'A' })).toThrow('`userName` is required.');
  expect(() => readUser([])).toThrow(wrong('invalidSyntax'));
  expect(readGroup({ displayName: 'A' })).toEqual({ displayName: 'A', externalId: null, memberIds: [] });
});

test('values are read in all forms that directories send', () => {
  expect(['True', true, [{ value: 'tRUE' }]].map((value) => booleanAt('x', value))).toEqual([true, true, true]);
  expect([null, undefined, '', ' '].map((value) => booleanAt('x', value))).toEqual([null, null, null, null]);
  for (const value of ['yes', 1, [true, false]]) expect(() => booleanAt('x', value)).toThrow('`x` must be');
  expect([null, undefined, '', [{ Value: 'a' }]].map((value) => textAt('x', value))).toEqual([null, null, null, 'a']);
  for (const value of [5, true, ['a'], ['a', 'b'], []])
    expect(() => textAt('x', value)).toThrow('`x` must be a string.');
  expect([toList(null), toList('a'), toList(['a'])]).toEqual([[], ['a'], ['a']]);
  expect(objectAt('x', null).size).toBe(0);
  expect(() => objectAt('x', [])).toThrow('`x` must be an object.');
});
