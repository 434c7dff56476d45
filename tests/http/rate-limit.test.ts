/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "5", "AUTH_FAILURES_PER_MINUTE": "3"} */
import { call, expectError, get } from '../support/client.ts';

test('a key over its limit gets 429 with the wait, and other keys are not limited', async () => {
  for (let left = 4; left >= 0; left--) {
    const { status, headers } = await get('/company');
    expect(status).toBe(200);
    expect(headers.get('ratelimit')).toMatch(new RegExp(`^"per-key"; r=${left}; t=\\d+$`));
    expect(headers.get('ratelimit-policy')).toMatch(/^"per-key"; q=5; w=60/);
  }
  const refused = await get('/company');
  expectError(refused, 429, 'rate_limited');
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect(refused.body.error!.message).toContain(`${wait} seconds`);
  expect(refused.headers.get('ratelimit')).toMatch(/r=0/);

  expect((await get('/company', 'other')).status).toBe(200);
});

test('the limit applies before validation', async () => {
  for (let i = 0; i < 5; i++) expect((await get('/company', 'childA')).status).toBe(200);
  expectError(await call('childA', 'POST', '/learners', { body: { nonsense: true } }), 429, 'rate_limited');
});

test('failed authentication is limited by IP address, and a valid key still passes', async () => {
  for (let i = 0; i < 3; i++) expectError(await get('/company', 'unknown'), 401, 'unauthorized');
  const refused = await get('/company', 'unknown');
  expectError(refused, 429, 'rate_limited');
  expect(refused.headers.get('ratelimit-policy')).toMatch(/^"failed-authentication"; q=3/);
  expect((await get('/company', 'prospect')).status).toBe(200);
});
