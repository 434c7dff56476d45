import { toGroupFilter, readFilter, toUserFilter } from '../../src/scim/filter.ts';
import { readListQuery } from '../../src/scim/list-query.ts';
import { readPage } from '../../src/scim/page.ts';
import { readProjection } from '../../src/scim/resource.ts';
import { toUserKeys } from '../../src/resources/directory/user-filter.ts';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const users = (filter: string) => toUserFilter(readFilter(filter));
const groups = (filter: string) => toGroupFilter(readFilter(filter));

test.each([
  ['userName eq "a@b.test"', { userName: 'a@b.test' }],
  [`  USERNAME   EQ   "A B"  `, { userName: 'A B' }],
  [`${USER}:userName eq "x"`, { userName: 'x' }],
  ['externalId eq jyoung', { externalId: 'jyoung' }],
  [String.raw`externalId eq "a \"quoted\" \u00e9 ] and ("`, { externalId: 'a "quoted" é ] and (' }],
  ['emails eq "a@b.test"', { email: 'a@b.test' }],
  ['emails[type eq "work"].value eq "a@b.test"', { email: 'a@b.test' }],
  ['emails[type eq "work" and value eq "a@b.test"]', { email: 'a@b.test' }],
  ['emails[type eq "WORK" and primary eq "True"].value eq "a@b.test"', { email: 'a@b.test' }],
  ['(userName eq "a") and (active eq true)', { userName: 'a', active: true }],
  ['employeeNumber eq 70017', { employeeNumber: '70017' }],
  [`${ENTERPRISE}:employeeNumber eq "HR-1"`, { employeeNumber: 'HR-1' }],
  [String.raw`userName eq "CORP\jane"`, { userName: String.raw`CORP\jane` }],
  [String.raw`userName eq "CORP\\tom"`, { userName: String.raw`CORP\tom` }],
  [String.raw`userName eq "CORP\bob\nina\u00e9\uwe"`, { userName: String.raw`CORP\bob\ninaé\uwe` }],
  ['emails [ primary eq true ] and emails.value eq "a@b.test"', { email: 'a@b.test' }],
  ['active eq "False"', { active: false }],
  ['active eq TRUE and userName eq "x"', { active: true, userName: 'x' }],
  ['id eq "1" AND id eq "1"', { id: '1' }],
  ['id eq "1" and manager eq "2"', { id: '1', managerId: '2' }],
  [`${ENTERPRISE}:manager.value eq "2"`, { managerId: '2' }],
])('%s filters users', (filter, asked) => expect(users(filter)).toEqual(asked));

test.each([
  'userName eq "a" and userName eq "b"',
  'emails[type eq "home"].value eq "a@b.test"',
  'externalId eq null',
  String.raw`userName eq "\u0000"`,
  String.raw`userName eq "\ud800"`,
])('%s is valid but matches no user', (filter) => expect(users(filter)).toBeUndefined());

test.each([
  ['', 'is malformed'],
  ['userName', 'is malformed'],
  ['(userName eq "a"', 'is malformed'],
  ['userName eq "a")', 'is malformed'],
  [`${'('.repeat(30)}userName eq "a"${')'.repeat(30)}`, 'must not nest more than'],
  ['userName pr', 'can use only `eq`'],
  ['userName sw "a"', 'can use only `eq`'],
  ['not userName eq "a"', 'is malformed'],
  ['userName eq', 'has a missing value'],
  ['userName eq "a', 'has a missing value'],
  ['userName xx "a"', 'is malformed'],
  ['userName gt 5 and active gt true', 'only with strings'],
  ['userName eq "a" or userName eq "b"', 'only with `and`'],
  ['userName eq "a" and', 'is malformed'],
  ['emails[type eq "work"', 'is malformed'],
  ['emails[type co "work"].value eq "a"', 'can use only `eq`'],
  ['emails[].value eq "a"', 'is malformed'],
  ['emails[type eq "work"].value eq', 'has a missing value'],
  ['title eq "a"', 'cannot use title'],
  ['manager eq "1" and title eq "a"', 'cannot use title'],
  ['active eq "perhaps"', 'must compare active with true or false'],
])('%s is an invalid filter: %s', (filter, why) => {
  expect(() => users(filter)).toThrow(expect.objectContaining({ scimType: 'invalidFilter', status: 400 }));
  expect(() => users(filter)).toThrow(why);
});

test('groups can be filtered by displayName, id, externalId and member, not by user attributes', () => {
  expect(groups('displayName eq "A" and members[value eq "1"]')).toEqual({ displayName: 'A', memberId: '1' });
  expect(groups('id eq "1" and members eq "2" and externalId eq "3"')).toEqual({
    id: '1',
    memberId: '2',
    externalId: '3',
  });
  expect(() => groups('userName eq "a"')).toThrow('cannot use username');
});

test('filters of the maximum length are read quickly', () => {
  const long = 'a'.repeat(2000);
  for (const filter of [
    long,
    `${long} eq`,
    `userName eq "${long}`,
    `emails[${long}`,
    ' '.repeat(2000),
    '['.repeat(2000),
  ])
    expect(() => readFilter(filter)).toThrow();
  const many = Array.from({ length: 100 }, () => 'id eq "1"').join(' and ');
  expect(readFilter(many)).toHaveLength(100);
});

test('users are looked up by the best key of the filter, or by no key if it has only `active`', () => {
  const id = '0198c0de-0000-7000-8000-000000000001';
  expect(toUserKeys({ id, userName: 'A' })).toMatchObject({ ids: [id], userNames: [] });
  expect(toUserKeys({ id: 'no id' })).toMatchObject({ ids: [] });
  expect(toUserKeys({ userName: 'A', email: 'B' })).toMatchObject({ userNames: ['a'], emails: [] });
  expect(toUserKeys({ externalId: 'E', email: 'B' })).toMatchObject({ externalIds: ['E'], emails: [] });
  expect(toUserKeys({ email: 'B' })).toMatchObject({ emails: ['b'] });
  expect(toUserKeys({ active: true })).toBeUndefined();
});

test('a page starts at 1 and has at most 200 resources, and non-integers are rejected', () => {
  const page = (query: object) => readPage({ ...query }, readFilter);
  expect(page({})).toEqual({ startIndex: 1, limit: 100, conditions: [] });
  expect(page({ startIndex: '-3', count: '1000' })).toMatchObject({ startIndex: 1, limit: 200 });
  expect(page({ startIndex: '7', count: '-1' })).toMatchObject({ startIndex: 7, limit: 0 });
  expect(page({ filter: ' ', startIndex: '', count: '' })).toEqual(page({}));
  for (const wrong of ['x', '1.5', '9999999999', ['1', '2']])
    expect(() => page({ count: wrong })).toThrow('`count` must be an integer.');
  for (const wrong of [['a', 'b'], 'a'.repeat(2001)]) expect(() => page({ filter: wrong })).toThrow('`filter` must be');
});

test('attributes are selected by name, with or without a URN', () => {
  const asked = { attributes: ` userName, ${ENTERPRISE}:employeeNumber,,urn:other:x`, excludedAttributes: 'MEMBERS' };
  expect(readProjection(asked)).toEqual({ only: ['username', 'enterprise.employeenumber'], without: ['members'] });
  expect(readProjection({})).toEqual({ only: undefined, without: [] });
});

test.each(['attributes', 'excludedAttributes'])(
  '%s sent twice, or longer than 2000 characters, is rejected',
  (name) => {
    for (const given of [['a', 'b'], 'a'.repeat(2001)])
      expect(() => readProjection({ [name]: given })).toThrow(
        `\`${name}\` must be one string of at most 2000 characters.`,
      );
    expect(() => readProjection({ [name]: 'a'.repeat(2000) })).not.toThrow();
  },
);

test.each([
  ['userName%20eq%20%22a+b@tenant.test%22', 'userName eq "a+b@tenant.test"'],
  ['userName eq "a+b@tenant.test"', 'userName eq "a+b@tenant.test"'],
  ['userName+eq+%22a%2Bb%40tenant.test%22', 'userName eq "a+b@tenant.test"'],
  ['userName+eq+"a+b@tenant.test"', 'userName eq "a+b@tenant.test"'],
  ['displayName+eq+%22A+%2B+B%22', 'displayName eq "A + B"'],
  ['displayName%20eq%20%22A+B%22', 'displayName eq "A+B"'],
  [String.raw`displayName%20eq%20%22A\%22+%22`, String.raw`displayName eq "A\"+"`],
])('the query value %s is read as %s', (sent, filter) => {
  const originalUrl = `/scim/v2/Users?count=1&filter=${sent}&startIndex=1`;
  const query = Object.fromEntries(new URL(originalUrl, 'http://x').searchParams);
  expect(readListQuery({ originalUrl, query } as never)).toEqual({ ...query, filter });
});
