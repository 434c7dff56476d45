/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0", "CONTENT_FOLDER": "tests/fixtures/practice"} */
import { operations } from '../../generated/operations.ts';
import type { Client } from '../../sdk/src/index.ts';
import { get } from '../support/client.ts';
import { filledPath, firstIdsOf } from '../support/world-ids.ts';
import { companies, groupId, managedCourses } from '../support/world.ts';
import { answers, clientOf, failureOf, loopback, loopbackClient, stopLoopbacks } from './support.ts';

afterEach(stopLoopbacks);

/** Reads of objects that the test world lacks: a simulation that the service runs, a draft PDF, authored content. */
const OF_NOTHING = ['getSimulationCalendar', 'getPolicyDraftPdf', 'getCourseContent'];
const reads = Object.entries(operations).filter(
  ([operationId, { method }]) => method === 'get' && !OF_NOTHING.includes(operationId),
);

const WITH_CONTENT = { courseId: managedCourses.passwords };

/** Reports whether only sources can call an operation, and so no client with a key. */
const isForSources = ({ callers, keyed }: (typeof operations)[keyof typeof operations]): boolean =>
  keyed && !callers.some((caller) => caller === 'key');

test('the client has a method for every operation that a key can call, and its own methods', () => {
  const called = Object.entries(operations).flatMap(([name, operation]) => (isForSources(operation) ? [] : [name]));
  expect(Object.keys(clientOf()).toSorted()).toEqual(
    [...called, 'response', 'envelope', 'tagged', 'pages', 'items', 'changes', 'synchronize'].toSorted(),
  );
});

test('every read operation returns the data of the service', async () => {
  for (const [operationId, { path, pathIds }] of reads) {
    const key = ['listCompanies', 'getCompaniesReport'].includes(operationId) ? 'msp' : 'tenant';
    const client = clientOf(key) as unknown as Record<string, (input: object) => Promise<unknown>>;
    const input = operationId === 'exportCourse' ? WITH_CONTENT : firstIdsOf('tenant', pathIds);
    const { status, text, body } = await get(filledPath(path, input), key);
    expect({ operationId, status }).toEqual({ operationId, status: 200 });
    const answer = await client[operationId]!(input);
    if (answer instanceof Blob) {
      expect(await answer.text()).toBe(text);
      continue;
    }
    const expected = operationId === 'getOpenApiDocument' ? body : body.data;
    // The cursor of the events depends on all transactions of the service.
    const momentary = ['timestamp', 'generatedAt', ...(operationId === 'listEvents' ? ['nextCursor'] : [])];
    for (const now of momentary) if (now in expected) expected[now] = expect.any(String);
    expect(answer).toEqual(expected);
  }
});

test('a learner can be created, updated, put into groups and deleted', async () => {
  const client = clientOf();
  const { id, groups } = await client.createLearner({
    body: { email: 'sdk@tenant.test', firstName: 'Sophie', lastName: 'Germain' },
  });
  expect(groups).toEqual([]);
  expect(
    await client.updateLearner({ learnerId: id, body: { firstName: 'Sophie', lastName: 'de Kock' } }),
  ).toMatchObject({
    firstName: 'Sophie',
    lastName: 'de Kock',
  });
  const grouped = await client.setLearnerGroups({ learnerId: id, body: { groupIds: [groupId('tenant', 2)] } });
  expect(grouped.groups.map((group) => group.id)).toEqual([groupId('tenant', 2)]);
  await client.deleteLearner({ learnerId: id });
  expect(await failureOf(client.getLearner({ learnerId: id }))).toMatchObject({ code: 'not_found' });
});

test('a bulk DELETE sends its body', async () => {
  const client = clientOf();
  const { id } = await client.createGroup({ body: { name: 'For the SDK' } });
  const created = await client.createLearners({
    body: { learners: [{ email: 'bulk@tenant.test', firstName: 'Emmy', lastName: 'Noether', groupIds: [id] }] },
  });
  expect(created.errors).toEqual([]);
  const [learner] = (await client.listLearners()).filter(({ email }) => email === 'bulk@tenant.test');
  await client.deleteLearners({ body: { learnerIds: [learner!.id] } });
  expect((await client.listLearners()).map(({ email }) => email)).not.toContain('bulk@tenant.test');
});

test('an MSP reads a child by companyId, and a foreign MSP gets 403', async () => {
  const input = { companyId: companies.childA };
  const [learner] = await clientOf('msp').listLearners(input);
  expect(learner!.email).toBe('learner1@childa.test');
  expect(await failureOf(clientOf('strangerMsp').listLearners(input))).toMatchObject({
    status: 403,
    code: 'forbidden',
  });
});

test('a filter is sent in the query, and an undefined filter is omitted', async () => {
  const client = clientOf();
  const all = await client.listCourses({ type: undefined });
  const analyses = await client.listCourses({ type: 'gap_analysis', source: 'managed' });
  expect(analyses.map(({ id }) => id)).toEqual([managedCourses.gapAnalysis]);
  expect(all.length).toBeGreaterThan(1);
});

test('an unknown parameter is sent, so that the service rejects it', async () => {
  const listLearners = clientOf('msp').listLearners as (input: object) => Promise<unknown>;
  const failure = await failureOf(listLearners({ companyID: companies.childA }));
  expect(failure).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(failure.details.map(({ field }: { field: string }) => field)).toEqual(['query/companyID']);
});

test('an id is one path segment with any characters', async () => {
  for (const strange of ['../learners', 'a/b', 'a?b=c#d', 'ä', '%2e%2e'])
    expect(await failureOf(clientOf().getLearner({ learnerId: strange }))).toMatchObject({ code: 'not_found' });
});

test('an id that would address another path is rejected without a request', async () => {
  const server = await loopback(answers(200, { data: {} }));
  const client = loopbackClient(server);
  for (const strange of ['', '.', '..', undefined, null, 7] as string[])
    expect(await failureOf(client.deleteLearner({ learnerId: strange }))).toEqual(
      new TypeError('learnerId must be an id'),
    );
  const withoutInput = client.deleteLearner as unknown as () => Promise<unknown>;
  expect(await failureOf(withoutInput())).toEqual(new TypeError('learnerId must be an id'));
  expect(server.requests).toEqual([]);
});

test('the base URL can end with a slash or have a path', async () => {
  const server = await loopback(answers(200, { data: [] }));
  const addresses = [server.url, `${server.url}/`, `${server.url}/v1/`, `${server.url}/behind/a/proxy/v1`];
  for (const url of addresses) await loopbackClient({ ...server, url }).listGroups();
  expect(server.requests.map(({ url }) => url)).toEqual([
    '/v1/groups',
    '/v1/groups',
    '/v1/groups',
    '/behind/a/proxy/v1/groups',
  ]);
});

test('a custom fetch sends the requests', async () => {
  const sent: string[] = [];
  const client: Client = clientOf('tenant', {
    fetch: async (url, init) => {
      sent.push(`${init.method} ${url}`);
      return fetch(url, init);
    },
  });
  await client.getCompany();
  expect(sent).toEqual([`GET ${testService.url}/v1/company`]);
});
