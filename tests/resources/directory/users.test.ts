import { get } from '../../support/client.ts';
import { learnerId, unknownId } from '../../support/world.ts';
import { ask, ENTERPRISE, expectScimError, find, idsOf, makeUser, newUser, USER } from './directory-support.ts';

test('creating a user creates a learner with managedBy directory', async () => {
  const extension = { [ENTERPRISE]: { employeeNumber: 'HR-77', department: 'Optics' } };
  const body = newUser('mary', { ...extension, preferredLanguage: 'de-ch,en;q=0.5', title: 'Dr', roles: [] });
  const answer = await ask('POST', '/Users', { body });
  expect(answer.status).toBe(201);
  const { id, meta, ...shown } = answer.body;
  expect(shown).toEqual({
    schemas: [USER, ENTERPRISE],
    externalId: 'dir-mary',
    userName: 'mary@tenant.test',
    name: { formatted: 'Mary Somerville', givenName: 'Mary', familyName: 'Somerville' },
    displayName: 'Mary Somerville',
    title: 'Dr',
    emails: [{ value: 'mary@tenant.test', type: 'work', primary: true }],
    active: true,
    preferredLanguage: 'de-CH',
    groups: [],
    [ENTERPRISE]: { employeeNumber: 'HR-77', department: 'Optics' },
  });
  expect(answer.headers.get('location')).toBe(`${testService.url}/scim/v2/Users/${id}`);
  expect(answer.headers.get('etag')).toBe(meta.version);
  expect((await get(`/learners/${id}`)).body.data).toMatchObject({
    email: 'mary@tenant.test',
    externalLearnerId: 'HR-77',
    locale: 'de-CH',
    inactive: false,
    managedBy: 'directory',
  });
  expect((await ask('GET', `/Users/${id}`)).body).toEqual(answer.body);
});

test('a userName can be any string, and missing names come from displayName or userName', async () => {
  const email = { emails: [{ value: 'x.y@tenant.test' }] };
  const { body } = await ask('POST', '/Users', {
    body: { USERNAME: 'TENANT\\x', displayName: 'Xenia Y. Zed', ...email },
  });
  expect(body).toMatchObject({ userName: 'TENANT\\x', name: { givenName: 'Xenia', familyName: 'Y. Zed' } });
  const nameless = await ask('POST', '/Users', { body: { userName: 'jo.van.dam@tenant.test' } });
  expect(nameless.body).toMatchObject({
    name: { givenName: 'jo', familyName: 'van dam' },
    emails: [{ value: 'jo.van.dam@tenant.test' }],
  });
});

test('creating an existing user returns 409', async () => {
  await makeUser('twice', { userName: 'Twice' });
  for (const others of [{ userName: 'tWICE' }, { emails: [{ value: 'TWICE@tenant.test' }] }]) {
    expectScimError(await ask('POST', '/Users', { body: newUser('other', others) }), 409, 'uniqueness');
  }
  expectScimError(await ask('POST', '/Users', { body: newUser('learner1') }), 409, 'uniqueness');
  const taken = { [ENTERPRISE]: { employeeNumber: 'HR-1' } };
  expectScimError(await ask('POST', '/Users', { body: newUser('other', taken) }), 409, 'uniqueness');
});

test.each([
  ['no userName', { userName: undefined }],
  ['an empty address list', { userName: 'plain', emails: [] }],
  ['an invalid address', { emails: [{ value: 'nobody' }] }],
  ['an address of a free provider', { emails: [{ value: 'mary@gmail.com' }] }],
  ['a link as a name', { name: { givenName: 'www.example.test', familyName: 'X' } }],
  ['an address that cannot be stored', { emails: [{ value: 'mary\u0000@tenant.test' }] }],
  ['a control character', { displayName: 'a\u0007b' }],
  ['a number as a name', { displayName: 7 }],
  ['a list as an object', { name: [1, 2] }],
  ['an invalid boolean', { active: 'perhaps' }],
  ['a name that is too long', { userName: 'x'.repeat(255) }],
])('%s returns 400 invalidValue', async (_, others) => {
  expectScimError(await ask('POST', '/Users', { body: newUser('refused', others) }), 400, 'invalidValue');
});

test('the domain lock and the learner limit return SCIM errors', async () => {
  await testService.query(`update companies set domain_lock = true where name like 'The tenant%'`);
  const foreign = newUser('foreign', { emails: [{ value: 'mary@elsewhere.test' }] });
  expectScimError(await ask('POST', '/Users', { body: foreign }), 400, 'invalidValue');
  await testService.query(`update companies set domain_lock = false, learner_limit = 1 where name like 'The tenant%'`);
  const full = await ask('POST', '/Users', { body: newUser('full') });
  expectScimError(full, 403);
  expect(full.body.detail).toMatch(/no seat/);
  await testService.query(`update companies set learner_limit = null where name like 'The tenant%'`);
});

test('finds users by the filters of directories, in any case', async () => {
  const id = await makeUser('found', { userName: 'Found.Me' });
  for (const filter of [
    'userName eq "FOUND.me"',
    `${USER}:userName Eq "found.me"`,
    'externalId eq "dir-found"',
    'externalId eq dir-found',
    'emails[type eq "work"].value eq "FOUND@tenant.test"',
    'emails.value eq "found@tenant.test" and active eq true',
    'emails[type eq "work" and value eq "found@tenant.test"]',
    `id eq "${id}" and userName eq "found.me" and active eq "True"`,
  ]) {
    expect({ filter, ids: idsOf(await find('Users', filter)) }).toEqual({ filter, ids: [id] });
  }
  for (const filter of [
    'userName eq "nobody"',
    'externalId eq "DIR-FOUND"',
    'emails[type eq "home"].value eq "found@tenant.test"',
    'userName eq "found.me" and active eq false',
    'id eq "7"',
    `id eq "${id}" and id eq "${unknownId}"`,
    'userName eq null',
  ]) {
    expect({ filter, ids: idsOf(await find('Users', filter)) }).toEqual({ filter, ids: [] });
  }
  expect(idsOf(await find('Users', 'userName eq "learner1@tenant.test"'))).toEqual([learnerId('tenant', 1)]);
  expect(idsOf(await find('Users', 'active eq false'))).toEqual([learnerId('tenant', 5)]);
});

test.each([
  ...['userName sw "a"', 'userName eq', 'eq "a"', 'title eq "Dr"', 'userName eq "a" or active eq true'],
  ...[
    'not (active eq true)',
    'userName eq "a" and',
    'active eq "perhaps"',
    'emails[type eq "work"',
    '"',
    'constructor eq "a"',
  ],
])('the filter %j returns 400 invalidFilter', async (filter) => {
  expectScimError(await find('Users', filter), 400, 'invalidFilter');
});

test('pages are consecutive parts of one ordered list', async () => {
  const { body: all } = await ask('GET', '/Users?count=200');
  const { totalResults } = all;
  expect(all).toMatchObject({ startIndex: 1, itemsPerPage: totalResults });
  const paged: unknown[] = [];
  for (let startIndex = 1; startIndex <= totalResults; startIndex += 2) {
    const { body } = await ask('GET', `/Users?startIndex=${startIndex}&count=2`);
    expect(body).toMatchObject({ totalResults, startIndex, itemsPerPage: body.Resources.length });
    paged.push(...body.Resources);
  }
  expect(paged).toEqual(all.Resources);
  expect((await ask('GET', '/Users?count=0')).body).toMatchObject({ totalResults, itemsPerPage: 0, Resources: [] });
  expect((await ask('GET', '/Users?count=-1&startIndex=0')).body).toMatchObject({ startIndex: 1, itemsPerPage: 0 });
  expectScimError(await ask('GET', '/Users?count=many'), 400, 'invalidValue');
});

test('attributes and excludedAttributes restrict the returned attributes', async () => {
  const path = `/Users/${learnerId('tenant', 1)}`;
  const { schemas, id, name, emails } = (await ask('GET', path)).body;
  expect((await ask('GET', `${path}?attributes=userName,name.givenName`)).body).toEqual({
    ...{ schemas, id, userName: 'learner1@tenant.test', name: { givenName: name.givenName } },
  });
  const { body } = await ask('GET', `${path}?excludedAttributes=${USER}:groups,meta,emails.type`);
  expect(Object.keys(body)).not.toContain('meta');
  expect(Object.keys(body)).not.toContain('groups');
  expect(body.emails).toEqual([{ value: emails[0].value, primary: true }]);
});

test('foreign, unknown and malformed user ids return 404', async () => {
  for (const id of [learnerId('other', 1), unknownId, '7', 'a%20b']) {
    for (const method of ['GET', 'DELETE']) expectScimError(await ask(method, `/Users/${id}`), 404);
  }
});

test('an unchanged user returns 304, and an outdated If-Match returns 412', async () => {
  const path = `/Users/${await makeUser('versions')}`;
  const first = (await ask('GET', path)).headers.get('etag')!;
  expect((await ask('GET', path, { headers: { 'if-none-match': `"x", ${first}` } })).status).toBe(304);
  const body = newUser('versions', { displayName: 'V' });
  const put = await ask('PUT', path, { body, headers: { 'if-match': first } });
  expect(put.status).toBe(200);
  expect(put.headers.get('etag')).not.toBe(first);
  expectScimError(await ask('PUT', path, { body, headers: { 'if-match': first } }), 412);
  expectScimError(await ask('DELETE', path, { headers: { 'if-match': first } }), 412);
  expect((await ask('GET', path, { headers: { 'if-none-match': first } })).status).toBe(200);
  expect((await ask('DELETE', path, { headers: { 'if-match': '*' } })).status).toBe(204);
});
