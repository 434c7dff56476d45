import { readFileSync } from 'node:fs';
import { call, get, send } from '../../support/client.ts';

describe('GET /openapi.json', () => {
  test('returns the committed document without a key or an envelope', async () => {
    const { status, text, headers } = await send('GET', '/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const committed = JSON.stringify(JSON.parse(readFileSync('generated/openapi.json', 'utf8')));
    expect(text).toBe(committed);
  });

  test('every reference in the document resolves', async () => {
    const { text } = await send('GET', '/openapi.json');
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!);
    expect(references.length).toBeGreaterThan(100);
    const document: unknown = JSON.parse(text);
    for (const reference of new Set(references)) {
      const steps = reference.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
      expect(steps.shift()).toBe('#');
      expect(steps.reduce((at: any, step) => at?.[step], document)).toBeDefined();
    }
  });

  test('any origin can read it, and HEAD returns the same as GET without the body', async () => {
    const full = await send('GET', '/openapi.json', { headers: { origin: 'https://docs.example.org' } });
    expect(full.headers.get('access-control-allow-origin')).toBe('*');
    const head = await send('HEAD', '/openapi.json');
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
    expect(head.headers.get('content-length')).toBe(full.headers.get('content-length'));
  });

  test('uses no rate limit of a key, and ignores an invalid key', async () => {
    expect((await call('revoked', 'GET', '/openapi.json')).headers.get('ratelimit')).toBeNull();
    expect((await get('/openapi.json')).status).toBe(200);
  });
});
