import { isJsonOnly, operations, type OperationId, scimOperations } from '../../src/contract/contract.ts';
import { exampleBody } from './contract-requests.ts';
import { statementOf } from './worst-statements.ts';

/** A request whose body is as costly as the limits of its operation allow. */
export interface WorstRequest {
  /** The operation or the transport, and the kind of body. */
  name: string;
  /** The kind of secret that the request needs: an API key or the secret of an xAPI source. */
  by: 'key' | 'xapi';
  method: string;
  /** The path from the server's root, with ids in braces as in the contract. */
  path: string;
  headers: Record<string, string>;
  body: () => Buffer;
}

/** Returns the existing id at an index, by the name of the field or path parameter that takes it. */
export type FindId = (field: string, index: number) => string | undefined;

interface Limits {
  maxBytes: number;
  maxItems: number;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const XAPI_HEADERS = { ...JSON_TYPE, 'x-experience-api-version': '1.0.3' };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns as many items as the limits allow, between two strings. */
function filled(
  before: string,
  item: (index: number) => string,
  after: string,
  { maxBytes, maxItems }: Limits,
): Buffer {
  const items: string[] = [];
  let bytes = before.length + after.length;
  for (let index = 0; index < maxItems; index++) {
    const text = item(index);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > maxBytes) break;
    items.push(text);
  }
  return Buffer.from(`${before}${items.join(',')}${after}`);
}

/** Returns bodies that no operation accepts, made to keep a parser busy. */
function hostileBodies(limits: Limits): Record<string, () => Buffer> {
  const { maxBytes } = limits;
  const endless = { maxBytes, maxItems: Infinity };
  const list = `[${Array(1000).fill('0').join(',')}]`;
  return {
    'lists in lists': () => Buffer.alloc(maxBytes, '['),
    'names of one object': () => filled('{', (n) => `"name${n}":0`, '}', endless),
    'items of one list': () => filled('{"learners":[', () => '{}', ']}', endless),
    'lists of numbers': () => filled('{"learners":[', () => list, ']}', endless),
    'one text of escapes': () =>
      filled('{"name":"', () => '\\u00e4'.repeat(1000), '"}', {
        maxBytes: maxBytes - 8,
        maxItems: 1 + Math.floor(maxBytes / 6100),
      }),
    'a text of quotes': () => Buffer.from(`{"name":"${'\\"'.repeat(Math.floor((maxBytes - 12) / 2))}"}`),
    'no UTF-8': () => Buffer.alloc(maxBytes, 0xff),
  };
}

/** Returns the contract's example with distinct items, in lists as long as the limits allow. */
function longest(operationId: OperationId, limits: Limits, find: FindId): Buffer {
  const example = exampleBody(operationId) as Record<string, unknown>;
  const lists = Object.entries(example).filter((field): field is [string, unknown[]] => Array.isArray(field[1]));
  const whole = (length: number) => ({
    ...(renamed(example, '', 0, find) as object),
    ...Object.fromEntries(
      lists.map(([name, items]) => [
        name,
        Array.from({ length: listLength(name, length, find) }, (_, n) =>
          renamed(items[n % items.length], name, n, find),
        ),
      ]),
    ),
  });
  for (let length = limits.maxItems; ; length = Math.floor(length * 0.9)) {
    const body = Buffer.from(JSON.stringify(whole(length)));
    if (body.length <= limits.maxBytes || length === 0) return body;
  }
}

/** Returns the number of existing ids for a list's items, at most `length`; `length` if there are none. */
function listLength(name: string, length: number, find: FindId): number {
  let known = 0;
  while (known < length && find(name, known) !== undefined) known += 1;
  return known > 0 ? known : length;
}

/** Returns a copy of a value with existing ids if `find` has any; all other ids and names are unique to the index. */
function renamed(value: unknown, field: string, index: number, find: FindId): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, field, index, find));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, renamed(part, name === 'id' ? field : name, index, find)]),
    );
  }
  if (typeof value !== 'string') return value;
  if (UUID.test(value)) return find(field, index) ?? `${value.slice(0, -8)}${index.toString(16).padStart(8, '0')}`;
  if (field === 'email') return `worst${index}@${value.split('@')[1]}`;
  return /eventId|externalId|externalLearnerId/.test(field) ? `${value}-${index}` : value;
}

/** Returns a list of as many empty objects as the limits allow, for the first list of the contract's example. */
function emptyItems(operationId: OperationId, limits: Limits): Record<string, () => Buffer> {
  const example = exampleBody(operationId) as Record<string, unknown>;
  const list = Object.keys(example).find((name) => Array.isArray(example[name]));
  return list === undefined ? {} : { 'empty items': () => filled(`{"${list}":[`, () => '{}', ']}', limits) };
}

/** Returns the worst requests of each REST operation that takes only JSON. */
function requestsOfRest(find: FindId, mostBytes: number): WorstRequest[] {
  const ids = Object.keys(operations) as OperationId[];
  return ids.flatMap((operationId) => {
    const { body, bodyLimitBytes, bodyMaxItems, method, path } = operations[operationId];
    if (bodyLimitBytes === null || !body || !isJsonOnly(body)) return [];
    const limits = { maxBytes: Math.min(mostBytes, bodyLimitBytes), maxItems: bodyMaxItems };
    const bodies = {
      'longest example': () => longest(operationId, limits, find),
      ...emptyItems(operationId, limits),
      ...hostileBodies(limits),
    };
    return requestsOf(operationId, { method, path: `/v1${path}`, headers: JSON_TYPE, by: 'key' }, bodies);
  });
}

const PDF_BYTES = 25 * 1024 * 1024;

/** Returns the worst request of each upload: a file of the maximum size. */
function requestsOfUploads(): WorstRequest[] {
  const ids = Object.keys(operations) as OperationId[];
  return ids.flatMap((operationId) => {
    const { body, method, path } = operations[operationId];
    const type = body?.find((one) => one.startsWith('application/') && one !== 'application/json');
    if (!type) return [];
    const bodies = { 'largest file': () => Buffer.alloc(PDF_BYTES, 'security ') };
    return requestsOf(
      operationId,
      { method, path: `/v1${path}`, headers: { 'content-type': type }, by: 'key' },
      bodies,
    );
  });
}

/** Returns the worst SCIM requests: as many roles, members and changes as fit, deep filters, and hostile bodies. */
function requestsOfScim(find: FindId, mostBytes: number): WorstRequest[] {
  return Object.entries(scimOperations).flatMap(([operationId, { bodyLimitBytes, bodyMaxItems, method, path }]) => {
    if (bodyLimitBytes === null) return [];
    const limits = { maxBytes: Math.min(mostBytes, bodyLimitBytes), maxItems: Math.max(1000, bodyMaxItems) };
    const member = (n: number) =>
      JSON.stringify({ value: find('learnerIds', n), display: `Learner ${n}`, $ref: '/Users/x' });
    const role = (n: number) => JSON.stringify({ value: `role${n}`, display: 'a role', type: 'x'.repeat(100) });
    const change = (n: number) => JSON.stringify({ op: 'add', path: `name.givenName`, value: `Name ${n}` });
    const bodies = {
      'all members': () => filled('{"displayName":"All","members":[', member, ']}', limits),
      'all members, changed': () =>
        filled('{"Operations":[{"op":"add","path":"members","value":[', member, ']}]}', limits),
      'all changes': () => filled('{"Operations":[', change, ']}', limits),
      'all roles': () => filled('{"userName":"worst@worst.test","roles":[', role, ']}', { ...limits, maxItems: 1000 }),
      'a deep filter': () => Buffer.from(JSON.stringify({ filter: '('.repeat(1990) })),
      'a filter of brackets': () => Buffer.from(JSON.stringify({ filter: 'emails['.repeat(280) })),
      ...hostileBodies(limits),
    };
    return requestsOf(operationId, { method, path: `/scim/v2${path}`, headers: JSON_TYPE, by: 'key' }, bodies);
  });
}

function requestsOfXapi(mostBytes: number): WorstRequest[] {
  const limits = { maxBytes: Math.min(mostBytes, operations.recordCourseResults.bodyLimitBytes), maxItems: 10_000 };
  const bodies = {
    'all statements': () => filled('[', (n) => JSON.stringify(statementOf(n)), ']', limits),
    ...hostileBodies(limits),
  };
  return requestsOf('xAPI', { method: 'post', path: '/xapi/statements', headers: XAPI_HEADERS, by: 'xapi' }, bodies);
}

function requestsOfMcp(): WorstRequest[] {
  const limits = { maxBytes: 64 * 1024, maxItems: 10_000 };
  const call = (n: number) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: n,
      method: 'tools/call',
      params: { name: 'service_list_groups', arguments: {} },
    });
  const bodies = { 'a batch of calls': () => filled('[', call, ']', limits), ...hostileBodies(limits) };
  const headers = { ...JSON_TYPE, accept: 'application/json, text/event-stream' };
  return requestsOf('MCP', { method: 'post', path: '/mcp', headers, by: 'key' }, bodies);
}

function requestsOf(
  about: string,
  request: Omit<WorstRequest, 'name' | 'body'>,
  bodies: Record<string, () => Buffer>,
): WorstRequest[] {
  return Object.entries(bodies).map(([kind, body]) => ({ ...request, name: `${about}: ${kind}`, body }));
}

/**
 * Returns the worst requests of every operation that takes a body, over every transport.
 * @param mostBytes limits the size of JSON bodies, for tests that do not depend on it
 */
export function worstRequests(find: FindId, mostBytes = Infinity): WorstRequest[] {
  return [
    ...requestsOfRest(find, mostBytes),
    ...requestsOfUploads(),
    ...requestsOfScim(find, mostBytes),
    ...requestsOfXapi(mostBytes),
    ...requestsOfMcp(),
  ];
}

/** Fills existing ids into a path, or an id that no object has. */
export function worstPath(path: string, find: FindId): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => find(name, 0) ?? '0192a3b4-0000-7000-8000-0000000000ff');
}
