import { ask, expectScimError, newUser, patch } from './directory-support.ts';

let number = 0;
let path: string;
/** The stored address and the name to sign in with of the user of a test. They differ, and both are addresses. */
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
  ['removing nobody by an empty list', () => ({ op: 'remove', path: 'emails', value: [] })],
  ['removing what is not primary', () => ({ op: 'remove', path: 'emails[primary eq false]' })],
  ['removing what is not primary, as text', () => ({ op: 'remove', path: 'emails[primary eq "False"]' })],
  ['removing by ne', () => ({ op: 'remove', path: 'emails[type ne "work"]' })],
  ['removing by not', () => ({ op: 'remove', path: `emails[not (value eq "${mail}")]` })],
  ['removing by sw', () => ({ op: 'remove', path: 'emails[value sw "other"]' })],
  ['removing by ew', () => ({ op: 'remove', path: 'emails[value ew "@other.test"]' })],
  ['removing by co', () => ({ op: 'remove', path: 'emails[value co "other"]' })],
  ['removing by and', () => ({ op: 'remove', path: `emails[type eq "work" and value eq "${other}"]` })],
  ['removing by or', () => ({ op: 'remove', path: `emails[type eq "home" or value eq "${other}"]` })],
  ['removing by a group', () => ({ op: 'remove', path: 'emails[(type eq "home" or primary eq false) and value pr]' })],
  ['removing what has no value', () => ({ op: 'remove', path: 'emails[not (value pr)]' })],
  ['adding one that is not primary', () => ({ op: 'add', path: 'emails[primary eq false].value', value: other })],
  ['adding one of another value', () => ({ op: 'add', path: `emails[value eq "${other}"].value`, value: other })],
  [
    'replacing one of another value',
    () => ({ op: 'replace', path: `emails[value eq "${other}"].value`, value: 'x@y' }),
  ],
  ['adding one of another type', () => ({ op: 'add', path: 'emails[type eq "home"].value', value: other })],
  ['adding a second one of work', () => ({ op: 'add', path: 'emails', value: [{ value: other, type: 'work' }] })],
  ['adding a second one without a path', () => ({ op: 'add', value: { emails: [{ value: other }] } })],
  [
    'adding the own one again',
    () => ({ op: 'add', path: 'emails', value: [{ value: mail.toUpperCase(), type: 'home' }] }),
  ],
  ['naming a type', () => ({ op: 'replace', path: 'emails[type eq "work"].type', value: 'home' })],
])('%s leaves the address as it is', async (_, operation) => {
  expect(await patch(path, operation())).toMatchObject({ status: 200, body: { emails: stored(mail) } });
  expect(await addresses()).toEqual(stored(mail));
});

test.each<[string, () => object[]]>([
  [
    'a primary one is added and the old one removed',
    () => [
      { op: 'add', path: 'emails', value: [{ value: fresh(), type: 'work', primary: true }] },
      { op: 'remove', path: `emails[value eq "${mail}"]` },
    ],
  ],
  [
    'the old one is removed and another one added',
    () => [
      { op: 'remove', path: `EMAILS[VALUE EQ "${mail.toUpperCase()}"]` },
      { op: 'add', path: 'emails', value: [{ value: fresh() }] },
    ],
  ],
  [
    'a second one is added, and becomes primary',
    () => [
      { op: 'add', path: 'emails[type eq "home"].value', value: fresh() },
      { op: 'replace', path: 'emails[type eq "home"].primary', value: 'True' },
    ],
  ],
  [
    'a second one is added, and the first removed by a list',
    () => [
      { op: 'add', path: 'emails', value: { value: fresh(), type: 'work' } },
      { op: 'remove', path: 'emails', value: [{ value: mail }] },
    ],
  ],
  [
    'the primary one gets another value',
    () => [{ op: 'replace', path: 'emails[primary eq true].value', value: fresh() }],
  ],
  ['one is replaced as a whole', () => [{ op: 'replace', path: 'emails[type eq "work"]', value: { value: fresh() } }]],
  [
    'all that is not home is replaced',
    () => [{ op: 'replace', path: 'emails[not (type eq "home")].value', value: fresh() }],
  ],
  ['all of them are replaced', () => [{ op: 'replace', path: 'emails', value: [{ value: fresh(), type: 'home' }] }]],
  ['the value is named alone', () => [{ op: 'replace', path: 'emails.value', value: fresh() }]],
  [
    'a missing one is added in parts',
    () => [
      { op: 'remove', path: 'emails' },
      { op: 'add', path: 'emails[type eq "work"].primary', value: true },
      { op: 'add', path: 'emails[type eq "work"].value', value: fresh() },
    ],
  ],
])('the address is another one after %s', async (_, operations) => {
  expect((await patch(path, ...operations())).body.emails).toEqual(stored(fresh()));
});

test('a user without an address left has the name to sign in with, when that is one', async () => {
  expect((await patch(path, { op: 'remove', path: `emails[value eq "${mail}"]` })).body.emails).toEqual(stored(login));
});

test('filters of addresses that nobody keeps are read and change nothing', async () => {
  const done = await patch(
    path,
    { op: 'add', path: 'phoneNumbers[type eq "work" or (value sw "+49" and primary pr)].value', value: '1' },
    { op: 'remove', path: 'addresses[not (type eq "home")]' },
    { op: 'replace', path: 'roles[primary eq "True"].value', value: 'x' },
  );
  expect(done).toMatchObject({ status: 200, body: { emails: stored(mail) } });
});

test.each(['emails[value]', 'emails[(value eq "a"]', 'emails[value gt true]', 'emails[value is "a"].value'])(
  'the path %s is an invalid filter',
  async (wrong) =>
    expectScimError(await patch(path, { op: 'add', path: wrong, value: 'x@y.test' }), 400, 'invalidFilter'),
);
