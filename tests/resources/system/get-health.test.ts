import { call, send } from '../../support/client.ts';

describe('GET /health', () => {
  test('returns the status and the time without a key', async () => {
    const { status, body } = await send('GET', '/health');
    expect(status).toBe(200);
    expect(body.data).toEqual({
      status: 'ok',
      service: 'security-awareness-program-service',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(Math.abs(Date.parse(body.data.timestamp) - Date.now())).toBeLessThan(5000);
  });

  test('uses no rate limit of a key, and ignores an invalid key', async () => {
    for (const key of ['tenant', 'revoked', 'unknown'] as const) {
      const { status, headers } = await call(key, 'GET', '/health');
      expect({ status, rateLimit: headers.get('ratelimit') }).toEqual({ status: 200, rateLimit: null });
    }
  });

  test('HEAD returns the same as GET without the body', async () => {
    const full = await send('GET', '/health');
    const { status, text, headers } = await send('HEAD', '/health');
    expect({ status, text }).toEqual({ status: 200, text: '' });
    expect(headers.get('content-length')).toBe(full.headers.get('content-length'));
  });

  test('returns 200 while the process is not ready', async () => {
    testService.readiness.ready = false;
    const { status } = await send('GET', '/health');
    testService.readiness.ready = true;
    expect(status).toBe(200);
  });
});
