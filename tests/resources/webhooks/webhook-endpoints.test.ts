import { type Answer, del, expectError, get, patch, post } from '../../support/client.ts';
import { callWith } from '../api-keys/key-calls.ts';
import { whileSlow } from '../tenant-state.ts';
import { keyWith } from '../../support/scoped-keys.ts';
import { webhookEndpointId } from '../../support/world-sources.ts';

const url = 'https://soc.example.org/hook';
const path = `/webhook-endpoints/${webhookEndpointId('tenant')}`;
afterEach(() => testService.query(`delete from webhook_endpoints where url = $1`, [url]));

describe('POST /webhook-endpoints', () => {
  test('returns the secret once and stores it unreadable', async () => {
    const { status, body } = await post('/webhook-endpoints', { url, types: ['learner.created'] });
    expect(status).toBe(200);
    const { secret, ...endpoint } = body.data;
    expect(endpoint).toMatchObject({ url, types: ['learner.created'], children: false, enabled: true, failures: 0 });
    const listed = await get('/webhook-endpoints');
    expect(listed.body.data).toContainEqual(endpoint);
    const [row] = await testService.query('select e::text as row from webhook_endpoints e where id = $1', [
      endpoint.id,
    ]);
    for (const text of [listed.text, row!.row, testService.log.join()]) expect(text).not.toContain(secret.slice(-30));
  });

  test('turns on the events of the company', async () => {
    await testService.query('delete from event_readers');
    await post('/webhook-endpoints', { url });
    expect(await testService.query('select own_read_at is not null as own from event_readers')).toEqual([
      { own: true },
    ]);
  });

  test.each([
    ['body/url', { url: 'http://soc.example.org/' }],
    ['body/url', { url: 'https://127.1/' }],
    ['body/url', { url: 'https://[::ffff:7f00:1]/' }],
    ['body/url', { url: 'https://soc.example.org:5432/' }],
    ['body/url', {}],
    ['body/types/0', { url, types: ['learner.promoted'] }],
    ['body/types', { url, types: [] }],
  ])('an invalid %s returns 400 naming it', async (field, fields) => {
    expectError(await post('/webhook-endpoints', fields), 400, 'invalid_request', [field]);
  });

  test('only a company with children can subscribe to their events', async () => {
    expectError(await post('/webhook-endpoints', { url, children: true }), 403, 'forbidden');
    const { body } = await post('/webhook-endpoints', { url, children: true }, 'msp');
    expect(body.data.children).toBe(true);
  });

  test('a company has at most 20 endpoints, even if three calls compete for the last', async () => {
    for (let count = 1; count < 19; count++) await post('/webhook-endpoints', { url });
    let answers: Answer[] = [];
    await whileSlow('insert', 'webhook_endpoints', async () => {
      answers = await Promise.all([1, 2, 3].map(() => post('/webhook-endpoints', { url })));
    });
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    for (const answer of answers.filter(({ status }) => status === 400))
      expectError(answer, 400, 'webhook_endpoint_limit_reached');
  });
});

test('PATCH changes only the given fields', async () => {
  const before = (await get('/webhook-endpoints')).body.data[0];
  const off = await patch(path, { enabled: false });
  expect(off.body.data).toEqual({ ...before, enabled: false, disabledBecause: 'requested' });
  const on = await patch(path, { enabled: true, types: ['learner.deleted'], url });
  expect(on.body.data).toEqual({ ...before, types: ['learner.deleted'], url });
  expect((await patch(path, { types: null, url: before.url })).body.data).toEqual(before);
  expectError(await patch(path, { url: 'https://localhost/' }), 400, 'invalid_request', ['body/url']);
});

test('two simultaneous rotations leave two different secrets in force', async () => {
  const answers = await Promise.all([post(`${path}/rotate`), post(`${path}/rotate`)]);
  const secrets = answers.map(({ body }) => body.data.secret);
  expect(new Set(secrets).size).toBe(2);
  const [row] = await testService.query(
    'select previous_sealed is not null and previous_sealed <> sealed_secret as two from webhook_endpoints where id = $1',
    [webhookEndpointId('tenant')],
  );
  expect(row!.two).toBe(true);
});

test('DELETE deletes the endpoint with its waiting deliveries', async () => {
  const { id } = (await post('/webhook-endpoints', { url })).body.data;
  await post(`/webhook-endpoints/${id}/test`);
  expect((await del(`/webhook-endpoints/${id}`)).body.data).toEqual({ id });
  expectError(await del(`/webhook-endpoints/${id}`), 404, 'not_found');
});

test('a key with scopes needs events:read to create or change an endpoint', async () => {
  const [less, enough] = [['webhook_endpoints:write'], ['webhook_endpoints:write', 'events:read']];
  for (const [method, where, body] of [
    ['POST', '/webhook-endpoints', { url }],
    ['PATCH', path, { enabled: true }],
  ] as const) {
    const refused = await callWith(await keyWith('tenant', less), method, where, body);
    expectError(refused, 403, 'insufficient_scope', ['header/authorization']);
    expect(refused.headers.get('www-authenticate')).toContain('scope="events:read"');
    expect((await callWith(await keyWith('tenant', enough), method, where, body)).status).toBe(200);
  }
});
