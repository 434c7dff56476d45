import { call, get, post, send } from '../support/client.ts';
import { Learner } from '../support/learner.ts';
import { companies, keys, learnerId } from '../support/world.ts';

test('each request leaves one line with operation, status, key and company', async () => {
  await call('tenant', 'GET', '/company', { headers: { 'x-request-id': 'from-the-client' } });
  const line = testService.log.map((text) => JSON.parse(text)).find((entry) => entry.requestId === 'from-the-client');
  expect(line).toMatchObject({
    method: 'GET',
    operationId: 'getCompany',
    status: 200,
    complete: true,
    companyId: companies.tenant,
    keyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    ms: expect.any(Number),
  });
});

test('a response carries its request id, and an unsafe one is replaced', async () => {
  const kept = await call('tenant', 'GET', '/company', { headers: { 'x-request-id': 'abc.1' } });
  expect(kept.headers.get('x-request-id')).toBe('abc.1');
  const replaced = await call('tenant', 'GET', '/company', { headers: { 'x-request-id': 'a b{"level":60}' } });
  expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test('neither keys nor personal data reach the log', async () => {
  const learner = { email: 'secret.person@tenant.test', firstName: 'Secret', lastName: 'Person' };
  await post('/learners', learner);
  await post('/learners', learner);
  await post('/learners', { ...learner, email: 'secret.person@gmail.com' });
  await get(`/learners/${learnerId('tenant', 1)}`);
  await send('GET', `/company?key=${keys.tenant}`, { headers: { authorization: `Bearer ${keys.tenant}` } });
  await send('GET', `/nowhere/${keys.tenant}`);
  const log = testService.log.join('');
  expect(log).not.toContain(keys.tenant.slice(16));
  expect(log).not.toMatch(/secret/i);
  expect(log).not.toContain('learner1@');
});

test('the log does not reveal which learner opens a page', async () => {
  const learner = await Learner.of('tenant', 2);
  await learner.get('/learn');
  const line = testService.log.map((text) => JSON.parse(text)).findLast((entry) => entry.ms !== undefined);
  expect(line).toMatchObject({ method: 'GET', status: 200 });
  expect(JSON.stringify(line)).not.toContain(learnerId('tenant', 2));
});
