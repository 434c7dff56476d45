/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import { type Answer, expectError, fingerprintOf, send } from '../support/client.ts';
import { whileLocked } from '../support/locks.ts';
import { idsOf } from '../support/world-ids.ts';
import { sourceId, sourceSecret } from '../support/world-sources.ts';
import { keys } from '../support/world.ts';
import { worstPath, type WorstRequest, worstRequests } from '../support/worst-bodies.ts';

/** Maximum size of a body that the event loop parses. */
const SMALL_BYTES = 64 * 1024;
const known = idsOf('tenant');
const findId = (field: string, index: number) => (known[field] ?? known[field.replace(/s$/, '')])?.[index];
/** Size of the bodies; more than the event loop parses. `make faults` sends bodies of the full length. */
const MOST_BYTES = 200 * 1024;
const requests = worstRequests(findId, MOST_BYTES).filter(({ path }) => !path.startsWith('/mcp'));
const xapi = Buffer.from(`${sourceId('tenant', 'xapi')}:${sourceSecret('tenant', 'xapi')}`).toString('base64');

/** Sends a request and, unlike `send`, does not parse the response. */
async function sendWorst({ method, path, headers, by, body }: WorstRequest) {
  const authorization = by === 'key' ? `Bearer ${keys.tenant}` : `Basic ${xapi}`;
  const response = await fetch(`${testService.url}${worstPath(path, findId)}`, {
    method: method.toUpperCase(),
    headers: { ...headers, authorization },
    body: new Uint8Array(body()),
  });
  return { status: response.status, text: await response.text() };
}

const ofKind = (...kinds: string[]) => requests.filter(({ name }) => kinds.some((kind) => name.endsWith(`: ${kind}`)));
const isOpen = ({ name }: WorstRequest) => !/^(revokeLeakedKeys|receiveGoPhishEvent)/.test(name);

test.each(
  ofKind('lists in lists', 'names of one object', 'items of one list', 'empty items', 'no UTF-8')
    .filter(isOpen)
    .map((one) => [one.name, one]),
)('%s: rejected with an error for the body, and not parsed on the event loop', async (_name, request) => {
  testService.longestParsed();
  const { status, text } = await sendWorst(request);
  expect({ status, text }).toMatchObject({ status: 400, text: expect.stringContaining('body') });
  expect(text.length).toBeLessThan(20_000);
  expect(testService.longestParsed()).toBeLessThanOrEqual(SMALL_BYTES);
});

test.each(
  ofKind('longest example', 'all members', 'all members, changed', 'all changes', 'all roles', 'all statements')
    .filter(isOpen)
    .map((one) => [one.name, one]),
)('%s: answered as documented, and not parsed on the event loop', async (_name, request) => {
  testService.longestParsed();
  const { status, text } = await sendWorst(request);
  expect({ status, text: text.slice(0, 200) }).toEqual({ status: expect.any(Number), text: expect.any(String) });
  expect(status).toBeLessThan(500);
  expect([401, 405, 429]).not.toContain(status);
  expect(testService.longestParsed()).toBeLessThanOrEqual(SMALL_BYTES);
});

const JSON_HEADERS = { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' };
const many = JSON.stringify({ learnerIds: Array<string>(600).fill('018df51f-9660-7000-8300-000000000018') });

test('a small body with many values is handled by a thread with the same headers', async () => {
  const few = JSON.stringify({ learnerIds: ['018df51f-9660-7000-8300-000000000018'] });
  testService.longestParsed();
  const answers = await Promise.all(
    [few, many].map((body) =>
      send('POST', '/learners/activate', { headers: { ...JSON_HEADERS, 'x-request-id': 'same' }, body }),
    ),
  );
  const [small, large] = answers.map(({ headers }) => [...headers.keys()].sort());
  expect(large).toEqual(small);
  expect(answers.map(({ headers }) => headers.get('x-request-id'))).toEqual(['same', 'same']);
  expectError(answers[1]!, 400, 'invalid_request', ['body/learnerIds']);
});

test('a request whose thread ends returns 502 and changes nothing, and the next one starts a new thread', async () => {
  const rows = Array.from({ length: 600 }, (_, n) => ({
    email: `thread${n}@tenant.test`,
    firstName: 'A',
    lastName: 'B',
  }));
  const body = JSON.stringify({ learners: rows });
  const create = () => send('POST', '/learners/bulk', { headers: JSON_HEADERS, body });
  const before = await fingerprintOf('tenant');
  let answer: Answer | undefined;
  await whileLocked('learners', async () => {
    const asked = create();
    const isWaiting = async () =>
      (await testService.query(`select from pg_locks where not granted and relation = 'learners'::regclass`)).length >
      0;
    while (!(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 20));
    await testService.endThreads();
    answer = await asked;
  });
  expectError(answer!, 502, 'service_unavailable');
  expect(await fingerprintOf('tenant')).toBe(before);
  const again = await create();
  expect({ status: again.status, errors: again.body.data?.errors }).toEqual({ status: 200, errors: [] });
});

test('the audit log has the IP address and request id of calls that a thread executed', async () => {
  const rows = Array.from({ length: 600 }, (_, n) => ({
    email: `logged${n}@tenant.test`,
    firstName: 'A',
    lastName: 'B',
  }));
  const headers = { ...JSON_HEADERS, 'x-request-id': 'done-by-a-thread' };
  expect((await send('POST', '/learners/bulk', { headers, body: JSON.stringify({ learners: rows }) })).status).toBe(
    200,
  );
  const [entry] = await testService.query(`select address::text from audit_log where request_id = 'done-by-a-thread'`);
  expect(entry!.address).toMatch(/^127\.0\.0\.1/);
});
