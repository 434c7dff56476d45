/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { get, send } from '../support/client.ts';

test('a limit of 0 disables rate limiting, and /ready says so', async () => {
  expect((await get('/company')).headers.has('ratelimit')).toBe(false);
  expect((await send('GET', '/ready')).body.data.checks).toEqual({ rateLimit: 'disabled' });
});
