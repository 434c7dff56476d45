/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import { del, expectError, get } from '../../support/client.ts';
import { keyWith } from '../../support/scoped-keys.ts';
import { connectionId } from '../../support/world-sources.ts';
import { spareKeyId } from '../../support/world.ts';
import { callWith } from './key-calls.ts';
import { approvedCode, connect, exchange, refresh } from '../../mcp/oauth-support.ts';

const idsOf = async (key: 'tenant' | 'msp' = 'tenant') =>
  (await get('/connections', key)).body.data.map(({ id }: { id: string }) => id) as string[];

describe('GET /connections', () => {
  test('lists the connections of the company with their scopes and expiry', async () => {
    const { body } = await get('/connections');
    expect(body.data).toEqual([
      {
        id: connectionId('tenant'),
        name: 'Test assistant',
        redirectHost: 'assistant.test',
        apiKeyId: spareKeyId('tenant'),
        scopes: null,
        createdAt: expect.any(String),
        expiresAt: '2099-01-01T00:00:00.000Z',
        lastUsedAt: null,
      },
    ]);
  });

  test('omits connections of child companies, of revoked keys and with an expired grant', async () => {
    expect(await idsOf('msp')).toEqual([connectionId('msp')]);
    await testService.query('update api_keys set revoked_at = now() where id = $1', [spareKeyId('msp')]);
    expect(await idsOf('msp')).toEqual([]);
    await testService.query('update api_keys set revoked_at = null where id = $1', [spareKeyId('msp')]);
    await testService.query(`update oauth_grants set expires_at = now() where connection_id = $1`, [
      connectionId('msp'),
    ]);
    expect(await idsOf('msp')).toEqual([]);
  });

  test('lists a newly approved application last', async () => {
    const { clientId } = await connect();
    const [grant] = await testService.query('select connection_id from oauth_grants where client_id = $1', [clientId]);
    expect((await idsOf()).at(-1)).toBe(grant!.connection_id);
  });
});

describe('DELETE /connections/{connectionId}', () => {
  test('ends the access of the application at once and writes one audit log entry', async () => {
    const tokens = await connect('other');
    const id = (await get('/connections', 'other')).body.data.at(-1).id as string;
    expect((await del(`/connections/${id}`, undefined, 'other')).body.data).toEqual({ id });
    expect((await refresh(tokens)).body.error).toBe('invalid_grant');
    expect(
      await testService.query('select from oauth_tokens t where t.grant_id not in (select g.id from oauth_grants g)'),
    ).toEqual([]);
    expectError(await del(`/connections/${id}`, undefined, 'other'), 404, 'not_found');
    const { entries } = (await get('/audit-log?operation=endConnection', 'other')).body.data;
    expect(entries).toMatchObject([
      { actorType: 'key', outcome: 'done', targets: [{ field: 'connectionId', ids: [id] }] },
    ]);
  });

  test('invalidates an authorization code that was not redeemed', async () => {
    const connection = await approvedCode('childA');
    const id = (await get('/connections', 'childA')).body.data.at(-1).id as string;
    await del(`/connections/${id}`, undefined, 'childA');
    expect((await exchange(connection)).body.error).toBe('invalid_grant');
  });

  test('returns 404 to the MSP of a child company and keeps the connection', async () => {
    expectError(await del(`/connections/${connectionId('childB')}`, undefined, 'msp'), 404, 'not_found');
    expect((await get('/connections', 'childB')).body.data).toHaveLength(1);
  });

  test('returns 403 to a key with only api_keys:read', async () => {
    const reader = await keyWith('tenant', ['api_keys:read']);
    expect((await callWith(reader, 'GET', '/connections')).status).toBe(200);
    expectError(await callWith(reader, 'DELETE', `/connections/${connectionId('tenant')}`), 403, 'insufficient_scope');
  });
});
