import { requireVersion, getScimStatus, getScimType } from '../../src/resources/directory/directory-error.ts';
import {
  pageThatFits,
  requireDisplayName,
  getGroupVersion,
} from '../../src/resources/directory/directory-group-rules.ts';
import {
  differs,
  findReleasedNames,
  returningUser,
  getUserVersion,
  toTargetUser,
} from '../../src/resources/directory/directory-user-rules.ts';
import { ApiError, invalidField, notFound } from '../../src/contract/errors.ts';

const ada = {
  id: '1',
  userName: 'Ada',
  externalId: 'x1',
  givenName: 'Ada',
  familyName: 'Lovelace',
  displayName: null,
  email: 'ada@tenant.test',
  active: false,
  preferredLanguage: 'en',
  employeeNumber: '7',
  ...{ department: null, jobTitle: null, country: null, location: null, timeZone: null, absentUntil: null },
  ...{ managerId: null, managerName: null },
  groups: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  removedAt: null,
  managed: true,
  stated: null,
};
const saidAddress = (value: string) => ({ email: { changes: [{ op: 'add' as const, addresses: [{ value }] }] } });
const NO_ADDRESS = { changes: [{ op: 'remove' as const }] };
const namesOf = (fields: object) => {
  const { givenName, familyName } = toTargetUser({ userName: 'mary.somerville@b.test', ...fields }, undefined);
  return `${givenName}|${familyName}`;
};

test.each([
  [{}, 'mary|somerville'],
  [{ givenName: 'A', familyName: 'B', formatted: 'C D' }, 'A|B'],
  [{ formatted: 'Mary Anne Somerville', displayName: 'M' }, 'Mary|Anne Somerville'],
  [{ displayName: 'Plato' }, 'Plato|'],
  [{ givenName: 'Suharto' }, 'Suharto|'],
  [{ givenName: 'Suharto', familyName: '', displayName: 'Pak Suharto' }, 'Suharto|'],
  [{ givenName: null, familyName: 'Suharto' }, 'Suharto|'],
  [{ givenName: '', familyName: 'Suharto', formatted: 'Suharto' }, 'Suharto|'],
  [{ familyName: '', displayName: 'Suharto' }, 'Suharto|'],
  [{ givenName: 'Maria', displayName: 'Mary Fairfax' }, 'Maria|Fairfax'],
  [{ familyName: 'Fairfax', displayName: 'Mary X' }, 'Mary|Fairfax'],
  [{ userName: 'somerville', ...saidAddress('a@b.test') }, 'somerville|'],
])('the names of %j are %s', (fields, names) => expect(namesOf(fields)).toBe(names));

test('the e-mail address is the given one, else a userName that is an address, else the user is rejected', () => {
  const emailOf = (fields: object, user?: typeof ada) => toTargetUser(fields, user).email;
  expect(emailOf({ userName: 'a@b.test', ...saidAddress('c@b.test') })).toBe('c@b.test');
  expect(emailOf({ userName: 'a@b.test' })).toBe('a@b.test');
  expect(emailOf({ userName: 'b@b.test' }, ada)).toBe(ada.email);
  expect(emailOf({ userName: 'b@b.test', email: NO_ADDRESS }, ada)).toBe('b@b.test');
  expect(() => emailOf({ userName: 'ada' })).toThrow('`emails` must have an e-mail address.');
  expect(() => emailOf({ email: NO_ADDRESS }, ada)).toThrow('`emails` must have an e-mail address.');
  expect(() => toTargetUser({}, undefined)).toThrow('`userName` is required.');
});

test('omitted fields keep their values, null clears them, and a new user is active', () => {
  expect(differs(toTargetUser({}, ada), ada)).toBe(false);
  expect(toTargetUser({ externalId: null, employeeNumber: '8' }, ada)).toMatchObject({
    externalId: null,
    employeeNumber: '8',
    active: false,
  });
  expect(toTargetUser({ userName: 'a@b.test' }, undefined).active).toBe(true);
  expect(differs(toTargetUser({ active: true }, ada), ada)).toBe(true);
});

test.each([
  ['de-CH, en;q=0.5', 'de-CH'],
  ['en_us', 'en-US'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['es-419', 'es-419'],
  ['de-CH-1996', null],
  ['not a language', null],
  ['', ''],
  [null, null],
])('the language %j is stored as %j', (preferredLanguage, kept) =>
  expect(toTargetUser({ preferredLanguage }, ada).preferredLanguage).toBe(kept),
);

test('a version changes only when a field that directories see changes', () => {
  const version = getUserVersion(ada);
  expect(version).toMatch(/^W\/"[\w-]{16}"$/);
  expect(getUserVersion({ ...ada, managed: false, removedAt: ada.createdAt })).toBe(version);
  expect(getUserVersion({ ...ada, groups: [{ id: '2', name: 'A' }] })).not.toBe(version);
  const group = {
    id: '1',
    displayName: 'A',
    externalId: null,
    createdAt: ada.createdAt,
    updatedAt: ada.updatedAt,
    memberState: '0',
  };
  for (const changed of [{ updatedAt: 'later' }, { memberState: '1' }]) {
    expect(getGroupVersion({ ...group, ...changed })).not.toBe(getGroupVersion(group));
  }
});

test('a change is rejected with 412 if no given version matches the current one', () => {
  expect(() => requireVersion('"b"', 'W/"a"')).toThrow(expect.objectContaining({ status: 412 }));
  for (const named of [undefined, 'W/"a"', '"a"', '*']) requireVersion(named, 'W/"a"');
});

test('returningUser matches deleted users by userName, then e-mail, then number, then externalId', () => {
  const removed = { ...ada, removedAt: ada.createdAt };
  const other = { ...removed, id: '2', userName: 'other', email: 'other@tenant.test' };
  const wanted = ({ email = 'new@tenant.test', ...changes }: { email?: string; [field: string]: string | undefined }) =>
    toTargetUser({ userName: 'new', ...saidAddress(email), ...changes }, undefined);
  expect(returningUser(wanted({ userName: 'OTHER', email: ada.email }), [removed, other])).toBe(other);
  expect(returningUser(wanted({ email: 'ADA@tenant.test' }), [other, removed])).toBe(removed);
  expect(returningUser(wanted({ email: ada.email }), [ada])).toBeUndefined();
  expect(returningUser(wanted({ employeeNumber: '7' }), [{ ...other, employeeNumber: '8' }, removed])).toBe(removed);
  expect(returningUser(wanted({ externalId: 'x1' }), [removed, { ...other, externalId: 'x2' }])).toBe(removed);
  expect(returningUser(wanted({ externalId: 'x1' }), [removed, other])).toBeUndefined();
});

test('the userName and employeeNumber of a deleted user can be reused; those of an existing user are rejected', () => {
  const wanted = (changes: object) =>
    toTargetUser({ userName: 'new', ...saidAddress('new@tenant.test'), ...changes }, undefined);
  const removed = { ...ada, removedAt: ada.createdAt };
  const asked = wanted({ userName: 'ADA', employeeNumber: '7' });
  expect(findReleasedNames(asked, [removed])).toEqual([{ user: removed, names: ['userName', 'employeeNumber'] }]);
  expect(findReleasedNames(wanted({ employeeNumber: '8' }), [ada, removed])).toEqual([]);
  expect(() => findReleasedNames(asked, [ada])).toThrow('User 1 already has this `userName`.');
  expect(() => findReleasedNames(wanted({ employeeNumber: '7' }), [ada])).toThrow(
    'User 1 already has this `employeeNumber`.',
  );
  expect(() => findReleasedNames(wanted(saidAddress('ADA@tenant.test')), [removed])).toThrow(
    'The deleted user 1 still has this `emails.value`',
  );
});

test('a page of groups has at most 10,000 members, or a single larger group', async () => {
  const sizes = new Map([
    ['a', 10_001],
    ['b', 4000],
    ['c', 6000],
    ['d', 1],
  ]);
  const groups = (ids: string) =>
    [...ids].map((id) => ({ id, displayName: id, externalId: null, createdAt: '', updatedAt: '', memberState: '' }));
  const fitting = async (ids: string) =>
    (
      await pageThatFits(groups(ids), async ({ groupIds }) =>
        groupIds.map((groupId) => ({ groupId, count: sizes.get(groupId)! })),
      )
    )
      .map(({ id }) => id)
      .join('');
  expect(await Promise.all(['abc', 'bcd', 'dbc', 'd', ''].map(fitting))).toEqual(['a', 'bc', 'db', 'd', '']);
  for (const name of [undefined, null, ''])
    expect(() => requireDisplayName(name)).toThrow('`displayName` is required.');
});

test.each<[ApiError, number, string | undefined]>([
  [new ApiError('email_taken', 'x'), 409, 'uniqueness'],
  [new ApiError('group_name_taken', 'x'), 409, 'uniqueness'],
  [invalidField('body', 'must be valid JSON'), 400, 'invalidSyntax'],
  [invalidField('email', 'x'), 400, 'invalidValue'],
  [notFound('user'), 404, undefined],
])('an error of the service becomes a SCIM status and type: %s', (error, status, scimType) => {
  expect([getScimStatus(error), getScimType(error)]).toEqual([status, scimType]);
});
