import { call, get } from '../../support/client.ts';
import { learnerId, unknownId } from '../../support/world.ts';
import { ask, ENTERPRISE, find, idsOf, makeUser, newUser, patch } from './directory-support.ts';

let number = 0;
let boss: string;
let id: string;
let path: string;
beforeEach(async () => {
  number += 1;
  boss = await makeUser(`boss${number}`);
  id = await makeUser(`report${number}`, { [ENTERPRISE]: { manager: { value: boss } } });
  path = `/Users/${id}`;
});

const managerOf = async (learner = id) => (await get(`/learners/${learner}`)).body.data.managerId;

test('a user shows the manager with address and name', async () => {
  const { body } = await ask('GET', path);
  expect(body[ENTERPRISE].manager).toEqual({
    value: boss,
    $ref: `${testService.url}/scim/v2/Users/${boss}`,
    displayName: 'Mary Somerville',
  });
  expect((await get(`/learners/${id}`)).body.data).toMatchObject({ managerId: boss, manager: { id: boss } });
});

test.each<[string, (other: string) => object]>([
  ['a string by the URN', (other) => ({ op: 'Add', path: `${ENTERPRISE}:manager`, value: other })],
  ['a string without the URN', (other) => ({ op: 'Replace', path: 'manager', value: other })],
  ['a string in capitals', (other) => ({ op: 'Replace', path: 'manager', value: other.toUpperCase() })],
  ['an object', (other) => ({ op: 'Add', path: `${ENTERPRISE}:manager`, value: { value: other, $ref: '../Users/x' } })],
  ['a list', (other) => ({ op: 'Add', path: 'manager', value: [{ $ref: null, value: other }] })],
  ['a path to the value', (other) => ({ op: 'Add', path: `${ENTERPRISE}:manager.value`, value: other })],
  ['a flat name', (other) => ({ op: 'Replace', value: { [`${ENTERPRISE}:manager`]: other } })],
  ['the extension', (other) => ({ op: 'Replace', value: { [ENTERPRISE]: { manager: { value: other } } } })],
])('%s sets the manager', async (_case, operation) => {
  const other = learnerId('tenant', 1);
  expect((await patch(path, operation(other))).status).toBe(200);
  expect(await managerOf()).toBe(other);
});

test.each<[string, () => object]>([
  ['remove', () => ({ op: 'Remove', path: `${ENTERPRISE}:manager` })],
  ['remove of the extension', () => ({ op: 'Remove', path: ENTERPRISE })],
  ['an empty string', () => ({ op: 'Replace', path: 'manager', value: '' })],
  ['null', () => ({ op: 'Replace', path: 'manager', value: null })],
  ['an unknown id', () => ({ op: 'Replace', path: 'manager', value: unknownId })],
  ['a learner of another company', () => ({ op: 'Replace', path: 'manager', value: learnerId('other', 1) })],
  ['another kind of id', () => ({ op: 'Replace', path: 'manager', value: '123456' })],
  ['a number', () => ({ op: 'Replace', path: 'manager', value: 123456 })],
  ['the user', () => ({ op: 'Replace', path: 'manager', value: id })],
  ['a null character', () => ({ op: 'Replace', path: 'manager', value: 'a\0' })],
])('%s leaves the user without a manager', async (_case, operation) => {
  expect((await patch(path, operation())).status).toBe(200);
  expect(await managerOf()).toBeNull();
});

test('a PUT without the manager clears it, and one with an unknown manager is accepted', async () => {
  const name = `report${number}`;
  const withManager = (manager: unknown) => newUser(name, { [ENTERPRISE]: { manager } });
  expect((await ask('PUT', path, { body: withManager(boss) })).status).toBe(200);
  expect(await managerOf()).toBe(boss);
  expect((await ask('PUT', path, { body: withManager('nobody') })).status).toBe(200);
  expect(await managerOf()).toBeNull();
  expect((await ask('PUT', path, { body: withManager(boss) })).status).toBe(200);
  expect((await ask('PUT', path, { body: newUser(name) })).status).toBe(200);
  expect(await managerOf()).toBeNull();
});

test('users are found by their manager', async () => {
  expect(idsOf(await find('Users', `id eq "${id}" and manager eq "${boss}"`))).toEqual([id]);
  expect(idsOf(await find('Users', `id eq "${boss}" and manager eq "${boss}"`))).toEqual([]);
  expect(idsOf(await find('Users', `${ENTERPRISE}:manager.value eq "${boss.toUpperCase()}"`))).toEqual([id]);
  expect(idsOf(await find('Users', 'manager eq "nobody"'))).toEqual([]);
});

test('users can manage each other, and a returning manager is not their own manager', async () => {
  await patch(`/Users/${boss}`, { op: 'add', path: 'manager', value: id });
  expect(await managerOf(boss)).toBe(id);
  expect((await ask('DELETE', path)).status).toBe(204);
  const body = newUser(`report${number}`, { [ENTERPRISE]: { manager: { value: id } } });
  const { status, body: user } = await ask('POST', '/Users', { body });
  expect({ status, id: user.id }).toEqual({ status: 201, id });
  expect(await managerOf()).toBeNull();
});

test('deleting the learner who manages removes the manager from the user', async () => {
  expect((await call('tenant', 'DELETE', `/learners/${boss}`)).status).toBe(200);
  expect((await ask('GET', path)).body).not.toHaveProperty([ENTERPRISE]);
});
