/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import { authorize, connect, pkce, refresh, registerClient } from './oauth-support.ts';
import { verify } from './verify.ts';

async function sweep(): Promise<void> {
  await testService.query('select sweep_oauth()');
}

async function count(table: string): Promise<unknown> {
  return (await testService.query(`select count(*)::integer as number from ${table}`))[0]!.number;
}

test('usable tokens, grants and approvals are kept', async () => {
  const tokens = await connect();
  await authorize(tokens.clientId, pkce().challenge);
  await sweep();
  expect(await verify(tokens.access)).toBeDefined();
  expect((await refresh(tokens)).status).toBe(200);
  expect(await count('oauth_interactions')).toBe(1);
});

test('expired tokens, approvals and grants are deleted, and so are grants of revoked keys', async () => {
  await connect();
  await connect('prospect');
  await testService.query(
    `update oauth_tokens set expires_at = now() - interval '1 second' where kind = 'AccessToken'`,
  );
  await testService.query(`update oauth_interactions set expires_at = now() - interval '1 second'`);
  await testService.query(`update api_keys set revoked_at = now() where public_id = 'testkey00008'`);
  await sweep();
  expect(await count(`oauth_tokens where kind = 'AccessToken'`)).toBe(0);
  expect(await count('oauth_interactions')).toBe(0);
  expect(await count(`oauth_grants g join api_keys k on k.id = g.api_key_id where k.public_id = 'testkey00008'`)).toBe(
    0,
  );
  await testService.query(`update api_keys set revoked_at = null where public_id = 'testkey00008'`);
  await testService.query(`update oauth_grants set expires_at = now() - interval '1 second'`);
  await sweep();
  expect([await count('oauth_grants'), await count('oauth_tokens')]).toEqual([0, 0]);
});

test('a client is deleted after a day without an approval, or after 90 days without a grant', async () => {
  const fresh = await registerClient();
  const never = await registerClient();
  const { clientId: once } = await connect();
  const { clientId: now } = await connect();
  const age = (days: number) =>
    testService.query(
      `update oauth_clients set created_at = created_at - $1 * interval '1 day', approved_at = approved_at - $1 * interval '1 day'
        where id <> $2`,
      [days, fresh],
    );
  const left = async () => (await testService.query('select id from oauth_clients')).map(({ id }) => id);
  await age(2);
  await sweep();
  expect(await left()).toEqual(expect.arrayContaining([fresh, once, now]));
  expect(await left()).not.toContain(never);
  await age(90);
  await testService.query('delete from oauth_grants where client_id = $1', [once]);
  await sweep();
  expect((await left()).toSorted()).toEqual([fresh, now].toSorted());
});
