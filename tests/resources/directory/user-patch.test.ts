import { get } from '../../support/client.ts';
import { learnerId } from '../../support/world.ts';
import { ask, ENTERPRISE, expectScimError, makeUser, newUser, patch, USER } from './directory-support.ts';

let id: string;
let path: string;
let number = 0;

beforeEach(async () => {
  id = await makeUser(`patched${(number += 1)}`);
  path = `/Users/${id}`;
});

const shown = async () => (await ask('GET', path)).body;

test.each([
  ['with a capitalised op and a string value', { op: 'Replace', path: 'active', value: 'False' }],
  ['with a value in a list', { op: 'Replace', path: 'active', value: [{ $ref: null, value: 'False' }] }],
  ['without a path', { op: 'replace', value: { active: false } }],
  ['by the URN of the schema', { op: 'Add', path: `${USER}:active`, value: false }],
])('deactivates a user %s', async (_, operation) => {
  const answer = await patch(path, operation);
  expect(answer).toMatchObject({ status: 200, body: { id, active: false } });
  expect((await get(`/learners/${id}`)).body.data).toMatchObject({ inactive: true });
  expect(
    (await patch(path, { ...operation, op: 'replace', path: undefined, value: { active: 'True' } })).body.active,
  ).toBe(true);
});

test('changes addresses, names and employeeNumber by the paths that directories send', async () => {
  const done = await patch(
    path,
    { op: 'Replace', path: 'emails[type eq "work"].value', value: `new${number}@tenant.test` },
    { op: 'Add', path: 'name.familyName', value: 'Fairfax' },
    { op: 'Add', path: `${ENTERPRISE}:employeeNumber`, value: `N-${number}` },
    {
      op: 'Replace',
      value: { 'name.givenName': 'Margaret', displayName: 'Maggie', [`${ENTERPRISE}:department`]: 'X' },
    },
    { op: 'Replace', value: { 'emails[type eq "home"].value': 'home@tenant.test', nickName: 'M', [ENTERPRISE]: {} } },
    { op: 'Add', path: `${ENTERPRISE}:manager`, value: [{ $ref: null, value: 'x' }] },
    { op: 'Add', path: 'urn:example:custom:2.0:User:shoeSize', value: 41 },
  );
  expect(done).toMatchObject({
    status: 200,
    body: {
      name: { formatted: 'Margaret Fairfax' },
      displayName: 'Maggie',
      emails: [{ value: `new${number}@tenant.test` }],
      [ENTERPRISE]: { employeeNumber: `N-${number}` },
    },
  });
});

test('removes attributes and derives required names from the remaining attributes', async () => {
  await patch(path, { op: 'add', value: { displayName: 'Maggie Fairfax', preferredLanguage: 'fr' } });
  const { body } = await patch(
    path,
    { op: 'Remove', path: 'externalId' },
    { op: 'Remove', path: 'preferredLanguage' },
    { op: 'remove', path: 'name' },
  );
  expect(body).toMatchObject({ name: { givenName: 'Maggie', familyName: 'Fairfax' } });
  expect(body).not.toHaveProperty('externalId');
  expect(body).not.toHaveProperty('preferredLanguage');
  expectScimError(await patch(path, { op: 'remove', path: 'userName' }), 400, 'invalidValue');
});

test('a failing operation undoes all operations of the request', async () => {
  const before = await shown();
  const rename = { op: 'replace', path: 'displayName', value: 'Never' };
  expectScimError(
    await patch(path, rename, { op: 'replace', path: 'userName', value: 'learner1@tenant.test' }),
    409,
    'uniqueness',
  );
  expectScimError(
    await patch(path, rename, { op: 'replace', path: 'emails', value: 'learner1@tenant.test' }),
    409,
    'uniqueness',
  );
  expect(await shown()).toEqual(before);
});

test.each([
  ['invalidSyntax', { op: 'move', path: 'active' }],
  ['invalidPath', { op: 'add', path: 'no path[', value: 1 }],
  ['invalidPath', { op: 'add', path: 'shoeSize', value: 1 }],
  ['invalidFilter', { op: 'add', path: 'emails[type is "w"].value', value: 'x' }],
  ['noTarget', { op: 'remove' }],
  ['invalidSyntax', { op: 'replace', value: 'x' }],
  ['invalidValue', { op: 'replace', path: 'active', value: 'x' }],
])('an invalid operation returns 400 %s', async (scimType, operation) => {
  expectScimError(await patch(path, operation), 400, scimType);
});

test('a body that is not a PatchOp returns 400', async () => {
  for (const body of ['{', '[]', '{"Operations": []}', '{"Operations": {}}', '5'])
    expect((await ask('PATCH', path, { body })).status).toBe(400);
});

test('a PUT replaces all attributes except active', async () => {
  await patch(path, { op: 'replace', value: { active: false, displayName: 'M', preferredLanguage: 'fr' } });
  const { userName, emails } = await shown();
  const { body } = await ask('PUT', path, {
    body: { schemas: [USER], id, userName, emails, name: { givenName: 'A', familyName: 'B' } },
  });
  expect(body).toMatchObject({ userName, active: false, displayName: 'A B', emails });
  expect(body).not.toHaveProperty('externalId');
  expect(body).not.toHaveProperty('preferredLanguage');
  expectScimError(await ask('PUT', path, { body: newUser('learner1') }), 409, 'uniqueness');
});

test('the first change by a directory sets managedBy; a repeated change changes nothing', async () => {
  const one = `/learners/${learnerId('tenant', 1)}`;
  const before = (await get(one)).body.data;
  expect(before.managedBy).toBeNull();
  const change = { op: 'add', value: { externalId: 'of-one' } };
  await patch(`/Users/${before.id}`, change);
  const after = (await get(one)).body.data;
  expect(after).toEqual({ ...before, managedBy: 'directory', updatedAt: expect.any(String) });
  await patch(`/Users/${before.id}`, change);
  expect((await get(one)).body.data).toEqual(after);
});
