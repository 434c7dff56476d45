/** @jest-environment-options {"CORS_ORIGINS": "https://tools.example"} */
import { call, send } from '../support/client.ts';

test('a preflight from an allowed origin permits the Authorization header', async () => {
  const answer = await send('OPTIONS', '/learners', {
    headers: {
      origin: 'https://tools.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });
  expect(answer.status).toBe(204);
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://tools.example');
  expect(answer.headers.get('access-control-allow-headers')).toContain('authorization');
});

test('a page of an allowed origin can read responses and their rate-limit headers', async () => {
  const answer = await call('tenant', 'GET', '/company', { headers: { origin: 'https://tools.example' } });
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://tools.example');
  expect(answer.headers.get('access-control-expose-headers')).toContain('RateLimit');
});

test('another origin gets no CORS header', async () => {
  const answer = await call('tenant', 'GET', '/company', { headers: { origin: 'https://evil.example' } });
  expect(answer.headers.get('access-control-allow-origin')).not.toBe('https://evil.example');
});
