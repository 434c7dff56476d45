import { listFieldNames, listsIn, targetsAt } from '../../src/audit/audit-rules.ts';
import { newIds } from '../../src/db/ids.ts';

const ids = newIds(250);
const [first, second] = ids as [string, string];

test('targetsAt finds ids by path, through lists, each once', () => {
  const input = { groupId: first, body: { results: [{ learner: { id: second } }, { learner: { id: second } }, {}] } };
  expect(targetsAt(input, ['groupId', 'body/results/learner/id', 'body/learnerIds'])).toEqual([
    { field: 'groupId', count: 1, ids: [first] },
    { field: 'results/learner/id', count: 1, ids: [second] },
  ]);
});

test('a target with many ids has the count and the first hundred ids', () => {
  expect(targetsAt({ body: { learnerIds: ids } }, ['body/learnerIds'])).toEqual([
    { field: 'learnerIds', count: 250, ids: ids.slice(0, 100) },
  ]);
});

test.each([undefined, null, 'text', 7, [], { id: 7 }, { id: 'ada@acme.test' }, { id: null }, { id: [[]] }])(
  'targetsAt ignores a value that is not an id: %j',
  (value) => {
    expect(targetsAt(value, ['id'])).toEqual([]);
  },
);

test('a request body is recorded as its field names, and the lengths of lists without ids', () => {
  const body = { events: [{ eventId: 'a' }, { eventId: 'b' }], learnerIds: ids, note: 'secret' };
  expect(listFieldNames(body)).toEqual(['events', 'learnerIds', 'note']);
  expect(listsIn(body)).toEqual([{ field: 'events', count: 2, ids: [] }]);
  expect([listFieldNames(undefined), listsIn(undefined), listsIn({ companies: [] })]).toEqual([[], [], []]);
});

test('nested fields are named by their path, and a list of objects is one field', () => {
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

test('a body that allows other fields is recorded only as the field names that the contract declares', () => {
  expect(listFieldNames({ email: 'a', secret: 'b', toString: 'c' }, ['email', 'time'])).toEqual(['email']);
});
