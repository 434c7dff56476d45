import { expectError, send } from '../../support/client.ts';

afterEach(() => {
  testService.readiness.ready = true;
});

describe('GET /ready', () => {
  test('returns without a key that the service can receive traffic', async () => {
    const { status, body } = await send('GET', '/ready');
    expect(status).toBe(200);
    expect(body.data).toEqual({
      status: 'ready',
      service: 'security-awareness-program-service',
      checks: { rateLimit: 'enabled' },
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  test('returns 503 while the process is not ready, and 200 once it is', async () => {
    testService.readiness.ready = false;
    expectError(await send('GET', '/ready'), 503, 'not_ready');
    expect((await send('HEAD', '/ready')).status).toBe(503);
    testService.readiness.ready = true;
    expect((await send('GET', '/ready')).status).toBe(200);
  });
});
