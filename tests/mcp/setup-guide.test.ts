import { buildBridgeStart } from '../../src/mcp/setup-guide.ts';
import { send } from '../support/client.ts';

const get = (path: string, method = 'GET') => fetch(`${testService.url}${path}`, { method });

describe('the setup guide', () => {
  test('is a page with the URL of the tool server in each snippet, and no script', async () => {
    const answer = await get('/setup');
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'none'/);
    const snippets = [...html.matchAll(/<pre[^>]*><code>([^<]*)/g)].map((match) => match[1]!);
    expect(snippets).toHaveLength(6);
    for (const snippet of snippets) expect(snippet).toContain(`${testService.url}/mcp`);
    expect(html).not.toMatch(/<script|sk_demo/);
  });

  test('has JSON snippets that can be pasted', async () => {
    const html = (await (await get('/setup')).text()).replaceAll('&quot;', '"');
    const snippets = [...html.matchAll(/<pre[^>]*><code>(\{[^<]*)/g)].map((match) => match[1]!);
    expect(snippets).toHaveLength(4);
    for (const snippet of snippets) expect(Object.keys(JSON.parse(snippet) as object)).toHaveLength(1);
  });

  test.each(['POST', 'PUT', 'DELETE'])('returns 405 for %s with the URL of the tool server', async (method) => {
    const answer = await get('/setup', method);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(((await answer.json()) as any).error.message).toContain(`${testService.url}/mcp`);
  });

  test('runs a published bridge from npm with its version, and an unpublished one from its file', () => {
    const [name, version] = ['security-awareness-mcp-bridge', '0.2.0'];
    expect(buildBridgeStart({ name: `@vendor/${name}`, version }).args).toEqual(['-y', `@vendor/${name}@0.2.0`]);
    expect(buildBridgeStart({ name, version })).toEqual({ command: 'node', args: ['/path/to/bridge/bridge.mjs'] });
  });

  test('is not an operation of the API', async () => {
    expect((await send('GET', '/setup')).status).toBe(404);
  });
});
