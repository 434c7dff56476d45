import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';

const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as object;
const ask = (path: string, init?: RequestInit) => fetch(`${testService.url}/v1${path}`, init);

const twins = [
  ['/openapi.json', 'application/json; charset=utf-8', JSON.parse],
  ['/openapi.yaml', 'application/yaml; charset=utf-8', load],
] as const;

describe.each(twins)('%s', (path, type, parse) => {
  test('is the contract, with a strong tag and no-cache', async () => {
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]{43}(\.gzip)?"$/);
    expect(parse(await answer.text())).toEqual(contract);
  });

  test('returns 304 without a body for a matching tag, and 200 otherwise', async () => {
    const etag = (await ask(path)).headers.get('etag')!;
    for (const given of [etag, `"another", ${etag}`, `W/${etag}`, '*']) {
      const answer = await ask(path, { headers: { 'if-none-match': given } });
      expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([304, etag, '']);
      expect(answer.headers.has('content-type')).toBe(false);
    }
    expect((await ask(path, { headers: { 'if-none-match': '"another"' } })).status).toBe(200);
  });

  test('returns the headers of GET for HEAD', async () => {
    const [head, whole] = await Promise.all([ask(path, { method: 'HEAD' }), ask(path)]);
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['content-type', 'etag']) expect(head.headers.get(name)).toBe(whole.headers.get(name));
    expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'));
  });

  test('can be read by pages of any origin, with its tag', async () => {
    const headers = { origin: 'https://tools.example' };
    const answer = await ask(path, { headers });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toContain('ETag');
    const preflight = await ask(path, {
      method: 'OPTIONS',
      headers: {
        ...headers,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'if-none-match',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('if-none-match');
  });

  test.each(['POST', 'PUT', 'DELETE'])('rejects %s with 405 and the allowed methods', async (method) => {
    const answer = await ask(path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(((await answer.json()) as any).error.code).toBe('method_not_allowed');
  });
});

test('the two formats have different tags', async () => {
  const [json, yaml] = await Promise.all([ask('/openapi.json'), ask('/openapi.yaml')]);
  expect(json.headers.get('etag')).not.toBe(yaml.headers.get('etag'));
});
