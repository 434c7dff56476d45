/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { readFileSync } from 'node:fs';
import { type KeyedOperationId, operations } from '../../src/contract/contract.ts';
import type { ListResponse } from '../../src/http/response/send-list.ts';
import { call, expectError, get } from '../support/client.ts';
import { filledPath, firstIdsOf } from '../support/world-ids.ts';
import { policyId } from '../support/world-policies.ts';
import { companies, type KeyName, keys } from '../support/world.ts';

interface Contract {
  paths: Record<
    string,
    { get?: { responses: { 200: { content: Record<'application/json', { schema: { $ref: string } }> } } } }
  >;
  components: { schemas: Record<string, { properties: object }> };
}

const contract = JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as Contract;

type Row = Record<string, unknown>;
const lists = (Object.keys(operations) as KeyedOperationId[]).filter((id) => operations[id].list !== null);
const companyFor = (operationId: KeyedOperationId) => (operations[operationId].accountKinds ? 'msp' : 'tenant');
/** Parameters without which an operation returns no list. */
const NEEDED: Partial<Record<KeyedOperationId, string>> = { getPolicy: '?outcome=all' };
const getAs = (accept: string, path: string, key: KeyName = 'tenant', method = 'GET') =>
  call(key, method, path, { headers: { accept } });

/** Parses CSV into lines of cells. */
function linesOf(csv: string): string[][] {
  const lines = [...csv.matchAll(/((?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,|\r\n))+?(?<=\r\n)/g)].map(([line]) =>
    line.slice(0, -2),
  );
  const cells = (line: string) => [...line.matchAll(/("(?:[^"]|"")*"|[^",]*)(?:,|$)/g)].map(([, cell]) => cell!);
  return lines.map((line) =>
    cells(line)
      .slice(0, line.endsWith(',') ? undefined : -1)
      .map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)),
  );
}

/** Returns the expected CSV cell of a value. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const valueAt = (row: unknown, column: string): unknown =>
  column.split('.').reduce((value: unknown, name) => (value as Row | null)?.[name], row);

test.each(lists)('%s returns the same list as JSON lines and as CSV', async (operationId) => {
  const { path, pathIds, list } = operations[operationId];
  const { rows, columns } = list as ListResponse;
  const key = companyFor(operationId);
  const filled = filledPath(path, firstIdsOf(key, pathIds)) + (NEEDED[operationId] ?? '');
  const whole = await get(filled, key);
  expect(whole.headers.get('vary')).toContain('Accept');
  const { data } = whole.body;
  // Reads of the audit log are not recorded in it, so each list stays the same for three requests.
  const items = (rows === '' ? data : data[rows]) as Row[];

  const lines = await getAs('application/x-ndjson', filled, key);
  expect(lines.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  expect(
    lines.text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Row),
  ).toEqual(items);

  const csv = await getAs('text/csv', filled, key);
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  const [names, ...cells] = linesOf(csv.text);
  expect(names).toEqual(columns);
  expect(cells).toEqual(items.map((item) => columns.map((column) => shown(valueAt(item, column)))));
});

test('a policy without its learners is not available as CSV', async () => {
  const path = `/policies/${policyId('tenant', 1)}`;
  expectError(await getAs('text/csv', path), 400, 'invalid_request', ['header/accept']);
});

test('nested fields have their own columns, and lists are JSON in one cell', async () => {
  const { columns } = operations.listLearnerCourseResults.list;
  expect(columns).toEqual(expect.arrayContaining(['course.id', 'course.name', 'assignment.waived.reason']));
  const { text } = await getAs('text/csv', '/groups');
  expect(text).toMatch(/^id,name,learnerCount,managers\r\n.+,"\[\{""id"":""/);
});

test('every format has pages with a Link to the next one', async () => {
  const { text, headers } = await getAs('application/x-ndjson', '/learners?limit=2');
  expect(text.match(/\n/g)).toHaveLength(2);
  expect(headers.get('link')).toMatch(/; rel="next"$/);
});

test('an empty list has a CSV header and no JSON lines', async () => {
  const none = '/learners?riskScoreLevel=critical';
  expect((await getAs('text/csv', none, 'other')).text).toBe(`${operations.listLearners.list.columns.join(',')}\r\n`);
  expect((await getAs('application/x-ndjson', none, 'other')).text).toBe('');
});

const JSON_TYPE = 'application/json; charset=utf-8';

test.each<[accept: string, type: string]>([
  ['*/*', JSON_TYPE],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', JSON_TYPE],
  ['text/html', JSON_TYPE],
  ['application/xml', JSON_TYPE],
  ['nonsense', JSON_TYPE],
  ['text/csv;q=0', JSON_TYPE],
  ['application/json, text/csv, application/jsonl', JSON_TYPE],
  ['application/json, text/plain, */*', JSON_TYPE],
  ['text/csv;q=0.5, application/json', JSON_TYPE],
  ['text/csv, */*;q=0.1', 'text/csv; charset=utf-8; header=present'],
  ['application/json;q=0.1, TEXT/CSV', 'text/csv; charset=utf-8; header=present'],
  ['text/csv;q=0.5, application/x-ndjson', 'application/x-ndjson; charset=utf-8'],
  ['application/jsonl', 'application/jsonl; charset=utf-8'],
  ['text/csv; charset=UTF-8', 'text/csv; charset=utf-8; header=present'],
  ['text/csv; header=present', 'text/csv; charset=utf-8; header=present'],
  ['text/csv; charset=utf-8; header=present; bom=yes', 'text/csv; charset=utf-8; header=present'],
  ['text/csv; header=absent', JSON_TYPE],
  ['application/json; charset=utf-8, text/csv;q=0.5', JSON_TYPE],
])('Accept: %s returns %s', async (accept, type) => {
  const { status, headers } = await getAs(accept, '/learners');
  expect([status, headers.get('content-type')]).toEqual([200, type]);
});

test('errors and single objects are JSON', async () => {
  expectError(await getAs('text/csv', '/learners?limit=0'), 400, 'invalid_request', ['query/limit']);
  expectError(await getAs('application/x-ndjson', '/learners?companyId=x'), 400, 'invalid_request');
  expect((await getAs('text/csv', '/company')).headers.get('content-type')).toBe(JSON_TYPE);
});

test('HEAD returns the content type without a body', async () => {
  const { status, headers, text } = await getAs('text/csv', '/learners', 'tenant', 'HEAD');
  expect([status, headers.get('content-type'), text]).toEqual([200, 'text/csv; charset=utf-8; header=present', '']);
});

test('CSV has a byte order mark only on request, followed by the same lines', async () => {
  const bytesFor = async (accept: string) => {
    const headers = { accept, authorization: `Bearer ${keys.tenant}` };
    return Buffer.from(await (await fetch(`${testService.url}/v1/learners`, { headers })).arrayBuffer());
  };
  const plain = await bytesFor('text/csv');
  expect(plain.toString()).toMatch(/^id,email,/);
  const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain]);
  const asking = ['text/csv; bom=yes', 'text/csv;BOM=Yes;charset=utf-8;header=present', 'text/csv; bom=yes, */*;q=0.1'];
  for (const accept of asking) expect(await bytesFor(accept)).toEqual(marked);
  for (const accept of ['text/csv; bom=no', 'text/csv;charset=utf-8;header=present'])
    expect(await bytesFor(accept)).toEqual(plain);
});

const OTHER_SHAPES = ['text/csv', 'application/jsonl', 'application/x-ndjson'];

/** Lists the contract's response fields of an operation other than the list and the page. */
function listMetaFields(operationId: KeyedOperationId): string[] {
  const { path } = operations[operationId];
  const { schema } = contract.paths[path]!.get!.responses['200'].content['application/json'];
  const answer = contract.components.schemas[schema.$ref.split('/').at(-1)!]!;
  return Object.keys(answer.properties).filter((field) => field !== 'data' && field !== 'page');
}

test.each(lists.filter((operationId) => listMetaFields(operationId).length > 0))(
  '%s returns list metadata in headers, or rejects other formats',
  async (operationId) => {
    const { path, pathIds } = operations[operationId];
    const key = companyFor(operationId);
    const filled = filledPath(path, firstIdsOf(key, pathIds));
    const isSynced = listMetaFields(operationId).includes('removed');
    const asked = isSynced ? `${filled}?updatedSince=${new Date().toISOString()}` : filled;
    const whole = (await get(asked, key)).body as Row;
    for (const accept of OTHER_SHAPES) {
      const answer = await getAs(accept, asked, key);
      if (isSynced) expectError(answer, 400, 'invalid_request', ['query/updatedSince']);
      else
        for (const field of listMetaFields(operationId))
          expect(JSON.parse(answer.headers.get(field)!)).toEqual(whole[field]);
    }
  },
);

test('a company that watches no domain is recognisable in CSV and JSON lines', async () => {
  await testService.query(`update companies set smbreachprodomains = '{}' where id = $1`, [companies.childB]);
  for (const accept of OTHER_SHAPES) {
    const { headers, status } = await getAs(accept, '/breaches/accounts?limit=5', 'childB');
    expect([status, headers.get('coverage')]).toEqual([200, '{"watchedDomains":[],"unavailableDomains":[]}']);
  }
});
