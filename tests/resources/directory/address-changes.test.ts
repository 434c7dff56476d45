import { ask, expectScimError, newUser, patch } from './directory-support.ts';

let number = 0;
let path: string;
/** Stored address and userName of a test's user; they differ. */
let mail: string;
let login: string;
const other = 'other@tenant.test';
const fresh = () => `new${number}@tenant.test`;

beforeEach(async () => {
  number += 1;
  [mail, login] = [`mail${number}@tenant.test`, `login${number}@tenant.test`];
  const body = newUser(`login${number}`, { emails: [{ value: mail, type: 'work', primary: true }] });
  path = `/Users/${(await ask('POST', '/Users', { body })).body.id}`;
});

const addresses = async () => (await ask('GET', path)).body.emails;
const stored = (value: string) => [{ value, type: 'work', primary: true }];

test.each<[string, () => object]>([
  ['removing another address by value', () => ({ op: 'remove', path: `emails[value eq "${other}"]` })],
  ['removing another address by a list', () => ({ op: 'Remove', path: 'emails', value: [{ value: other }] })],
  ['removing no address by an empty list', () => ({ op: 'remove', path: 'emails', value: [] })],
  ['removing secondary addresses', () => ({ op: 'remove', path: 'emails[primary eq false]' })],
  ['removing secondary addresses, as text', () => ({ op: 'remove', path: 'emails[primary eq "False"]' })],
  ['removing by ne', () => ({ op: 'remove', path: 'emails[type ne "work"]' })],
  ['removing by not', () => ({ op: 'remove', path: `emails[not (value eq "${mail}")]` })],
  ['removing by sw', () => ({ op: 'remove', path: 'emails[value sw "other"]' })],
  ['removing by ew', () => ({ op: 'remove', path: 'emails[value ew "@other.test"]' })],
  ['removing by co', () => ({ op: 'remove', path: 'emails[value co "other"]' })],
  ['removing by and', () => ({ op: 'remove', path: `emails[type eq "work" and value eq "${other}"]` })],
  ['removing by or', () => ({ op: 'remove', path: `emails[type eq "home" or value eq "${other}"]` })],
  ['removing by groups', () => ({ op: 'remove', path: 'emails[(type eq "home" or primary eq false) and value pr]' })],
  ['removing addresses without a value', () => ({ op: 'remove', path: 'emails[not (value pr)]' })],
  ['adding a secondary address', () => ({ op: 'add', path: 'emails[primary eq false].value', value: other })],
  ['adding by another value', () => ({ op: 'add', path: `emails[value eq "${other}"].value`, value: other })],
  [
    'replacing an address by another value',
    () => ({ op: 'replace', path: `emails[value eq "${other}"].value`, value: 'x@y' }),
  ],
  ['adding an address of another type', () => ({ op: 'add', path: 'emails[type eq "home"].value', value: other })],
  ['adding a second work address', () => ({ op: 'add', path: 'emails', value: [{ value: other, type: 'work' }] })],
  ['adding a second address without a path', () => ({ op: 'add', value: { emails: [{ value: other }] } })],
  [
    'adding the same address again',
    () => ({ op: 'add', path: 'emails', value: [{ value: mail.toUpperCase(), type: 'home' }] }),
  ],
  ['changing the type', () => ({ op: 'replace', path: 'emails[type eq "work"].type', value: 'home' })],
])('%s leaves the address unchanged', async (_, operation) => {
  expect(await patch(path, operation())).toMatchObject({ status: 200, body: { emails: stored(mail) } });
  expect(await addresses()).toEqual(stored(mail));
});

test.each<[string, () => object[]]>([
  [
    'a primary address is added and the old address removed',
    () => [
      { op: 'add', path: 'emails', value: [{ value: fresh(), type: 'work', primary: true }] },
      { op: 'remove', path: `emails[value eq "${mail}"]` },
    ],
  ],
  [
    'the old address is removed and another address added',
    () => [
      { op: 'remove', path: `EMAILS[VALUE EQ "${mail.toUpperCase()}"]` },
      { op: 'add', path: 'emails', value: [{ value: fresh() }] },
    ],
  ],
  [
    'a second address is added and becomes primary',
    () => [
      { op: 'add', path: 'emails[type eq "home"].value', value: fresh() },
      { op: 'replace', path: 'emails[type eq "home"].primary', value: 'True' },
    ],
  ],
  [
    'a second address is added and the first removed by a list',
    () => [
      { op: 'add', path: 'emails', value: { value: fresh(), type: 'work' } },
      { op: 'remove', path: 'emails', value: [{ value: mail }] },
    ],
  ],
  [
    'the primary address gets another value',
    () => [{ op: 'replace', path: 'emails[primary eq true].value', value: fresh() }],
  ],
  ['one is replaced completely', () => [{ op: 'replace', path: 'emails[type eq "work"]', value: { value: fresh() } }]],
  [
    'all addresses except home addresses are replaced',
    () => [{ op: 'replace', path: 'emails[not (type eq "home")].value', value: fresh() }],
  ],
  ['all addresses are replaced', () => [{ op: 'replace', path: 'emails', value: [{ value: fresh(), type: 'home' }] }]],
  ['the path names only the value', () => [{ op: 'replace', path: 'emails.value', value: fresh() }]],
  [
    'a missing address is added in parts',
    () => [
      { op: 'remove', path: 'emails' },
      { op: 'add', path: 'emails[type eq "work"].primary', value: true },
      { op: 'add', path: 'emails[type eq "work"].value', value: fresh() },
    ],
  ],
])('the address changes if %s', async (_, operations) => {
  expect((await patch(path, ...operations())).body.emails).toEqual(stored(fresh()));
});

test('a user without addresses gets the userName as address if it is an address', async () => {
  expect((await patch(path, { op: 'remove', path: `emails[value eq "${mail}"]` })).body.emails).toEqual(stored(login));
});

test('filters on attributes that are not stored are accepted and change nothing', async () => {
  const done = await patch(
    path,
    { op: 'add', path: 'phoneNumbers[type eq "work" or (value sw "+49" and primary pr)].value', value: '1' },
    { op: 'remove', path: 'addresses[not (type eq "home")]' },
    { op: 'replace', path: 'roles[primary eq "True"].value', value: 'x' },
  );
  expect(done).toMatchObject({ status: 200, body: { emails: stored(mail) } });
});

test.each(['emails[value]', 'emails[(value eq "a"]', 'emails[value gt true]', 'emails[value is "a"].value'])(
  'the path %s returns 400 invalidFilter',
  async (wrong) =>
    expectScimError(await patch(path, { op: 'add', path: wrong, value: 'x@y.test' }), 400, 'invalidFilter'),
);
