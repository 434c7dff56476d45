import { listFieldNames, listsIn, targetsAt } from '../../src/audit/audit-rules.ts';
import { newIds } from '../../src/db/ids.ts';

const ids = newIds(250);
const [first, second] = ids as [string, string];

test('ids are found by their places, through lists, each once', () => {
  const input = { groupId: first, body: { results: [{ learner: { id: second } }, { learner: { id: second } }, {}] } };
  expect(targetsAt(input, ['groupId', 'body/results/learner/id', 'body/learnerIds'])).toEqual([
    { field: 'groupId', count: 1, ids: [first] },
    { field: 'results/learner/id', count: 1, ids: [second] },
  ]);
});

test('of many ids there are the count and the first hundred', () => {
  expect(targetsAt({ body: { learnerIds: ids } }, ['body/learnerIds'])).toEqual([
    { field: 'learnerIds', count: 250, ids: ids.slice(0, 100) },
  ]);
});

test.each([undefined, null, 'text', 7, [], { id: 7 }, { id: 'ada@acme.test' }, { id: null }, { id: [[]] }])(
  'what is no id is not taken for one: %j',
  (value) => {
    expect(targetsAt(value, ['id'])).toEqual([]);
  },
);

test('of a body there are the names of its fields, and the lengths of lists of something else than ids', () => {
  const body = { events: [{ eventId: 'a' }, { eventId: 'b' }], learnerIds: ids, note: 'secret' };
  expect(listFieldNames(body)).toEqual(['events', 'learnerIds', 'note']);
  expect(listsIn(body)).toEqual([{ field: 'events', count: 2, ids: [] }]);
  expect([listFieldNames(undefined), listsIn(undefined), listsIn({ companies: [] })]).toEqual([[], [], []]);
});

test('fields of an object in a body are named behind it, and lists of objects are one field', () => {
  const body = { title: 'x', notifications: { sms: true, mail: { from: 'a', none: {} } }, results: [{ score: 1 }] };
  expect(listFieldNames(body)).toEqual([
    'title',
    'notifications.sms',
    'notifications.mail.from',
    'notifications.mail.none',
    'results',
  ]);
  const wide = Object.fromEntries(ids.map((one) => [one, 1]));
  expect(listFieldNames({ wide })).toHaveLength(100);
});

test('of a body that may have any field, those of the contract are named', () => {
  expect(listFieldNames({ email: 'a', secret: 'b', toString: 'c' }, ['email', 'time'])).toEqual(['email']);
});
