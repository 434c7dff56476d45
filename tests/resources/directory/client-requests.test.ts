import { get } from '../../support/client.ts';
import { groupId } from '../../support/world.ts';
import {
  ask,
  directoryKey,
  ENTERPRISE,
  expectScimError,
  find,
  idsOf,
  makeUser,
  newUser,
  patch,
} from './directory-support.ts';

test.each(['/Users?filter=', '/Groups?filter=', '/Users?count=&startIndex=', '/Users?filter=%20&count='])(
  '%s returns the list as without the empty parameters',
  async (path) => {
    const { status, body } = await ask('GET', path);
    const all = await ask('GET', path.split('?')[0]!);
    expect({ status, body }).toEqual({ status: 200, body: all.body });
  },
);

test('a search with empty fields returns the list', async () => {
  const { body } = await ask('POST', '/Users/.search', { body: { filter: '', count: '', startIndex: null } });
  expect(body).toEqual((await ask('GET', '/Users')).body);
});

test('additional slashes in the path reach the same resources', async () => {
  const id = await makeUser('slashes');
  const of = async (path: string) => {
    const headers = { authorization: `Bearer ${await directoryKey()}` };
    return (await fetch(`${testService.url}${path}`, { headers })).json() as Promise<{ totalResults?: number }>;
  };
  const { body } = await ask('GET', `/Users/${id}`);
  for (const path of [`/scim/v2//Users/${id}`, `/scim/v2/Users//${id}`, `//scim//v2//Users/${id}/`])
    expect(await of(path)).toEqual(body);
  expect((await of(`/scim/v2//Users?count=1&filter=userName eq "a//b"`)).totalResults).toBe(0);
});

test.each([String.raw`CORP\jane`, String.raw`CORP\bob`, String.raw`CORP\tina`, String.raw`CORP\uwe`])(
  'finds the name %s with and without an escaped backslash',
  async (userName) => {
    const id = await makeUser(userName.slice(5), { userName });
    expect(idsOf(await find('Users', `userName eq "${userName}"`))).toEqual([id]);
    expect(idsOf(await find('Users', `userName eq ${JSON.stringify(userName)}`))).toEqual([id]);
    expect(idsOf(await find('Users', String.raw`userName eq "CORP\nobody"`))).toEqual([]);
  },
);

test('finds users by employeeNumber with and without its URN', async () => {
  const id = await makeUser('numbered', { [ENTERPRISE]: { employeeNumber: 'HR-10001' } });
  for (const filter of [
    `${ENTERPRISE}:employeeNumber eq "HR-10001"`,
    'employeeNumber eq "HR-10001"',
    'active eq true and EMPLOYEENUMBER eq " HR-10001 "',
  ])
    expect(idsOf(await find('Users', filter))).toEqual([id]);
  expect(idsOf(await find('Users', 'employeeNumber eq "HR-10001" and userName eq "nobody"'))).toEqual([]);
  expect(idsOf(await find('Users', 'employeeNumber eq "hr-10001"'))).toEqual([]);
});

test('finds an address with a plus sign, encoded or not', async () => {
  const id = await makeUser('a+b');
  for (const filter of [
    'userName%20eq%20%22a+b@tenant.test%22',
    'emails.value+eq+%22a+b@tenant.test%22',
    'userName+eq+%22a%2Bb%40tenant.test%22',
  ])
    expect(idsOf(await ask('GET', `/Users?filter=${filter}`))).toEqual([id]);
});

test('finds a group by a name with spaces encoded as in a form', async () => {
  const { body } = await ask('POST', '/Groups', { body: { displayName: 'Sales + Support' } });
  expect(idsOf(await ask('GET', '/Groups?filter=displayName+eq+%22Sales+%2B+Support%22'))).toEqual([body.id]);
  expect(idsOf(await ask('GET', '/Groups?filter=displayName%20eq%20%22Sales%20+%20Support%22'))).toEqual([body.id]);
});

test('a read-only attribute returns 400 mutability in a path and is ignored in a value', async () => {
  const path = `/Users/${await makeUser('readonly')}`;
  const value = [{ value: groupId('tenant', 1) }];
  for (const wrong of ['groups', `groups[value eq "${groupId('tenant', 1)}"]`, 'id', 'meta.lastModified'])
    expectScimError(await patch(path, { op: 'add', path: wrong, value }), 400, 'mutability');
  expect((await patch(path, { op: 'add', value: { groups: value, id: 'x' } })).body.groups).toEqual([]);
  expectScimError(
    await patch(`/Groups/${groupId('tenant', 1)}`, { op: 'replace', path: 'id', value: 'x' }),
    400,
    'mutability',
  );
});

test('accepts numbers as ids and rejects numbers that have lost digits', async () => {
  const numbers = { externalId: 991, [ENTERPRISE]: { employeeNumber: 70017 } };
  const { status, body } = await ask('POST', '/Users', { body: newUser('digits', numbers) });
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { externalId: '991', [ENTERPRISE]: { employeeNumber: '70017' } },
  });
  expect(idsOf(await find('Users', 'externalId eq 991'))).toEqual([body.id]);
  const text = JSON.stringify(newUser('digits2', { externalId: 1 })).replace(
    '"externalId":1',
    '"externalId":12345678901234567890',
  );
  expectScimError(await ask('POST', '/Users', { body: text }), 400, 'invalidValue');
});

test('ignores booleans with an empty value', async () => {
  const value = 'empty-primary@tenant.test';
  const body = newUser('empty-primary', { emails: [{ value, type: '', primary: '' }], active: '' });
  const made = await ask('POST', '/Users', { body });
  expect(made).toMatchObject({ status: 201, body: { active: true, emails: [{ value }] } });
  expect((await ask('PUT', `/Users/${made.body.id}`, { body })).status).toBe(200);
  expect((await patch(`/Users/${made.body.id}`, { op: 'replace', path: 'active', value: '' })).body.active).toBe(true);
});

test('filters change only the members that they match', async () => {
  const [one, two, three] = [await makeUser('member1'), await makeUser('member2'), await makeUser('member3')];
  const { id } = (
    await ask('POST', '/Groups', {
      body: { displayName: 'Filtered', members: [one, two, three].map((value) => ({ value })) },
    })
  ).body;
  const members = async () =>
    (await ask('GET', `/Groups/${id}`)).body.members.map(({ value }: { value: string }) => value) as string[];
  const done = (operation: object) => patch(`/Groups/${id}`, operation);
  await done({ op: 'remove', path: `members[value eq "${id}"]` });
  await done({ op: 'remove', path: 'members', value: [] });
  await done({ op: 'remove', path: `members[value eq "${one}" and type eq "Group"]` });
  expect(await members()).toEqual([one, two, three]);
  await done({ op: 'remove', path: `members[value eq "${one.toUpperCase()}" or value eq "${id}"]` });
  expect(await members()).toEqual([two, three]);
  await done({ op: 'replace', path: `members[value eq "${two}"]`, value: [{ value: one }] });
  expect(await members()).toEqual([one, three]);
  expectScimError(await done({ op: 'remove', path: `members[value ne "${one}"]` }), 400, 'invalidFilter');
  await done({ op: 'remove', path: 'members[type eq "User"]' });
  expect(await members()).toEqual([]);
});

test('removes surrounding white space from names, addresses and employeeNumber', async () => {
  const body = {
    ...newUser('spaced'),
    userName: ' spaced@tenant.test',
    externalId: ' x ',
    displayName: ' User 01 ',
    name: { givenName: ' User', familyName: ' 01 ' },
    emails: [{ value: ' spaced@tenant.test ', primary: true }],
    [ENTERPRISE]: { employeeNumber: ' 0815 ' },
  };
  const made = await ask('POST', '/Users', { body });
  expect(made).toMatchObject({
    status: 201,
    body: {
      userName: 'spaced@tenant.test',
      externalId: ' x ',
      displayName: 'User 01',
      name: { givenName: 'User', familyName: '01', formatted: 'User 01' },
      emails: [{ value: 'spaced@tenant.test' }],
      [ENTERPRISE]: { employeeNumber: '0815' },
    },
  });
  for (const filter of [
    'userName eq " spaced@tenant.test"',
    'emails.value eq "spaced@tenant.test "',
    'externalId eq " x "',
  ])
    expect(idsOf(await find('Users', filter))).toEqual([made.body.id]);
});

test('a user with one name has no last name', async () => {
  const name = { givenName: 'Suharto', familyName: '' };
  const { body } = await ask('POST', '/Users', { body: newUser('suharto', { name, displayName: 'Pak Suharto' }) });
  expect(body.name).toEqual({ formatted: 'Suharto', givenName: 'Suharto' });
  const learner = (await get(`/learners/${body.id}`)).body.data;
  expect(learner).toMatchObject({ firstName: 'Suharto', lastName: '', name: 'Suharto' });
  const again = await ask('PUT', `/Users/${body.id}`, {
    body: newUser('suharto', { name: { familyName: 'Suharto' } }),
  });
  expect(again.body.name).toEqual({ formatted: 'Suharto', givenName: 'Suharto' });
  const named = await patch(`/Users/${body.id}`, { op: 'add', path: 'name.familyName', value: 'Wijaya' });
  expect(named.body.name.formatted).toBe('Suharto Wijaya');
  const unnamed = await patch(`/Users/${body.id}`, { op: 'replace', path: 'name.familyName', value: '' });
  expect(unnamed.body.name).toEqual({ formatted: 'Suharto', givenName: 'Suharto' });
});

test.each([String.raw`userName eq "\u0000"`, `userName eq "\0"`])('the filter %j returns no 5xx', async (filter) => {
  const { status } = await ask('GET', `/Users?filter=${encodeURIComponent(filter)}`);
  expect([200, 400]).toContain(status);
});
