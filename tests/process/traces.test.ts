import { randomBytes } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { enrolledLearner, forgetMail, mailing, whenDone } from '../mail/transport-support.ts';
import { MailServer } from '../mail/smtp-support.ts';
import { companies, keys, learnerId } from '../support/world.ts';
import { freePort, type Service, startProgram, startService, statusOf, stopServices } from './support.ts';
import { until } from '../support/until.ts';
import { type ReceivedSpan, TraceReceiver } from './trace-receiver.ts';

const receiver = new TraceReceiver();
const server = new MailServer();
let service: Service;

async function ready(started: Service): Promise<Service> {
  await until(async () => (await statusOf(`${started.url}/ready`)) === 200);
  return started;
}

beforeAll(async () => {
  await Promise.all([receiver.start(), server.start()]);
  service = await ready(
    await startService({
      ...mailing(server),
      ROLES: 'api,mcp,worker',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-of-the-operator=secret-of-the-operator',
      OTEL_SERVICE_NAME: 'awareness-of-the-test',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    }),
  );
});
afterEach(forgetMail);
afterAll(async () => {
  stopServices();
  receiver.stop();
  await server.stop();
});

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

/** Waits for the span of a request and returns all spans of its trace. */
async function traceOf(traceId: string): Promise<ReceivedSpan[]> {
  const spans = () => receiver.spans().filter((span) => span.traceId === traceId);
  await until(() => spans().some(({ kind }) => kind === SERVER));
  return spans();
}

const [SERVER, CLIENT, CONSUMER] = [2, 3, 5];

interface Asked {
  method?: string;
  body?: unknown;
  sampled?: boolean;
}

/** Makes a call as part of the caller's own trace. */
async function callTraced(path: string, { method = 'GET', body, sampled = true }: Asked = {}) {
  const [traceId, parentId] = [hex(16), hex(8)];
  const answer = await fetch(service.url + path, {
    method,
    headers: {
      authorization: `Bearer ${keys.tenant}`,
      traceparent: `00-${traceId}-${parentId}-0${sampled ? 1 : 0}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  await answer.text();
  return { traceId, parentId, status: answer.status };
}

const named = (spans: ReceivedSpan[], name: string) => spans.filter((span) => span.name === name);

test('a request is a span with the name of its operation, in the trace of its caller', async () => {
  const { traceId, parentId } = await callTraced(`/learners/${learnerId('tenant', 1)}`);
  const spans = await traceOf(traceId);
  const [request] = named(spans, 'getLearner');
  expect(request).toMatchObject({
    kind: SERVER,
    parentSpanId: parentId,
    attributes: { 'http.request.method': 'GET', 'http.response.status_code': 200 },
  });
  const [allOperations] = named(spans, 'invoke getLearner');
  expect(allOperations).toMatchObject({ parentSpanId: request!.spanId });
  const statements = spans.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
  expect(statements.length).toBeGreaterThan(0);
  for (const { kind, parentSpanId, name } of statements) {
    expect([name, kind, parentSpanId]).toEqual([expect.stringMatching(/^[a-z_/]+$/), CLIENT, allOperations!.spanId]);
  }
});

test('a streamed list and a change with a body are complete traces', async () => {
  const list = await callTraced('/learners');
  const spansOfList = await traceOf(list.traceId);
  const [request] = named(spansOfList, 'listLearners');
  const [statement] = spansOfList.filter(({ kind }) => kind === CLIENT);
  expect(statement).toMatchObject({ parentSpanId: request!.spanId });

  const body = { email: 'traced.person@tenant.test', firstName: 'Traced', lastName: 'Person' };
  const change = await callTraced('/learners', { method: 'POST', body });
  expect(change.status).toBe(200);
  const spansOfChange = await traceOf(change.traceId);
  const [allOperations] = named(spansOfChange, 'invoke createLearner');
  expect(allOperations!.parentSpanId).toBe(named(spansOfChange, 'createLearner')[0]!.spanId);
  expect(spansOfChange.some(({ parentSpanId }) => parentSpanId === allOperations!.spanId)).toBe(true);
});

test('a client error has its status, and its spans are not failures', async () => {
  const missing = await callTraced(`/learners/${companies.tenant}`);
  const spans = await traceOf(missing.traceId);
  expect(named(spans, 'getLearner')[0]).toMatchObject({ attributes: { 'http.response.status_code': 404 }, status: {} });
  expect(named(spans, 'invoke getLearner')[0]!.attributes).toMatchObject({ 'error.type': 'not_found' });
  for (const { status } of spans) expect(status.code ?? 0).toBe(0);
});

test('a trace that its caller does not sample is not sent', async () => {
  const silent = await callTraced('/company', { sampled: false });
  const loud = await callTraced('/company');
  await traceOf(loud.traceId);
  expect(receiver.spans().filter(({ traceId }) => traceId === silent.traceId)).toEqual([]);
});

test('a job and the delivery of its email form one trace', async () => {
  await enrolledLearner();
  await whenDone();
  await until(() => named(receiver.spans(), 'job send_message').length > 0);
  const [job] = named(receiver.spans(), 'job send_message');
  expect(job!.kind).toBe(CONSUMER);
  const children = receiver.spans().filter(({ parentSpanId }) => parentSpanId === job!.spanId);
  expect(children.map(({ name }) => name)).toEqual(expect.arrayContaining(['message_queued', 'hand over mail']));
});

test('the log lines of a request contain its trace id', async () => {
  const { traceId } = await callTraced('/company');
  await until(() => service.output().includes(`"traceId":"${traceId}"`));
});

test("OpenTelemetry's own variables set the service name and the headers", async () => {
  await traceOf((await callTraced('/company')).traceId);
  expect(receiver.resource()).toMatchObject({ 'service.name': 'awareness-of-the-test' });
  expect(receiver.requests.at(-1)).toMatchObject({
    path: 'POST /v1/traces',
    headers: { 'x-of-the-operator': 'secret-of-the-operator' },
  });
});

test('exported spans contain no key, address, name, id or query', async () => {
  const person = { email: 'secret.person@tenant.test', firstName: 'Secret', lastName: 'Person' };
  await callTraced('/learners', { method: 'POST', body: person });
  await callTraced('/learners', { method: 'POST', body: person });
  await callTraced(`/learners/secret-${keys.tenant}?companyId=secret`);
  await callTraced(`/nowhere/${keys.tenant}`);
  await fetch(new URL('/setup/a-secret-token', service.url));
  await traceOf((await callTraced('/company')).traceId);
  const sent = receiver.payloads.join('\n');
  expect(sent).toContain('createLearner');
  expect(sent).not.toMatch(/secret|person@|@tenant|sk_|Traced/i);
  for (const id of [...Object.values(companies), learnerId('tenant', 1)]) expect(sent).not.toContain(id);
  expect(sent).not.toContain(process.cwd());
});

test('requests and the end of the process do not wait for a silent receiver', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const lonely = await ready(
    await startService({
      DATABASE_URL: testService.database.serviceUrl,
      ROLES: 'api',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
    }),
  );
  expect(await statusOf(`${lonely.url}/company`, keys.tenant)).toBe(200);
  const start = Date.now();
  lonely.child.kill('SIGTERM');
  expect(await lonely.exit).toEqual({ code: 0, signal: null });
  expect(Date.now() - start).toBeLessThan(15_000);
  silent.close();
});

/** Module that prints the address of each loaded module of OpenTelemetry. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) {
    if (url.includes('@opentelemetry')) process.stderr.write('LOADED ' + url + '\\n');
    return next(url, context);
  } });`)}`;

test('without an endpoint, no tracing SDK is loaded, and no second listener is opened', async () => {
  const port = await freePort();
  const env = { DATABASE_URL: testService.database.serviceUrl, PORT: String(port) };
  const plain = startProgram(['--import', WATCH, 'src/main.ts'], env);
  await until(async () => (await statusOf(`http://127.0.0.1:${port}/v1/ready`)) === 200);
  const loaded = plain.output().match(/(?<=LOADED ).*/g) ?? [];
  // The metrics library loads the OpenTelemetry API, which does nothing by itself.
  expect(loaded.filter((url) => !url.includes('/@opentelemetry/api/'))).toEqual([]);
  expect(plain.output()).not.toContain('"msg":"metrics"');
});
