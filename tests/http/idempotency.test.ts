/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { type Answer, call, del, expectError, fingerprintOf, get, post, send } from '../support/client.ts';
import { keyWith } from '../support/scoped-keys.ts';
import { companies, groupId, type KeyName, keys, learnerId } from '../support/world.ts';
import { sourceSecret } from '../support/world-sources.ts';

interface Asked {
  key?: string;
  method?: string;
  path?: string;
  body?: unknown;
  who?: KeyName;
}

/** Creates a group unless the request says otherwise. */
function ask({ key = randomUUID(), method = 'POST', path = '/groups', body, who = 'tenant' }: Asked): Promise<Answer> {
  return call(who, method, path, { body, headers: { 'idempotency-key': key } });
}

const isReplay = ({ headers }: Answer) => headers.get('idempotency-replayed');
const groupsCalled = (name: string) => testService.query('select id from groups where name = $1', [name]);

test('a repeated call with its key is executed once and returns the same bytes', async () => {
  const asked = { key: randomUUID(), body: { name: 'Once', managerIds: [learnerId('tenant', 1)] } };
  const first = await ask(asked);
  expect({ status: first.status, replay: isReplay(first) }).toEqual({ status: 200, replay: null });
  const before = await fingerprintOf('tenant');
  const second = await ask({ ...asked, key: `"${asked.key}"` });
  expect({ status: second.status, replay: isReplay(second), text: second.text }).toEqual({
    status: 200,
    replay: 'true',
    text: first.text,
  });
  expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
  expect(await fingerprintOf('tenant')).toBe(before);
  expect(await groupsCalled('Once')).toHaveLength(1);
  const entries = await testService.query(`select targets from audit_log where operation = 'createGroup'`);
  expect(entries.map(({ targets }) => targets)).toEqual([
    [
      { field: 'managerIds', count: 1, ids: asked.body.managerIds },
      { field: 'id', count: 1, ids: [first.body.data.id] },
    ],
  ]);
});

test('the order of fields and white space do not matter', async () => {
  const headers = { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' };
  const sent = { ...headers, 'idempotency-key': randomUUID() };
  const email = 'spaced@tenant.test';
  const body = JSON.stringify({ email, firstName: 'A', lastName: 'B' });
  expect((await send('POST', '/learners', { headers: sent, body })).status).toBe(200);
  const spaced = JSON.stringify({ lastName: 'B', firstName: 'A', email }, null, 4);
  expect(isReplay(await send('POST', '/learners', { headers: sent, body: spaced }))).toBe('true');
});

describe('another call with the same key', () => {
  const key = randomUUID();
  const group = groupId('tenant', 2);
  beforeAll(() => ask({ key, method: 'PATCH', path: `/groups/${group}`, body: { name: 'Renamed' } }));

  test.each<[string, Asked]>([
    ['body', { method: 'PATCH', path: `/groups/${group}`, body: { name: 'Renamed twice' } }],
    ['path', { method: 'PATCH', path: `/groups/${groupId('tenant', 1)}`, body: { name: 'Renamed' } }],
    ['method', { method: 'DELETE', path: `/groups/${group}` }],
    ['operation', { body: { name: 'Renamed' } }],
  ])('is rejected if it has another %s, and changes nothing', async (_what, asked) => {
    const before = await fingerprintOf('tenant');
    const answer = await ask({ key, ...asked });
    expectError(answer, 400, 'idempotency_key_reused', ['header/idempotency-key']);
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('is rejected for other scopes and executed for another company', async () => {
    const asked = { method: 'PATCH', path: `/groups/${group}`, body: JSON.stringify({ name: 'Renamed' }) };
    const askWith = async (token: string) =>
      send(asked.method, asked.path, {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
        body: asked.body,
      });
    expect(isReplay(await askWith(await keyWith('tenant', null)))).toBe('true');
    expectError(await askWith(await keyWith('tenant', ['groups:write'])), 400, 'idempotency_key_reused');
    expectError(await askWith(await keyWith('tenant', ['groups:read'])), 403, 'insufficient_scope');
    const other = await ask({ key, who: 'other', body: { name: 'Of another company' } });
    expect({ status: other.status, replay: isReplay(other) }).toEqual({ status: 200, replay: null });
  });
});

test('a rejected call stores nothing under its key and can be repeated', async () => {
  const asked = { key: randomUUID(), body: { name: 'Taken' } };
  const { id } = (await post('/groups', { name: 'Taken' })).body.data;
  expectError(await ask(asked), 400, 'group_name_taken');
  expectError(await ask({ ...asked, body: {} }), 400, 'invalid_request');
  expect(await testService.query('select from idempotency_keys where created_at > now()')).toEqual([]);
  await del(`/groups/${id}`);
  const done = await ask(asked);
  expect({ status: done.status, replay: isReplay(done) }).toEqual({ status: 200, replay: null });
});

test('a key is valid for 24 hours and can then be used for another call', async () => {
  const asked = { key: randomUUID(), body: { name: 'Of yesterday' } };
  await ask(asked);
  const age = (interval: string) =>
    testService.query('update idempotency_keys set created_at = now() - $1::interval', [interval]);
  await age('23 hours 59 minutes');
  expect(isReplay(await ask(asked))).toBe('true');
  await age('24 hours 1 minute');
  const today = { ...asked, body: { name: 'Of today' } };
  expect((await ask(today)).status).toBe(200);
  expect(isReplay(await ask(today))).toBe('true');
  expectError(await ask(asked), 400, 'idempotency_key_reused');
});

test.each([
  ['no characters', ''],
  ['256 characters', 'x'.repeat(256)],
  ['a space', 'a key'],
  ['a tab', 'a\tkey'],
  ['Latin-1 letters', 'schl\u00fcssel'],
  ['an unclosed quote', '"key'],
])("a key of %s is rejected with the header's name", async (_what, key) => {
  const before = await fingerprintOf('tenant');
  expectError(await ask({ key, body: { name: 'Never' } }), 400, 'invalid_request', ['header/idempotency-key']);
  expect(await fingerprintOf('tenant')).toBe(before);
});

test('two Idempotency-Key headers are rejected even if they are equal', async () => {
  const status = await new Promise((resolve, reject) => {
    const authorization = ['Authorization', `Bearer ${keys.tenant}`];
    const twice = ['Idempotency-Key', 'one', 'Idempotency-Key', 'one'];
    const path = `${testService.url}/v1/groups/${groupId('tenant', 1)}`;
    const headers = [...authorization, ...twice];
    request(path, { method: 'DELETE', headers }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(400);
});

test('a read ignores the header and its value', async () => {
  for (const key of ['same', 'same', '', 'no key']) {
    const answer = await ask({ method: 'GET', path: '/groups', key });
    expect({ status: answer.status, replay: isReplay(answer) }).toEqual({ status: 200, replay: null });
  }
});

test('the idempotency table reveals neither the key nor a secret in the response, and a repeated call returns the secret', async () => {
  const asked = { key: 'guessed', path: '/api-keys', body: { name: 'Of a backup', scopes: ['groups:read'] } };
  const { body } = await ask(asked);
  const text = await testService.query('select k::text, answer from idempotency_keys k');
  const secret = body.data.secret as string;
  const kept = text.map(({ k, answer }) => `${String(k)} ${String(answer)}`).join('\n');
  expect(kept).not.toContain(secret.slice(0, 8));
  expect(kept).not.toContain(Buffer.from(secret).toString('hex'));
  expect(kept).not.toContain('guessed');
  expect((await ask(asked)).body.data.secret).toBe(secret);
});

test('a response that contains a secret is replayed only to the API key that made the call', async () => {
  const body = JSON.stringify({ name: 'For a year' });
  const create = async (token: string) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': 'leaked',
    };
    return send('POST', '/api-keys', { headers, body });
  };
  const first = await create(keys.tenant);
  const made = await post('/api-keys', {
    name: 'For an hour',
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const before = await fingerprintOf('tenant');
  for (const token of [made.body.data.secret as string, await keyWith('tenant', null)]) {
    const answer = await create(token);
    expectError(answer, 400, 'idempotency_key_reused', ['header/idempotency-key']);
    expect(answer.text).not.toContain(first.body.data.secret);
  }
  expect(await fingerprintOf('tenant')).toBe(before);
  const again = await create(keys.tenant);
  expect({ replay: isReplay(again), text: again.text }).toEqual({ replay: 'true', text: first.text });
});

test('a key that rotates itself gets the same response again, although its expiry has changed', async () => {
  const made = (await post('/api-keys', { name: 'To rotate' })).body.data;
  const rotate = () => {
    const headers = { authorization: `Bearer ${made.secret}`, 'idempotency-key': 'rotation' };
    return send('POST', `/api-keys/${made.apiKey.id}/rotate`, { headers });
  };
  const first = await rotate();
  expect(first.status).toBe(200);
  const again = await rotate();
  expect({ replay: isReplay(again), text: again.text }).toEqual({ replay: 'true', text: first.text });
});

test('a repeated call sends its emails once', async () => {
  const asked = { path: '/admins', body: { email: 'once@tenant.test', firstName: 'A', lastName: 'B' } };
  const key = randomUUID();
  const { body } = await ask({ key, ...asked });
  expect(isReplay(await ask({ key, ...asked }))).toBe('true');
  const messages = await testService.query('select from messages where admin_id = $1', [body.data.id]);
  expect(messages).toHaveLength(1);
});

test('purging removes keys older than a day of every company, in portions', async () => {
  await testService.query('delete from idempotency_keys');
  await testService.query(
    `insert into idempotency_keys (company_id, key_hash, fingerprint, created_at)
    select company_id, sha256(n::text::bytea), sha256('asked'), now() - n * interval '1 hour'
      from unnest(array[$1, $2]::uuid[]) as company_id, generate_series(20, 29) as n`,
    [companies.msp, companies.other],
  );
  const deleted: number[] = [];
  const left = async () => Number((await testService.query('select count(*) from idempotency_keys'))[0]!.count);
  for (let company: unknown = '00000000-0000-0000-0000-000000000000', before = await left(); company;) {
    const [row] = await testService.query('select purge_idempotency_keys($1, 4) as company', [company]);
    deleted.push(before - (before = await left()));
    company = row!.company;
  }
  expect(deleted).toEqual([4, 2, 4, 2, 0]);
  expect(
    await testService.query(`select from idempotency_keys where created_at < now() - interval '24 hours'`),
  ).toEqual([]);
});

test('idempotency keys belong to their source, and survive a rotation of its secret', async () => {
  const body = JSON.stringify({ messageId: '<unknown@mail.test>' });
  const report = async (token: string) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': 'report',
    };
    const answer = await send('POST', '/reported-messages', { headers, body });
    return { status: answer.status, replay: isReplay(answer) };
  };
  const secret = sourceSecret('tenant', 'reported_messages');
  expect(await report(secret)).toEqual({ status: 200, replay: null });
  expect(await report(keys.tenant)).toEqual({ status: 200, replay: null });
  const { body: sources } = await get('/sources');
  const source = sources.data.find(({ kind }: { kind: string }) => kind === 'reported_messages');
  const rotated = await post(`/sources/${source.id}/rotate`);
  expect(await report(rotated.body.data.secret)).toEqual({ status: 200, replay: 'true' });
});
