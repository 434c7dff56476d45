/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import { keys } from '../support/world.ts';
import {
  ask,
  authorize,
  Browser,
  connect,
  expectRefusalPage,
  expectRefused,
  pkce,
  refresh,
  registerClient,
} from './oauth-support.ts';

/** Hides a table while `work` runs. */
async function without<T>(table: string, work: () => Promise<T>): Promise<T> {
  await testService.query(`alter table ${table} rename to hidden_table`);
  try {
    return await work();
  } finally {
    await testService.query(`alter table hidden_table rename to ${table}`);
  }
}

describe('a failure of the service', () => {
  test('returns an OAuth error to programs, and the log has the cause', async () => {
    const tokens = await connect();
    const reply = await without('oauth_tokens', () => refresh(tokens));
    expectRefused(reply, 'server_error', 500);
    expect(testService.log.join('')).toContain('oauth_tokens');
    expectRefused(
      await without('oauth_clients', () => ask('/oauth/register', { json: { redirect_uris: ['https://a.test/'] } })),
      'internal_error',
      500,
    );
    expect((await refresh(tokens)).status).toBe(200);
  });

  test('shows an error page to people, who can continue after the recovery', async () => {
    const clientId = await registerClient();
    expectRefusalPage(await without('oauth_clients', () => authorize(clientId, pkce().challenge)), 500);
    const browser = await new Browser().open(await authorize(clientId, pkce().challenge));
    const broken = await without('oauth_interactions', () => browser.post({ action: 'check', key: keys.tenant }));
    expect(expectRefusalPage(broken, 500)).toContain('Try again in a few minutes');
    await browser.giveKey();
    expect((await browser.decide('approve')).searchParams.get('code')).toMatch(/^[\w-]{43}$/);
  });
});

test('returns 502 everywhere before the database is found', async () => {
  testService.readiness.started = false;
  try {
    expectRefused(await ask('/oauth/token', { form: 'client_id=x' }), 'service_unavailable', 502);
    expectRefusalPage(await ask('/oauth/authorize?client_id=x'), 502);
    expectRefusalPage(await ask(`/connect/${'A'.repeat(43)}`), 502);
    expect((await ask('/.well-known/oauth-authorization-server')).status).toBe(502);
  } finally {
    testService.readiness.started = true;
  }
});
