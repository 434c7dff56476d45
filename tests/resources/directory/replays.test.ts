import { learnerId } from '../../support/world.ts';
import { ask, ENTERPRISE, find, GROUP, idsOf, makeUser, patch, USER } from './directory-support.ts';

const one = learnerId('tenant', 1);
const PATCH = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];

describe('what the documentation of Entra sends', () => {
  const userName = 'Test_User_00aa00aa-bb11-cc22-dd33-44ee44ee44ee';
  let user: string;
  let group: string;

  test('creates a user with roles, and finds it', async () => {
    const { status, body } = await ask('POST', '/Users', {
      body: {
        schemas: [USER, ENTERPRISE],
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        userName,
        active: true,
        emails: [{ primary: true, type: 'work', value: 'Test_User_11bb@testuser.test' }],
        meta: { resourceType: 'User' },
        name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
        roles: [],
      },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ userName, emails: [{ value: 'Test_User_11bb@testuser.test' }], active: true });
    user = `/Users/${body.id}`;
    expect((await ask('GET', user)).status).toBe(200);
    expect((await ask('GET', '/Users/5171a35d82074e068ce2')).status).toBe(404);
    expect(idsOf(await find('Users', `userName eq "${userName}"`))).toEqual([body.id]);
    expect(idsOf(await find('Users', 'userName eq "non-existent user"'))).toEqual([]);
    expect(idsOf(await find('Users', 'externalId eq 0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef'))).toEqual([body.id]);
  });

  test.each([
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@testuser.test' },
    { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
    { op: 'Replace', path: 'userName', value: '5b50642d-79fc-4410-9e90-4c077cdd1a59@testuser.test' },
    { op: 'Add', path: 'nickName', value: 'Babs' },
    { op: 'add', path: 'nickName', value: 'Babs' },
    { op: 'Replace', path: 'displayName', value: 'Pvlo' },
    { op: 'Replace', path: 'externalId', value: 'Eqpj' },
    { op: 'Replace', path: `${ENTERPRISE}:employeeNumber`, value: 'Eqpj' },
    { op: 'Add', path: `${ENTERPRISE}:manager`, value: '123456' },
    { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '55555555555' },
    { op: 'Add', path: 'addresses[type eq "other"].Formatted', value: 'Room 7' },
    { op: 'Add', path: 'emails[type eq "other"].Value', value: 'other@testuser.test' },
    { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:CustomExtensionName:2.0:User:tag', value: '701984' },
    { op: 'Replace', path: 'active', value: 'False' },
    { op: 'replace', path: 'active', value: true },
    { op: 'Replace', path: 'active', value: false },
    {
      op: 'replace',
      value: {
        displayName: 'Bjfe',
        'name.givenName': 'Kkom',
        'name.familyName': 'Unua',
        [`${ENTERPRISE}:employeeNumber`]: 'Aklq',
      },
    },
  ])('changes a user: %j', async (operation) => {
    expect((await ask('PATCH', user, { body: { Operations: [operation], schemas: PATCH } })).status).toBe(200);
  });

  test('and reads what it has sent', async () => {
    expect((await ask('GET', user)).body).toMatchObject({
      userName: '5b50642d-79fc-4410-9e90-4c077cdd1a59@testuser.test',
      emails: [{ value: 'updatedEmail@testuser.test' }],
      name: { givenName: 'Kkom', familyName: 'Unua' },
      displayName: 'Bjfe',
      externalId: 'Eqpj',
      active: false,
      [ENTERPRISE]: { employeeNumber: 'Aklq' },
    });
  });

  test('creates a group with a schema of its own, finds it, and changes its members', async () => {
    const urn = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group';
    const externalId = '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159';
    const meta = { resourceType: 'Group' };
    const created = await ask('POST', '/Groups', {
      body: { schemas: [GROUP, urn], externalId, displayName: 'displayName', meta },
    });
    expect(created).toMatchObject({ status: 201, body: { members: [], externalId } });
    group = `/Groups/${created.body.id}`;
    expect((await ask('GET', `${group}?excludedAttributes=members`)).body).not.toHaveProperty('members');
    const query = `excludedAttributes=members&filter=${encodeURIComponent('displayName eq "displayName"')}`;
    expect(idsOf(await ask('GET', `/Groups?${query}`))).toEqual([created.body.id]);
    for (const operation of [
      { op: 'Replace', path: 'displayName', value: '1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName' },
      { op: 'Add', path: 'members', value: [{ $ref: null, value: one }] },
      { op: 'Remove', path: 'members', value: [{ $ref: null, value: one }] },
      { op: 'Remove', path: 'members', value: [{ value: one }] },
      { op: 'remove', path: `members[value eq "${one}"]` },
    ]) {
      expect((await patch(group, operation)).status).toBe(204);
    }
    expect((await ask('DELETE', group)).status).toBe(204);
    expect((await ask('DELETE', user)).status).toBe(204);
  });
});

describe('what the suites of Okta send', () => {
  const headers = { accept: 'application/scim+json', 'accept-charset': 'utf-8', 'content-type': 'application/json' };
  const userName = 'runscope300abcd@okta.test';
  const body = {
    schemas: [USER],
    userName,
    name: { givenName: 'Runscope', familyName: 'Tester' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: 'Runscope Tester',
    active: true,
  };

  test('SPEC: lists, creates, and creates no second time', async () => {
    const list = await ask('GET', '/Users?count=1&startIndex=1', { headers });
    expect(list.body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      itemsPerPage: expect.any(Number),
      startIndex: 1,
      totalResults: expect.any(Number),
    });
    const [first] = list.body.Resources;
    expect((await ask('GET', `/Users/${first.id}`, { headers })).body).toMatchObject({
      id: first.id,
      userName: expect.any(String),
      name: { givenName: expect.any(String), familyName: expect.any(String) },
      emails: [{ value: expect.any(String) }],
      active: expect.any(Boolean),
    });
    expect((await find('Users', 'userName eq "abcdefgh@atko.com"')).body).toMatchObject({ totalResults: 0 });
    expect((await ask('GET', '/Users/010101001010101011001010101011', { headers })).body.detail).toEqual(
      expect.any(String),
    );
    const created = await ask('POST', '/Users', { headers, body });
    expect(created).toMatchObject({ status: 201, body: { ...body, id: expect.any(String) } });
    expect((await ask('POST', '/Users', { headers, body })).status).toBe(409);
    expect(idsOf(await find('Users', `userName eq "${userName.toUpperCase()}"`))).toEqual([created.body.id]);
    expect((await ask('GET', '/Groups', { headers })).body).toMatchObject({ totalResults: expect.any(Number) });
  });

  test('CRUD: what Okta does of itself is changed by PUT, deactivated by PATCH, and never deleted', async () => {
    const id = await makeUser('okta-crud');
    const user = (await ask('GET', `/Users/${id}`)).body;
    const renamed = { ...user, name: { givenName: 'Updated', familyName: 'Tester' } };
    expect((await ask('PUT', `/Users/${id}`, { headers, body: renamed })).body.name.givenName).toBe('Updated');
    for (const active of [false, true, false]) {
      await patch(`/Users/${id}`, { op: 'replace', value: { active } });
      expect((await ask('GET', `/Users/${id}`)).body.active).toBe(active);
    }
  });
});
