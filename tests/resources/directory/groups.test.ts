import { get } from '../../support/client.ts';
import { groupId, learnerId, unknownId } from '../../support/world.ts';
import { ask, expectScimError, find, GROUP, idsOf, patch } from './directory-support.ts';

const [one, two, three, four] = ([1, 2, 3, 4] as const).map((number) => learnerId('tenant', number)) as [
  string,
  string,
  string,
  string,
];
let number = 0;

/** Creates a group and returns its path. */
async function makeGroup(memberIds: string[] = [], others: object = {}): Promise<string> {
  const members = memberIds.map((value) => ({ value, $ref: null, display: 'x' }));
  const displayName = `Made ${(number += 1)}`;
  const { status, body } = await ask('POST', '/Groups', {
    body: { schemas: [GROUP], displayName, members, ...others },
  });
  expect(status).toBe(201);
  return `/Groups/${body.id}`;
}

const membersOf = async (path: string) => {
  const { body } = await ask('GET', path);
  return body.members.map(({ value }: { value: string }) => value) as string[];
};
const values = (...ids: string[]) => ids.map((value) => ({ value }));

test('creates a group with its members, which the API also returns', async () => {
  const urn = 'http://schemas.example.test/2006/11/ResourceManagement/ADSCIM/2.0/Group';
  const body = { schemas: [GROUP, urn], externalId: 'g-1', displayName: 'Optics', members: values(two, one) };
  const answer = await ask('POST', '/Groups', { body });
  expect(answer.status).toBe(201);
  const { id, meta, ...shown } = answer.body;
  const $ref = (learner: string) => `${testService.url}/scim/v2/Users/${learner}`;
  expect(shown).toEqual({
    schemas: [GROUP],
    externalId: 'g-1',
    displayName: 'Optics',
    members: [one, two].map((value) => ({ value, $ref: $ref(value), type: 'User' })),
  });
  expect(answer.headers.get('location')).toBe(meta.location);
  expect((await get(`/groups/${id}`)).body.data).toMatchObject({ name: 'Optics', learnerIds: [one, two] });
  expect((await ask('GET', `/Users/${one}`)).body.groups).toContainEqual({
    ...{ value: id, $ref: meta.location, display: 'Optics', type: 'direct' },
  });
});

test('adds, removes and replaces members by every path that directories send', async () => {
  const path = await makeGroup([one]);
  expect(
    (await patch(path, { op: 'Add', path: 'members', value: [{ $ref: null, value: two }, ...values(three)] })).status,
  ).toBe(204);
  expect(await membersOf(path)).toEqual([one, two, three]);
  await patch(path, { op: 'Remove', path: 'members', value: [{ $ref: null, value: one }] });
  await patch(path, { op: 'remove', path: `members[value eq "${three}"]` });
  expect(await membersOf(path)).toEqual([two]);
  await patch(
    path,
    { op: 'add', value: { members: values(one) } },
    { op: 'remove', path: 'members', value: values(two, one) },
  );
  expect(await membersOf(path)).toEqual([]);
  await patch(path, { op: 'replace', path: 'members', value: values(four, one, four) });
  expect(await membersOf(path)).toEqual([one, four]);
  await patch(
    path,
    { op: 'replace', path: 'members', value: values(two) },
    { op: 'add', path: `${GROUP}:members`, value: values(one) },
  );
  expect(await membersOf(path)).toEqual([one, two]);
  await patch(path, { op: 'remove', path: 'members' });
  expect(await membersOf(path)).toEqual([]);
});

test('adding members and removing non-members changes nothing, not even the version', async () => {
  const path = await makeGroup([one]);
  const { meta } = (await ask('GET', path)).body;
  const operations = [
    { op: 'add', path: 'members', value: values(one) },
    { op: 'remove', path: 'members', value: values(two, 'nobody') },
  ];
  expect((await patch(path, ...operations)).status).toBe(204);
  expect((await ask('GET', path)).body.meta).toEqual(meta);
});

test('a member who is not a user returns 400 and changes nothing', async () => {
  const path = await makeGroup([one]);
  for (const id of [unknownId, learnerId('other', 1), 'nobody']) {
    const rename = { op: 'replace', path: 'displayName', value: 'Never' };
    expectScimError(
      await patch(path, rename, { op: 'add', path: 'members', value: values(two, id) }),
      400,
      'invalidValue',
    );
  }
  expectScimError(await patch(path, { op: 'add', path: 'members', value: [{ display: 'x' }] }), 400, 'invalidValue');
  const long = await patch(path, { op: 'add', path: 'members', value: [{ value: 'x'.repeat(201) }] });
  expectScimError(long, 400, 'invalidValue');
  expect(long.text).not.toContain('xxx');
  expect(await membersOf(path)).toEqual([one]);
});

test('renames a group as Okta and Entra do and rejects existing names with 409', async () => {
  const path = await makeGroup();
  const { id } = (await ask('GET', path)).body;
  await patch(path, { op: 'replace', value: { id, displayName: 'Renamed by Okta' } });
  await patch(path, { op: 'Replace', path: 'externalId', value: 'g-9' });
  expect((await ask('GET', path)).body).toMatchObject({ displayName: 'Renamed by Okta', externalId: 'g-9' });
  expectScimError(await patch(path, { op: 'replace', path: 'displayName', value: 'gROUP 1' }), 409, 'uniqueness');
  expectScimError(await ask('POST', '/Groups', { body: { displayName: 'Group 1' } }), 409, 'uniqueness');
  for (const operation of [
    { op: 'remove', path: 'displayName' },
    { op: 'add', path: 'displayName', value: '\u0007' },
  ])
    expectScimError(await patch(path, operation), 400, 'invalidValue');
  expectScimError(await patch(path, { op: 'add', path: 'colour', value: 'red' }), 400, 'invalidPath');
});

test('a PUT replaces name and members, and an outdated If-Match returns 412', async () => {
  const path = await makeGroup([one, two], { externalId: 'g-2' });
  const version = (await ask('GET', path)).headers.get('etag')!;
  const body = { displayName: `Put ${number}`, members: values(two, three) };
  const answer = await ask('PUT', path, { body, headers: { 'if-match': version } });
  expect(answer.body).toMatchObject({ displayName: `Put ${number}`, members: values(two, three) });
  expect(answer.body).not.toHaveProperty('externalId');
  expectScimError(await ask('PUT', path, { body, headers: { 'if-match': version } }), 412);
  expect((await ask('GET', path, { headers: { 'if-none-match': answer.headers.get('etag')! } })).status).toBe(304);
});

test('finds groups by name, id, externalId and member, with or without their members', async () => {
  const id = (await makeGroup([four], { displayName: 'Found Group', externalId: 'g-3' })).split('/').pop()!;
  for (const filter of [
    'displayName eq "found GROUP"',
    'externalId eq "g-3"',
    `id eq "${id}" and members eq "${four}"`,
    `displayName eq "Found Group" and members.value eq "${four}"`,
  ]) {
    expect({ filter, ids: idsOf(await find('Groups', filter)) }).toEqual({ filter, ids: [id] });
  }
  for (const filter of [
    'displayName eq "nothing"',
    `id eq "${id}" and members eq "${one}"`,
    'id eq "x"',
    'members eq "x"',
  ])
    expect({ filter, ids: idsOf(await find('Groups', filter)) }).toEqual({ filter, ids: [] });
  const path = `/Groups?filter=${encodeURIComponent('displayName eq "Found Group"')}`;
  expect((await ask('GET', path)).body.Resources).toMatchObject([{ members: values(four) }]);
  expect((await ask('GET', `${path}&excludedAttributes=members`)).body.Resources[0]).not.toHaveProperty('members');
  expect((await ask('GET', `/Groups/${id}?excludedAttributes=members`)).body).not.toHaveProperty('members');
  for (const filter of ['displayName sw "F"', 'constructor eq "F"'])
    expectScimError(await find('Groups', filter), 400, 'invalidFilter');
  const { body } = await ask('GET', '/Groups?startIndex=2&count=1');
  expect(body).toMatchObject({ startIndex: 2, itemsPerPage: 1 });
});

test('deleted and foreign groups return 404, and the learners of a deleted group are kept', async () => {
  const path = await makeGroup([one]);
  expect((await ask('DELETE', path)).status).toBe(204);
  for (const gone of [path, `/Groups/${groupId('other', 1)}`, '/Groups/x']) {
    expectScimError(await ask('GET', gone), 404);
    expectScimError(await patch(gone, { op: 'add', path: 'members', value: values(two) }), 404);
  }
  expect((await ask('GET', `/Users/${one}`)).status).toBe(200);
});
