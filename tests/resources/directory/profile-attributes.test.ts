import { get, patch as change } from '../../support/client.ts';
import { ask, ENTERPRISE, expectScimError, makeUser, newUser, patch } from './directory-support.ts';

const stored = {
  department: 'Optics',
  jobTitle: 'Analyst',
  country: 'DE',
  location: 'Hamburg',
  timeZone: 'Europe/Berlin',
};
const none = { department: null, jobTitle: null, country: null, location: null, timeZone: null };
const attributes = {
  title: 'Analyst',
  timezone: 'europe/berlin',
  addresses: [
    { type: 'home', country: 'FR', locality: 'Lyon' },
    { type: 'work', country: 'de', locality: ' Hamburg ', streetAddress: 'Kai 1', formatted: 'Kai 1, Hamburg' },
  ],
  [ENTERPRISE]: { department: 'Optics', costCenter: '7' },
};
const shown = {
  title: 'Analyst',
  timezone: 'Europe/Berlin',
  addresses: [{ country: 'DE', locality: 'Hamburg', type: 'work', primary: true }],
  [ENTERPRISE]: { department: 'Optics' },
};

let number = 0;
let id: string;
let path: string;
beforeEach(async () => {
  id = await makeUser(`profile${(number += 1)}`, attributes);
  path = `/Users/${id}`;
});

async function profileOf(learnerId = id): Promise<object> {
  const { department, jobTitle, country, location, timeZone } = (await get(`/learners/${learnerId}`)).body.data;
  return { department, jobTitle, country, location, timeZone };
}

test('a created user has the attributes in SCIM and the fields in the API', async () => {
  expect((await ask('GET', path)).body).toMatchObject(shown);
  expect(await profileOf()).toEqual(stored);
});

test('a PUT without the attributes clears them, and responses omit them', async () => {
  const { status, body } = await ask('PUT', path, { body: newUser(`profile${number}`) });
  expect(status).toBe(200);
  for (const name of ['title', 'timezone', 'addresses', ENTERPRISE]) expect(body).not.toHaveProperty([name]);
  expect(await profileOf()).toEqual(none);
});

test.each<[object[], object]>([
  [[{ op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Sales' }], { department: 'Sales' }],
  [[{ op: 'Add', path: 'department', value: 'Sales' }], { department: 'Sales' }],
  [[{ op: 'Add', path: 'department', value: 4711 }], { department: '4711' }],
  [[{ op: 'replace', value: { [`${ENTERPRISE}:department`]: 'Sales' } }], { department: 'Sales' }],
  [[{ op: 'replace', value: { [ENTERPRISE]: { department: 'Sales' } } }], { department: 'Sales' }],
  [[{ op: 'replace', path: ENTERPRISE, value: { department: 'Sales' } }], { department: 'Sales' }],
  [[{ op: 'Remove', path: `${ENTERPRISE}:department` }], { department: null }],
  [[{ op: 'remove', path: ENTERPRISE }], { department: null }],
  [[{ op: 'Replace', path: 'title', value: 'Lead' }], { jobTitle: 'Lead' }],
  [[{ op: 'Replace', path: 'title', value: [{ $ref: null, value: 'Lead' }] }], { jobTitle: 'Lead' }],
  [[{ op: 'replace', value: { Title: ' Lead ' } }], { jobTitle: 'Lead' }],
  [[{ op: 'replace', path: 'title', value: '' }], { jobTitle: null }],
  [[{ op: 'Remove', path: 'title' }], { jobTitle: null }],
  [[{ op: 'replace', path: 'timezone', value: 'asia/calcutta' }], { timeZone: 'Asia/Calcutta' }],
  [[{ op: 'replace', path: 'timezone', value: 'W. Europe Standard Time' }], { timeZone: null }],
  [[{ op: 'replace', path: 'timezone', value: 60 }], { timeZone: null }],
  [[{ op: 'Add', path: 'addresses[type eq "work"].country', value: 'France' }], { country: 'FR' }],
  [[{ op: 'Add', path: 'addresses[type eq "work"].Locality', value: 'Lyon' }], { location: 'Lyon' }],
  [[{ op: 'Add', path: 'addresses[primary eq "True"].country', value: 'fr' }], { country: 'FR' }],
  [[{ op: 'Add', path: 'addresses.country', value: 'fra' }], { country: 'FR' }],
  [[{ op: 'replace', value: { 'addresses[type eq "work"].country': 'FR' } }], { country: 'FR' }],
  [[{ op: 'Add', path: 'addresses[type eq "work"].country', value: 'Atlantis' }], { country: null }],
  [[{ op: 'Add', path: 'addresses[type eq "work"].country', value: 7 }], { country: null }],
  [[{ op: 'Add', path: 'addresses[type eq "home"].country', value: 'FR' }], {}],
  [[{ op: 'Add', path: 'addresses[type eq "other"].formatted', value: 'Room 7' }], {}],
  [[{ op: 'remove', path: 'addresses[type eq "home"]' }], {}],
  [[{ op: 'remove', path: 'addresses[type eq "work"].country' }], { country: null }],
  [[{ op: 'remove', path: 'addresses[type eq "work"]' }], { country: null, location: null }],
  [[{ op: 'remove', path: 'addresses' }], { country: null, location: null }],
  [[{ op: 'replace', path: 'addresses[type eq "work"]', value: { country: 'FR' } }], { country: 'FR' }],
  [[{ op: 'add', path: 'addresses', value: [{ type: 'work', country: 'FR' }] }], { country: 'FR' }],
  [[{ op: 'replace', path: 'addresses', value: [{ type: 'work', country: 'FR' }] }], { country: 'FR', location: null }],
  [
    [
      {
        op: 'replace',
        path: 'addresses',
        value: [
          { type: 'work', country: 'FR' },
          { primary: true, country: 'GB' },
        ],
      },
    ],
    { country: 'GB', location: null },
  ],
  [[{ op: 'replace', path: 'addresses', value: 'Kai 1' }], { country: null, location: null }],
])('%j changes the learner by %j', async (operations, difference) => {
  expect((await patch(path, ...operations)).status).toBe(200);
  expect(await profileOf()).toEqual({ ...stored, ...difference });
});

test('a list with only an address of type home neither sets nor clears by add', async () => {
  await patch(path, { op: 'add', path: 'addresses', value: [{ type: 'home', country: 'FR', locality: 'Lyon' }] });
  expect(await profileOf()).toEqual(stored);
});

test.each([
  ['title', { op: 'replace', path: 'title', value: 'x'.repeat(201) }],
  ['title', { op: 'replace', path: 'title', value: 'Lead\u202e' }],
  ['department', { op: 'replace', path: `${ENTERPRISE}:department`, value: '\0' }],
  ['addresses.locality', { op: 'replace', path: 'addresses[type eq "work"].locality', value: 'a\tb\u0001' }],
])('an invalid string returns 400 naming %s and changes nothing', async (name, operation) => {
  const answer = await patch(path, operation);
  expectScimError(answer, 400, 'invalidValue');
  expect(answer.body.detail).toContain(`\`${name}\``);
  expect(await profileOf()).toEqual(stored);
});

test('an unknown country or time zone does not reject a new user', async () => {
  const body = newUser('nowhere', { timezone: '+01:00', addresses: [{ type: 'work', country: 'Gondor' }] });
  const { status, body: user } = await ask('POST', '/Users', { body });
  expect(status).toBe(201);
  expect(await profileOf(user.id)).toEqual(none);
});

const AWARENESS = 'urn:ietf:params:scim:schemas:extension:awareness:2.0:User';

test('the last day of a leave is an attribute of our extension, which a PUT without it keeps', async () => {
  const absentUntil = async () => (await get(`/learners/${id}`)).body.data.absentUntil;
  const change = async (value: unknown) => {
    await patch(path, { op: 'replace', path: `${AWARENESS}:absentUntil`, value });
    return absentUntil();
  };
  expect(await change('2026-08-21')).toBe('2026-08-21');
  const { body } = await ask('GET', path);
  expect(body[AWARENESS]).toEqual({ absentUntil: '2026-08-21' });
  expect(body.schemas).toContain(AWARENESS);
  await ask('PUT', path, { body: newUser(`profile${number}`) });
  expect(await absentUntil()).toBe('2026-08-21');
  await ask('PUT', path, { body: newUser(`profile${number}`, { [AWARENESS]: { absentUntil: null } }) });
  expect((await ask('GET', path)).body).not.toHaveProperty([AWARENESS]);
  expect(await change('2026-09-01T00:00:00Z')).toBe('2026-09-01');
  expect(await change('next week')).toBeNull();
  await patch(path, { op: 'add', value: { [AWARENESS]: { absentUntil: '2026-08-22' } } });
  expect(await absentUntil()).toBe('2026-08-22');
  await patch(path, { op: 'remove', path: AWARENESS });
  expect(await absentUntil()).toBeNull();
  const made = newUser('away', { [AWARENESS]: { absentUntil: '2026-08-23' } });
  expect((await ask('POST', '/Users', { body: made })).body[AWARENESS]).toEqual({ absentUntil: '2026-08-23' });
});

test('the version changes with a field that the API changes', async () => {
  const before = (await ask('GET', path)).body.meta.version;
  const names = { firstName: 'Mary', lastName: 'Somerville' };
  expect((await change(`/learners/${id}`, { ...names, department: 'Sales' })).status).toBe(200);
  const { body } = await ask('GET', path);
  expect(body[ENTERPRISE]).toEqual({ department: 'Sales' });
  expect(body.meta.version).not.toBe(before);
});

test('the schemas describe the attributes', async () => {
  const { body } = await ask('GET', '/Schemas');
  const names = body.Resources.flatMap((schema: { attributes: { name: string }[] }) =>
    schema.attributes.map(({ name }) => name),
  );
  expect(names).toEqual(expect.arrayContaining(['title', 'addresses', 'timezone', 'department', 'absentUntil']));
});
