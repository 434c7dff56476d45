/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "8", "KEY_CACHE_MS": "60000"} */
import pg from 'pg';
import { hashApiKey } from '../../../src/auth/api-key.ts';
import { expectError, send } from '../../support/client.ts';
import { keyWith } from '../../support/scoped-keys.ts';
import { companies, keys } from '../../support/world.ts';
import { statusOf } from './key-calls.ts';

function report(body: unknown) {
  return send('POST', '/leaked-keys', { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
}

test('reported keys of any company are revoked, and the response is the same for unknown keys', async () => {
  const [ours, theirs] = [await keyWith('tenant', null), await keyWith('other', ['company:read'])];
  const mistyped = `${ours.slice(0, -1)}${ours.endsWith('0') ? '1' : '0'}`;
  const real = await report({ keys: [ours, theirs] });
  const fake = await report({ keys: [keys.unknown, mistyped] });
  for (const { status, body } of [real, fake])
    expect({ status, body }).toEqual({ status: 200, body: { data: { received: 2 } } });
  for (const key of [ours, theirs]) expect(await statusOf(key, 401)).toBe(401);
  expect(await statusOf(keys.tenant, 200)).toBe(200);
  expect((await report({ keys: [ours] })).text).toBe('{"data":{"received":1}}');
});

test('the audit log of the company has an entry with the revoked key and the IP address of the reporter', async () => {
  await report({ keys: [await keyWith('directChild', null), 'x'] });
  const entries = await testService.query(
    `select actor_id, targets, fields, address from audit_log where operation = 'revokeLeakedKeys' and company_id = $1`,
    [companies.directChild],
  );
  const id = entries[0]!.actor_id;
  const targets = [{ field: 'keys', count: 1, ids: [id] }];
  expect(entries).toEqual([{ actor_id: id, targets, fields: ['keys'], address: '127.0.0.1' }]);
});

test('an unknown key sends no notification, so processes keep their cached keys', async () => {
  const listener = new pg.Client(testService.database.serviceUrl);
  await listener.connect();
  let notices = 0;
  listener.on('notification', () => (notices += 1));
  await listener.query('listen api_keys');
  const key = await keyWith('tenant', null);
  expect(await statusOf(key, 200)).toBe(200);
  const change = `update api_keys set scopes = '{learners:read}' where key_hash = decode($1, 'hex')`;
  await testService.query(change, [hashApiKey(key)]);
  await report({ keys: [keys.unknown] });
  await listener.query('select');
  await listener.end();
  expect([await statusOf(key, 200), notices]).toEqual([200, 0]);
});

test('keys that are not a list of strings return 400 naming the field', async () => {
  expectError(await report({ keys: [] }), 400, 'invalid_request', ['body/keys']);
  expectError(await report({ keys: [7] }), 400, 'invalid_request', ['body/keys/0']);
});

test('a body of unknown length is accepted', async () => {
  const { status } = await fetch(`${testService.url}/v1/leaked-keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: new Blob(['{"keys":["x"]}']).stream(),
    duplex: 'half',
  });
  expect(status).toBe(200);
});

test('too many calls from one IP address return 429 with Retry-After', async () => {
  await report({ keys: ['x'] });
  const refused = await report({ keys: ['x'] });
  expectError(refused, 429, 'rate_limited');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});
