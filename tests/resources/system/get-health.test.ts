import { call, send } from '../../support/client.ts';

describe('GET /health', () => {
  test('answers without a key that the process is alive, and at what time', async () => {
    const { status, body } = await send('GET', '/health');
    expect(status).toBe(200);
    expect(body.data).toEqual({
      status: 'ok',
      service: 'security-awareness-program-service',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(Math.abs(Date.parse(body.data.timestamp) - Date.now())).toBeLessThan(5000);
  });

  test('uses no budget of the key that comes with it, and does not mind a wrong one', async () => {
    for (const key of ['tenant', 'revoked', 'unknown'] as const) {
      const { status, headers } = await call(key, 'GET', '/health');
      expect({ status, rateLimit: headers.get('ratelimit') }).toEqual({ status: 200, rateLimit: null });
    }
  });

  test('HEAD answers as GET does, without the body', async () => {
    const full = await send('GET', '/health');
    const { status, text, headers } = await send('HEAD', '/health');
    expect({ status, text }).toEqual({ status: 200, text: '' });
    expect(headers.get('content-length')).toBe(full.headers.get('content-length'));
  });

  test('answers while the process is not ready', async () => {
    testService.readiness.ready = false;
    const { status } = await send('GET', '/health');
    testService.readiness.ready = true;
    expect(status).toBe(200);
  });
});
