/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import { get } from '../support/client.ts';
import { companies, id } from '../support/world.ts';
import { authorize, Browser, connect, pkce, refresh, registerClient, revoke } from './oauth-support.ts';

async function grantOf(clientId: string): Promise<string> {
  const [grant] = await testService.query('select id from oauth_grants where client_id = $1', [clientId]);
  return grant!.id as string;
}

/** Returns the audit log entries of a grant. */
function entriesOf(grantId: string): Promise<Record<string, unknown>[]> {
  return testService.query(
    `select * from audit_log where targets @> jsonb_build_array(jsonb_build_object('ids', $1::jsonb))`,
    [JSON.stringify([grantId])],
  );
}

const ofGrant = (grantId: string) => ({
  company_id: companies.msp,
  actor_company_id: companies.msp,
  outcome: 'done',
  targets: [{ field: 'grantId', count: 1, ids: [grantId] }],
  fields: [],
  request_id: expect.any(String),
  address: '127.0.0.1',
});

test('an approval is recorded for the approving key, and its end for the connection', async () => {
  const { clientId, access } = await connect('msp');
  const grantId = await grantOf(clientId);
  const approval = { operation: 'approveGrant', actor_type: 'key', actor_id: id('e', 3), ...ofGrant(grantId) };
  expect(await entriesOf(grantId)).toMatchObject([approval]);

  await revoke(clientId, access);
  await revoke(clientId, access);
  const end = { operation: 'endGrant', actor_type: 'grant', actor_id: grantId, ...ofGrant(grantId) };
  expect(await entriesOf(grantId)).toMatchObject([approval, end]);
  const { body } = await get('/audit-log?operation=endGrant', 'msp');
  expect(body.data.entries).toMatchObject([{ actorType: 'grant', targets: [{ ids: [grantId] }] }]);
});

test('the end of a connection after a token theft is recorded', async () => {
  const tokens = await connect('msp');
  const grantId = await grantOf(tokens.clientId);
  await refresh(tokens);
  await testService.query(
    `update oauth_tokens set consumed_at = now() - interval '1 hour' where consumed_at is not null`,
  );
  expect((await refresh(tokens)).body.error).toBe('invalid_grant');
  expect((await entriesOf(grantId)).map(({ operation }) => operation)).toEqual(['approveGrant', 'endGrant']);
});

test('an approval or end that cannot be recorded does not happen', async () => {
  const tokens = await connect('msp');
  const browser = await new Browser().open(await authorize(await registerClient(), pkce().challenge));
  await browser.giveKey('msp');
  await testService.query(`alter table audit_log add constraint refuses check (operation not like '%Grant') not valid`);
  try {
    expect((await browser.post({ action: 'approve' })).status).toBe(500);
    expect((await revoke(tokens.clientId, tokens.access)).status).toBe(500);
  } finally {
    await testService.query('alter table audit_log drop constraint refuses');
  }
  const opens = 'select from oauth_tokens t join oauth_grants g on g.id = t.grant_id where g.client_name is null';
  expect(await testService.query(opens)).toEqual([]);
  expect(await grantOf(tokens.clientId)).toEqual(expect.any(String));
});

test('a denial changes nothing and is not recorded', async () => {
  const browser = await new Browser().open(await authorize(await registerClient(), pkce().challenge));
  await browser.giveKey('tenant');
  await browser.decide('deny');
  expect((await get('/audit-log')).body.data.entries).toEqual([]);
});
