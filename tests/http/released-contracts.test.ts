import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { ContractVersions } from '../../src/released/contract-versions.ts';

const RUNNING = readFileSync('generated/openapi.json', 'utf8');
const running = JSON.parse(RUNNING);
const RELEASE = JSON.parse(readFileSync('api/released/0.1.0/release.json', 'utf8'));
const [rest] = RELEASE.surfaces;
const released = readFileSync(`api/released/0.1.0/${rest.file}`, 'utf8');
const { pattern } = running.paths['/openapi.json'].get.parameters[0].schema;

async function ask(path: string, init?: RequestInit) {
  const answer = await fetch(`${testService.url}${path}`, init);
  const text = await answer.text();
  const { status, headers } = answer;
  const complaint = testService.checkResponse(
    init?.method ?? 'GET',
    path.split('?')[0]!,
    status,
    headers.get('content-type') ?? '',
    text,
  );
  if (init?.method !== 'HEAD' && path.startsWith('/v1/openapi.json')) expect(complaint).toBeUndefined();
  return { status, headers, text, error: status >= 400 && text ? JSON.parse(text).error : undefined };
}

const twins = [
  ['/v1/openapi.json', JSON.parse],
  ['/v1/openapi.yaml', load],
] as const;

describe.each(twins)('%s', (path, parse) => {
  test('serves a released version with its own tag', async () => {
    const [old, now] = [await ask(`${path}?version=${rest.version}`), await ask(path)];
    expect([old.status, parse(old.text)]).toEqual([200, JSON.parse(released)]);
    expect(old.headers.get('content-type')).toBe(now.headers.get('content-type'));
    expect(old.headers.get('cache-control')).toBe('no-cache');
    expect(old.headers.get('etag')).toMatch(/^"[\w-]{43}(\.gzip)?"$/);
    expect(old.headers.get('etag')).not.toBe(now.headers.get('etag'));
  });

  test('serves the running document for the running version', async () => {
    const [named, unnamed] = [await ask(`${path}?version=${running.info.version}`), await ask(path)];
    expect(named.text).toBe(unnamed.text);
    expect(named.headers.get('etag')).toBe(unnamed.headers.get('etag'));
  });

  test('returns 304 if the client has the version', async () => {
    const address = `${path}?version=${rest.version}`;
    const etag = (await ask(address)).headers.get('etag')!;
    for (const method of ['GET', 'HEAD']) {
      const again = await fetch(testService.url + address, { method, headers: { 'if-none-match': etag } });
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    }
    const other = (await ask(path)).headers.get('etag')!;
    expect((await fetch(testService.url + address, { headers: { 'if-none-match': other } })).status).toBe(200);
  });

  test('returns the headers of GET for HEAD', async () => {
    const address = `${path}?version=${rest.version}`;
    const [head, whole] = [await ask(address, { method: 'HEAD' }), await ask(address)];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'));
    expect(head.headers.get('etag')).toBe(whole.headers.get('etag'));
  });

  test.each(['9.9.9', '0.0.0', '1.2.0-rc.1'])(
    'returns 404 for the unknown version %s and lists the known ones',
    async (one) => {
      const { status, error } = await ask(`${path}?version=${one}`);
      const message = `is not a known version; use one of ${running.info.version}, ${rest.version}`;
      expect([status, error]).toEqual([
        404,
        { code: 'not_found', message: `\`query/version\` ${message}.`, details: [{ field: 'query/version', message }] },
      ]);
    },
  );

  test.each([
    ['', 'is empty'],
    ['1', 'has one part'],
    ['1.2', 'has two parts'],
    ['v1.2.0', 'has a letter before it'],
    ['1.2.0.0', 'has four parts'],
    ['1.2.0%0A', 'ends with a line break'],
    ['%20', 'is white space'],
    ['..%2F..%2Fpackage.json', 'is a path'],
    ['1.2.0%00', 'has a null character'],
    ['9'.repeat(5000), 'is long'],
    [`1.2.0&version=1.2.0`, 'is sent twice'],
  ])('returns 400 for a malformed version: %#', async (value) => {
    const { status, error } = await ask(`${path}?version=${value}`);
    expect([status, error.code, error.details[0].field]).toEqual([400, 'invalid_request', 'query/version']);
  });

  test('ignores other parameters', async () => {
    expect((await ask(`${path}?Version=9.9.9&version[a]=1`)).text).toBe((await ask(path)).text);
  });
});

test('a released version is served byte for byte', async () => {
  const { text } = await ask(`/v1/openapi.json?version=${rest.version}`);
  expect(createHash('sha256').update(text).digest('hex')).toBe(rest.sha256);
});

test('pages of any origin can read the error', async () => {
  const headers = { origin: 'https://tools.example' };
  const { headers: answered } = await ask('/v1/openapi.json?version=9.9.9', { headers });
  expect(answered.get('access-control-allow-origin')).toBe('*');
});

test('the pattern in the contract accepts exactly the versions that the service accepts', () => {
  const versions = new ContractVersions('rest');
  for (const value of ['1.2.0', '1.2', '1.2.0-rc.1', '1.2.0+build', '1.2.0\n', '1234567.0.0', '']) {
    const refusal = () => versions.find(value, 'version');
    if (new RegExp(pattern, 'u').test(value)) expect(refusal).not.toThrow('must be a version');
    else expect(refusal).toThrow('must be a version');
  }
});

describe('/scim/v2/openapi.json', () => {
  const scim = JSON.parse(readFileSync('generated/scim.json', 'utf8'));

  test('serves the running version by its number', async () => {
    const [named, unnamed] = await Promise.all(
      [`?version=${scim.info.version}`, ''].map((query) => ask(`/scim/v2/openapi.json${query}`)),
    );
    expect(JSON.parse(named!.text)).toEqual(scim);
    expect(named!.headers.get('etag')).toBe(unnamed!.headers.get('etag'));
  });

  test.each([
    ['9.9.9', 404],
    ['x', 400],
    [`${scim.info.version}&version=1.0.0`, 400],
  ])('rejects ?version=%s with %i as a SCIM error', async (value, status) => {
    const answer = await fetch(`${testService.url}/scim/v2/openapi.json?version=${value}`);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ status: String(status), detail: expect.stringContaining('version') });
  });
});

test('concurrent requests never parse or write a version as YAML on the event loop', async () => {
  testService.longestParsed();
  const paths = [
    `/v1/openapi.yaml?version=${rest.version}`,
    '/v1/openapi.yaml',
    `/v1/openapi.json?version=${rest.version}`,
  ];
  const statuses = await Promise.all(
    [...paths, ...paths].map(async (path) => (await fetch(testService.url + path)).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(testService.longestParsed()).toBeLessThan(10_000);
});
