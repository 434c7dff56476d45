import type { Request, Response } from 'express';
import { limitByKey } from '../../src/web/rate-limits.ts';

/** What the limit looks at of a request by a key, or by a source. */
function requestBy(keyId: string, source?: object): [Request, Response] {
  const res = {
    locals: { caller: { keyId, source } },
    headersSent: false,
    setHeader: () => undefined,
    append: () => undefined,
    getHeader: () => '60',
  };
  const req = { res, ip: '127.0.0.1', headers: {}, app: { get: () => false }, once: () => undefined };
  return [req, res] as unknown as [Request, Response];
}

describe('the budget of a key', () => {
  test('serves of requests that are counted in one moment as many as it has', async () => {
    const { limit } = limitByKey(5, new Map());
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () => {
        return new Promise<unknown>((resolve) => void limit(...requestBy('key'), resolve));
      }),
    );
    const refused = outcomes.filter((outcome) => outcome !== undefined);
    expect(refused).toHaveLength(7);
    for (const error of refused) expect(error).toMatchObject({ code: 'rate_limited' });
  });

  test('is one for requests and for calls within them, and each key has its own', async () => {
    const { limit, take } = limitByKey(2, new Map());
    take('key');
    await new Promise<unknown>((resolve) => void limit(...requestBy('key'), resolve));
    expect(() => take('key')).toThrow('Too many requests');
    expect(() => take('other')).not.toThrow();
  });

  test('is a tenth of that of a source, which has its own', async () => {
    const { limit } = limitByKey(2, new Map());
    const outcomes = await Promise.all(
      Array.from({ length: 22 }, () => {
        return new Promise<unknown>((resolve) => void limit(...requestBy('source', {}), resolve));
      }),
    );
    expect(outcomes.filter((outcome) => outcome !== undefined)).toHaveLength(2);
    expect(await new Promise<unknown>((resolve) => void limit(...requestBy('source'), resolve))).toBeUndefined();
  });

  test('is without end where the limit is off', () => {
    const { take } = limitByKey(0, new Map());
    for (let n = 0; n < 10_000; n++) take('key');
  });
});
