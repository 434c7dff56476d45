/** @jest-environment-options {"KEY_CACHE_MS": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { companies, keys } from '../support/world.ts';
import { byBeginning, type Era, MODERN, read, request, resultOf, send, sendModern, withClient } from './mcp-support.ts';

const eras: Era[] = ['legacy', 'modern'];
const METADATA = () => `${testService.url}/.well-known/oauth-protected-resource/mcp`;

/** Sends a request with any Host, and with headers that only browsers can set. */
function raw(
  method: string,
  headers: Record<string, string>,
  body = '',
  path = '/mcp',
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  const { port } = new URL(testService.url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const list = JSON.stringify(request('tools/list'));
const full = () => ({
  authorization: `Bearer ${keys.tenant}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

describe('authentication', () => {
  test('a request without a token gets a challenge with the metadata of the resource, and no error', async () => {
    const { status, headers, messages } = await send(list, { key: null });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${METADATA()}", scope="tenant:read"`);
    expect(messages[0]).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { code: 'unauthorized' } } });
  });

  test.each(['expired', 'revoked', 'unknown'] as const)(
    'a key that is %s is rejected with invalid_token',
    async (key) => {
      const { status, headers, text } = await send(list, { key });
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toContain(`resource_metadata="${METADATA()}"`);
      expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
      expect(text).not.toContain(keys[key]);
    },
  );

  test.each(
    byBeginning(['Basic abc', 'Bearer', 'Bearer ', 'bearer x y', `Bearer ${'x'.repeat(8000)}`, 'Bearer ä', 'Token x']),
  )('the authorization %s is rejected', async (_beginning, authorization) => {
    const { status, headers } = await raw(
      'POST',
      { ...full(), authorization: Buffer.from(authorization).toString('latin1') },
      list,
    );
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('resource_metadata=');
  });

  test('a key in the query is ignored', async () => {
    const others: Record<string, string> = { ...full(), authorization: '' };
    for (const name of ['access_token', 'key', 'token', 'authorization'])
      expect((await raw('POST', others, list, `/mcp?${name}=${keys.tenant}`)).status).toBe(401);
  });

  test('a key that is revoked between two calls is rejected at the second call', async () => {
    const set = (value: string) =>
      testService.query(`update api_keys set revoked_at = ${value} where company_id = $1`, [companies.childB]);
    expect((await send(list, { key: 'childB' })).status).toBe(200);
    await set('now()');
    expect((await send(list, { key: 'childB' })).status).toBe(401);
    await set('null');
    expect((await send(list, { key: 'childB' })).status).toBe(200);
  });
});

describe('hosts and origins', () => {
  const methods = ['POST', 'GET', 'DELETE', 'OPTIONS', 'PUT', 'HEAD'];

  test.each(methods)('%s to a foreign host returns 403', async (method) => {
    const { port } = new URL(testService.url);
    const hosts = ['evil.example', `evil.example:${port}`, '127.0.0.1', '127.0.0.1:1', `127.0.0.1.nip.io:${port}`];
    for (const host of [...hosts, `localhost.evil.example:${port}`, `127.0.0.2:${port}`]) {
      const { status, text } = await raw(method, { ...full(), host }, method === 'POST' ? list : '');
      expect({ host, status }).toEqual({ host, status: 403 });
      expect(text).not.toContain('evil');
    }
  });

  test.each(methods)('%s to a malformed host returns 400 in the common error format', async (method) => {
    const host = `localhost@evil.example:${new URL(testService.url).port}`;
    const { status, text, headers } = await raw(method, { ...full(), host }, method === 'POST' ? list : '');
    expect(status).toBe(400);
    expect(text).not.toContain('evil');
    expect(headers['content-type']).toContain('application/json');
    if (method === 'HEAD') return;
    const { error } = JSON.parse(text) as { error: object };
    expect(error).toMatchObject({ code: 'invalid_request', message: expect.stringMatching(/host/i) });
  });

  test.each(methods)('%s from a foreign origin returns 403', async (method) => {
    const { port } = new URL(testService.url);
    const origins = [
      'https://evil.example',
      'null',
      '',
      `https://127.0.0.1:${port}`,
      'http://127.0.0.1',
      `http://127.0.0.1:${port}/`,
    ];
    for (const origin of [...origins, `http://localhost:${port}.evil.example`, `http://evil.example:${port}`]) {
      const { status, headers } = await raw(method, { ...full(), origin }, method === 'POST' ? list : '');
      expect({ origin, status }).toEqual({ origin, status: 403 });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test.each(['localhost', '127.0.0.1', '[::1]'])('%s is accepted as a host and as an origin', async (name) => {
    const { port } = new URL(testService.url);
    const place = `${name}:${port}`;
    expect((await raw('POST', { ...full(), host: place, origin: `http://${place}` }, list)).status).toBe(200);
  });
});

describe('methods and bodies', () => {
  test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'])(
    '%s returns 405, with and without a key',
    async (method) => {
      for (const key of ['tenant', null] as const) {
        const { status, headers, messages } = await send(undefined, { method, key });
        expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' });
        if (method !== 'HEAD') expect(messages[0]!.error!.message).toContain('POST');
      }
    },
  );

  test.each(
    byBeginning([
      '{',
      '',
      'null',
      '[]',
      '5',
      '"x"',
      '{}',
      '[1]',
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
      '\u0000',
      '<html>',
      `${'['.repeat(50_000)}`,
    ]),
  )('the body %s returns a protocol error', async (_beginning, body) => {
    const { status, messages, headers } = await send(body);
    expect(status).toBe(400);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(messages[0]).toMatchObject({
      jsonrpc: '2.0',
      error: { code: expect.any(Number), message: expect.any(String) },
    });
    expect(messages[0]!.error!.message).not.toMatch(/node_modules|\.ts|position \d/);
  });

  test('a body over 64 KiB returns 413, with or without Content-Length, and 64 KiB are accepted', async () => {
    const ofBytes = (bytes: number) => list.padEnd(bytes, ' ');
    expect((await send(ofBytes(64 * 1024))).status).toBe(200);
    const over = ofBytes(64 * 1024 + 1);
    const answers = [
      await raw('POST', full(), over),
      await raw('POST', { ...full(), 'transfer-encoding': 'chunked' }, over),
    ];
    for (const { status, headers, text } of answers) {
      expect({ status, type: headers['content-type'] }).toEqual({ status: 413, type: expect.stringContaining('json') });
      expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
    }
  });

  test('another content type returns 415 as JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const { status, headers } = await raw('POST', { ...full(), 'content-type': type }, list);
      expect({ type, status, answer: headers['content-type'] }).toEqual({
        type,
        status: 415,
        answer: expect.stringContaining('json'),
      });
    }
  });

  test.each([
    'prompts/list',
    'prompts/get',
    'resources/list',
    'resources/read',
    'completion/complete',
    'logging/setLevel',
    'sampling/createMessage',
    'tasks/list',
    'toString',
    '__proto__',
    '',
  ])('the method "%s" is unknown', async (method) => {
    const { messages } = await send(JSON.stringify(request(method, { name: 'x', uri: 'x' })));
    expect(messages).toMatchObject([{ id: 1, error: { code: -32601 } }]);
  });

  test.each(eras)('a notification of the %s era gets 202 without a body', async (era) => {
    const name = 'service_get_company';
    for (const method of ['notifications/initialized', 'notifications/cancelled', 'tools/call']) {
      const isModern = era === 'modern';
      const params = { name, requestId: 1, ...(isModern && { _meta: MODERN }) };
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': name };
      const body = JSON.stringify({ jsonrpc: '2.0', method, params });
      const { status, text } = await send(body, isModern ? { headers } : {});
      expect({ method, status, text }).toEqual({ method, status: 202, text: '' });
    }
  });

  test.each([0, -1, '', 'x'.repeat(1000), '💥', 2 ** 53 - 1])('the id %j is returned unchanged', async (id) => {
    const { messages } = await send(JSON.stringify(request('ping', undefined, id)));
    expect(messages).toEqual([{ jsonrpc: '2.0', id, result: {} }]);
  });

  test.each([[{}], [[]], [true], [null]])('the id %j is rejected', async (id) => {
    const { status, text } = await send(JSON.stringify(request('tools/call', { name: 'service_get_company' }, id)));
    expect({ id, status }).toEqual({ id, status: 400 });
    expect(text).not.toContain('The tenant company');
  });
});

describe('sessions', () => {
  test.each(eras)('a client of the %s era gets no session, and a session id is ignored', async (era) => {
    await withClient(era, async (client) => {
      const result = await client.callTool({ name: 'service_get_company', arguments: {} });
      expect(resultOf({ jsonrpc: '2.0', result }).text).toContain('The tenant company');
    });
    const headers = { 'mcp-session-id': 'made-up' };
    expect((await send(list, { headers })).status).toBe(200);
    expect((await sendModern('tools/list', {}, { headers })).status).toBe(200);
  });

  test('a call needs no other call before it', async () => {
    expect((await read('service_get_company')).name).toBe('The tenant company');
  });

  test('headers that contradict the body of the modern era are rejected', async () => {
    const { messages, status } = await sendModern(
      'tools/call',
      { name: 'service_get_company', arguments: {} },
      { headers: { 'mcp-name': 'service_list_learners' } },
    );
    expect({ status, code: messages[0]!.error!.code }).toEqual({ status: 400, code: -32020 });
    const unversioned = JSON.stringify(request('tools/list', { _meta: MODERN }));
    expect((await send(unversioned, { headers: { 'mcp-protocol-version': '2025-11-25' } })).status).toBe(400);
  });
});
