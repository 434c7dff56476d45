/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { type Answer, call, expectError, get, post } from '../../support/client.ts';
import { companies, id, type KeyName, unknownId } from '../../support/world.ts';

interface Entry {
  id: string;
  occurredAt: string;
  operation: string;
  outcome: string;
  [field: string]: unknown;
}
const entriesOf = ({ body }: Answer) => body.data.entries as Entry[];
const csvOf = (path: string, key: KeyName = 'tenant') => call(key, 'GET', path, { headers: { accept: 'text/csv' } });

/** Makes five calls, the fourth of which is rejected. */
beforeAll(async () => {
  for (const name of ['One', 'Two', 'Three']) await post('/groups', { name });
  expectError(await get(`/learners?companyId=${companies.other}`), 403, 'forbidden');
  await post('/groups', { name: 'Five' });
});

test('lists the entries of the company, newest first', async () => {
  const { body } = await get('/audit-log');
  expect(body.data.nextCursor).toBeNull();
  expect(body.data.entries.map(({ operation, outcome }: Entry) => [operation, outcome])).toEqual([
    ['createGroup', 'done'],
    ['listLearners', 'denied'],
    ['createGroup', 'done'],
    ['createGroup', 'done'],
    ['createGroup', 'done'],
  ]);
  expect(body.data.entries[1]).toMatchObject({ code: 'forbidden', actorType: 'key', actorId: id('e', 1) });
});

test('returns pages with each entry once, even if entries are added in between', async () => {
  const all = entriesOf(await get('/audit-log')).map((entry) => entry.id);
  const seen: string[] = [];
  let cursor = '';
  for (let pages = 0; pages < 3; pages++) {
    const { body } = await get(`/audit-log?limit=2${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.data.entries.map((entry: Entry) => entry.id));
    cursor = body.data.nextCursor;
    await post('/groups', { name: `Between ${pages}` });
  }
  expect(seen).toEqual(all);
  expect(cursor).toBeNull();
});

test('filters by time, operation, actor and outcome', async () => {
  const [, denied, third] = entriesOf(await get('/audit-log?until=2999-01-01T00:00:00Z&limit=1000')).slice(-5);
  const found = async (query: string) => entriesOf(await get(`/audit-log?${query}`));
  expect(await found('outcome=denied')).toEqual([denied]);
  expect(await found('operation=listLearners')).toEqual([denied]);
  expect(await found(`actorId=${unknownId}`)).toEqual([]);
  expect((await found(`actorId=${id('e', 1)}`)).length).toBeGreaterThan(4);
  expect(await found('since=2999-12-31T23:59:59-23:59')).toEqual([]);
  const { occurredAt } = third!;
  const [before, after] = [await found(`until=${occurredAt}`), await found(`since=${occurredAt}`)];
  expect(before.every((entry) => entry.occurredAt < occurredAt)).toBe(true);
  expect(after.every((entry) => entry.occurredAt >= occurredAt)).toBe(true);
  expect(before.length + after.length).toBe((await found('')).length);
});

test.each([
  ['limit=0', 'query/limit'],
  ['limit=1001', 'query/limit'],
  ['cursor=nonsense', 'query/cursor'],
  ['operation=%27', 'query/operation'],
  ['since=yesterday', 'query/since'],
  ['until=2026-11-23', 'query/until'],
  ['outcome=failed', 'query/outcome'],
])('%s returns 400 naming the parameter', async (query, field) => {
  expectError(await get(`/audit-log?${query}`), 400, 'invalid_request', [field]);
});

test('a cursor of another company or filter returns 400', async () => {
  const { body } = await get('/audit-log?limit=1');
  for (const [query, key] of [
    ['', 'other'],
    ['&outcome=done', 'tenant'],
  ] as const) {
    const answer = await get(`/audit-log?cursor=${body.data.nextCursor}${query}`, key);
    expectError(answer, 400, 'invalid_request', ['query/cursor']);
  }
});

test('an MSP reads the log of its child company, and each read is in the log', async () => {
  const path = `/audit-log?companyId=${companies.childA}`;
  const [first, second] = [entriesOf(await get(path, 'msp')), entriesOf(await get(path, 'msp'))];
  expect(second).toMatchObject([{ operation: 'listAuditLog', actorCompanyId: companies.msp }, ...first]);
  expectError(await get(path, 'strangerMsp'), 403, 'forbidden');
});

describe('the audit log as CSV', () => {
  test('has a header line and one line for each entry', async () => {
    const entries = entriesOf(await get('/audit-log'));
    const answer = await csvOf('/audit-log');
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(answer.headers.get('vary')).toContain('Accept');
    const [names, ...lines] = answer.text.trimEnd().split('\r\n');
    expect(names).toBe(Object.keys(entries[0]!).join(','));
    expect(lines.map((line) => line.split(',')[0])).toEqual(entries.map((entry) => entry.id));
  });

  test('escapes formulas in request ids', async () => {
    await call('tenant', 'POST', '/groups', { body: { name: 'Six' }, headers: { 'x-request-id': '-2-3' } });
    expect((await csvOf('/audit-log?limit=1')).text).toContain(`,'-2-3,`);
  });

  test('has only a header line if no entry matches, and returns errors as JSON', async () => {
    expect((await csvOf('/audit-log?operation=nothing')).text).toMatch(/^id,[^\r]+\r\n$/);
    expectError(await csvOf('/audit-log?limit=0'), 400, 'invalid_request', ['query/limit']);
  });
});
