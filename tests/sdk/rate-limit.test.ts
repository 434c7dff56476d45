/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "2"} */
import { clientOf, failureOf } from './support.ts';

test('a call over the rate limit waits for the next minute and succeeds', async () => {
  const client = clientOf('tenant', { maxRetries: 1 });
  const began = performance.now();
  await client.getCompany();
  await client.getCompany();
  const refused = await failureOf(client.getCompany({}, { maxRetries: 0 }));
  expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(refused.retryAfter).toBeGreaterThan(0);
  expect(refused.retryAfter).toBeLessThanOrEqual(60);
  const created = await client.createLearner({
    body: { email: 'late@tenant.test', firstName: 'Rosalind', lastName: 'Franklin' },
  });
  expect(created.email).toBe('late@tenant.test');
  expect(performance.now() - began).toBeGreaterThan((refused.retryAfter - 1) * 1000);
  const rows = await testService.query(`select count(*)::int as count from learners where email = 'late@tenant.test'`);
  expect(rows).toEqual([{ count: 1 }]);
});
