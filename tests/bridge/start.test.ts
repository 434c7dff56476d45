import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectRefusal } from '../process/support.ts';
import { Bridge, type BridgeOptions, bridgeFolder, KEY, request, startToolServer, stopAll } from './support.ts';

afterEach(stopAll);

const manifest = JSON.parse(readFileSync(join(bridgeFolder, 'package.json'), 'utf8'));

async function ended(options: BridgeOptions) {
  const bridge = new Bridge(options);
  bridge.child.stdin!.end();
  return { code: await bridge.exit, stdout: bridge.stdout, stderr: bridge.stderr };
}

/** Code that replaces fetch and prints its arguments on stderr. */
const fetchSpy = `globalThis.fetch = async (url, { headers }) => {
  process.stderr.write(JSON.stringify({ url, key: headers.Authorization }));
  return Response.json({ jsonrpc: '2.0', id: 1, result: {} });
};`;

test.each([
  ['is missing', {}],
  ['is empty', { SERVICE_API_KEY: '' }],
])('a key that %s is rejected', async (_, env) => {
  expectRefusal(await ended({ env }), 64, 'SERVICE_API_KEY is not set');
});

test.each(['sk_x y', ' sk_x', 'sk_x\n', '"sk_x"', 'Bearer sk_x', 'schlüssel', 'sk_x\r\nX-Evil: 1'])(
  'a malformed key is rejected without being repeated: %j',
  async (key) => {
    const refusal = await ended({ env: { SERVICE_API_KEY: key } });
    expectRefusal(refusal, 64, 'SERVICE_API_KEY contains characters that are not valid');
    expect(refusal.stderr).not.toContain('sk_x');
  },
);

test('the key is sent to the default URL, which the file contains once', async () => {
  const bridge = new Bridge({ env: { SERVICE_API_KEY: KEY }, preload: fetchSpy });
  bridge.write(request(1));
  await bridge.read(1);
  expect(JSON.parse(bridge.stderr)).toEqual({ url: 'https://awareness.example.com/mcp', key: `Bearer ${KEY}` });
  expect(readFileSync(join(bridgeFolder, 'bridge.mjs'), 'utf8').split('awareness.example.com')).toHaveLength(2);
});

test.each(['', '0', 'true', 'yes'])(
  'another URL is rejected if SERVICE_MCP_ALLOW_CUSTOM_URL is %j, and gets no request',
  async (allow) => {
    const server = await startToolServer();
    const env = { SERVICE_API_KEY: KEY, SERVICE_MCP_URL: server.url, SERVICE_MCP_ALLOW_CUSTOM_URL: allow };
    const refusal = await ended({ env });
    expectRefusal(refusal, 64, /SERVICE_MCP_URL .* SERVICE_MCP_ALLOW_CUSTOM_URL=1/);
    expect(server.requests).toHaveLength(0);
  },
);

test('an empty SERVICE_MCP_URL is ignored', async () => {
  expect(await ended({ env: { SERVICE_API_KEY: KEY, SERVICE_MCP_URL: '' } })).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
});

test.each([
  ['http://example.com/mcp', 'https://'],
  ['http://127.0.0.1.example.com/mcp', 'https://'],
  ['http://localhost.example.com/mcp', 'https://'],
  ['http://10.0.0.1/mcp', 'https://'],
  ['http://0.0.0.0/mcp', 'https://'],
  ['http://[::ffff:127.0.0.1]/mcp', 'https://'],
  ['http://127.0.0.1@example.com/mcp', 'https://'],
  ['ftp://127.0.0.1/mcp', 'https://'],
  ['file:///etc/passwd', 'https://'],
  ['127.0.0.1:3000/mcp', 'not a valid URL'],
  ['mcp', 'not a valid URL'],
  ['https://user:secret@example.com/mcp', 'user name'],
])('%s is rejected even if other URLs are allowed', async (url, reason) => {
  const env = { SERVICE_API_KEY: KEY, SERVICE_MCP_URL: url, SERVICE_MCP_ALLOW_CUSTOM_URL: '1' };
  const refusal = await ended({ env });
  expectRefusal(refusal, 64, reason);
  expect(refusal.stderr).toMatch(/^security-awareness-mcp-bridge: SERVICE_MCP_URL /);
  expect(refusal.stderr).not.toContain('secret');
});

test.each(['https://tools.example.org/mcp', 'http://localhost:1/mcp', 'http://127.8.9.1:1/mcp', 'http://[::1]:1/mcp'])(
  '%s is accepted if other URLs are allowed',
  async (url) => {
    const env = { SERVICE_API_KEY: KEY, SERVICE_MCP_URL: url, SERVICE_MCP_ALLOW_CUSTOM_URL: '1' };
    expect(await ended({ env })).toEqual({ code: 0, stdout: '', stderr: '' });
  },
);

test('--version prints the version of the package, and --help every variable, without a key', async () => {
  expect(await ended({ args: ['--version'] })).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  const help = await ended({ args: ['--help'] });
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const name of ['SERVICE_API_KEY', 'SERVICE_MCP_URL', 'SERVICE_MCP_ALLOW_CUSTOM_URL']) {
    expect(help.stdout).toContain(name);
  }
});

test('an unknown argument is rejected without being repeated, because it could be a key', async () => {
  const refusal = await ended({ args: [KEY] });
  expectRefusal(refusal, 64, 'no arguments');
  expect(refusal.stderr).not.toContain(KEY);
});
