import { get as httpGet, type IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { Admin } from '../support/admin.ts';
import { call, post } from '../support/client.ts';
import { type Encoded, requestEncoded } from '../support/encoded.ts';
import { Learner } from '../support/learner.ts';
import { companies, groupId, keys } from '../support/world.ts';

const COUNT = 3000;
const key = { authorization: `Bearer ${keys.tenant}` };
const LIST = '/v1/learners';
const GROUP = `/v1/groups/${groupId('tenant', 1)}`;

beforeAll(async () => {
  await testService.query(
    `insert into learners (company_id, id, email, first_name, last_name)
     select $1, ('0192a3b5-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'many' || n || '@tenant.test', 'Ada', 'Many'
       from generate_series(1, $2) as n`,
    [companies.tenant, COUNT],
  );
  await testService.query(
    `insert into group_learners (company_id, group_id, learner_id)
     select company_id, $2, id from learners where company_id = $1 and email like 'many%' limit 100`,
    [companies.tenant, groupId('tenant', 1)],
  );
});

/** Each Accept-Encoding, with the encoding that the service selects. */
const HEADERS: [accept: string | undefined, encoding: string | undefined][] = [
  [undefined, undefined],
  ['', undefined],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['identity', undefined],
  ['identity;q=0', undefined],
  ['identity;q=0, gzip', 'gzip'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['*;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0, *', undefined],
  ['gzip;q=0.2, identity;q=0.8', undefined],
  ['deflate, zstd', undefined],
  ['gzip;q=x, ,;;', undefined],
];

const RESPONSES: [name: string, path: string, headers: Record<string, string>][] = [
  ['a page of the documentation', '/docs/errors', {}],
  ['a page in Markdown', '/docs/errors.md', {}],
  ['the search index', '/docs/search.json', {}],
  ['search results', '/docs/search?q=learner', {}],
  ['the contract', '/v1/openapi.json', {}],
  ['the contract as YAML', '/v1/openapi.yaml', {}],
  ['the SCIM contract', '/scim/v2/openapi.json', {}],
  ['a comparison of versions', '/docs/changes/rest/1.2.0...1.3.0', {}],
  ['a streamed list', LIST, key],
  ['a streamed list as CSV', LIST, { ...key, accept: 'text/csv' }],
  ['a streamed list as JSON lines', LIST, { ...key, accept: 'application/jsonl' }],
  ['a page of a list', `${LIST}?limit=100`, key],
  ['a resource', GROUP, key],
];

describe.each(RESPONSES)('%s', (_name, path, own) => {
  let plain: Encoded;
  beforeAll(async () => (plain = await requestEncoded(path, own)));

  test.each(HEADERS)('with Accept-Encoding %s has the encoding %s', async (accept, encoding) => {
    const headers = { ...own, ...(accept !== undefined && { 'accept-encoding': accept }) };
    const answer = await requestEncoded(path, headers);
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, encoding]);
    expect(answer.headers.vary).toMatch(/\baccept-encoding\b/i);
    expect(answer.text).toBe(plain.text);
    if (encoding) expect(answer.sentBytes).toBeLessThan(plain.sentBytes / 1.5);
  });

  test('has the same headers for HEAD', async () => {
    const headers = { ...own, 'accept-encoding': 'gzip' };
    const [whole, head] = [await requestEncoded(path, headers), await requestEncoded(path, headers, 'HEAD')];
    for (const name of ['content-encoding', 'content-type', 'etag', 'vary', 'cache-control'])
      expect({ name, value: head.headers[name] }).toEqual({ name, value: whole.headers[name] });
    if (head.headers['content-length']) expect(head.headers['content-length']).toBe(whole.headers['content-length']);
    expect(head.sentBytes).toBe(0);
  });

  test('is not compressed if the request forbids transformations', async () => {
    const headers = { ...own, 'accept-encoding': 'gzip, br', 'cache-control': 'no-transform' };
    expect((await requestEncoded(path, headers)).headers['content-encoding']).toBeUndefined();
  });

  test('ignores a range, because it offers none', async () => {
    const headers = { ...own, 'accept-encoding': 'gzip', range: 'bytes=0-9' };
    const answer = await requestEncoded(path, headers);
    expect([answer.status, answer.headers['accept-ranges'], answer.text]).toEqual([200, undefined, plain.text]);
  });
});

describe('the ETag', () => {
  const tagFor = async (path: string, encoding: string, own = {}) =>
    (await requestEncoded(path, { ...own, 'accept-encoding': encoding })).headers.etag!;

  test('of static content differs by encoding, and each matches only its own bytes', async () => {
    const encodings = ['identity', 'gzip', 'br'];
    const tags = await Promise.all(encodings.map((encoding) => tagFor('/docs/errors', encoding)));
    expect(new Set(tags).size).toBe(3);
    for (const [index, encoding] of encodings.entries())
      for (const [other, tag] of tags.entries()) {
        const headers = { 'accept-encoding': encoding, 'if-none-match': tag };
        const { status, headers: sent, sentBytes } = await requestEncoded('/docs/errors', headers);
        expect({ encoding, tag, status }).toEqual({ encoding, tag, status: index === other ? 304 : 200 });
        expect(sent.etag).toBe(tags[index]);
        if (status !== 304) continue;
        expect([sentBytes, sent['content-encoding'], sent['content-type']]).toEqual([0, undefined, undefined]);
        expect(sent.vary).toMatch(/accept-encoding/i);
      }
  });

  test('of a compressed resource is weak, matches it, and allows a change', async () => {
    const tag = await tagFor(GROUP, 'gzip', key);
    expect(tag).toBe(`W/${await tagFor(GROUP, 'identity', key)}`);
    const headers = { ...key, 'accept-encoding': 'gzip', 'if-none-match': tag };
    const { status, headers: sent } = await requestEncoded(GROUP, headers);
    expect([status, sent.etag]).toEqual([304, tag]);
    const body = { name: 'Changed' };
    const change = await call('tenant', 'PATCH', GROUP.slice('/v1'.length), { body, headers: { 'if-match': tag } });
    expect(change.status).toBe(200);
  });
});

describe('responses that are never compressed', () => {
  const accept = { 'accept-encoding': 'gzip, br' };
  const expectPlain = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const answer = await requestEncoded(path, { ...accept, ...headers }, method);
    expect({ path, encoding: answer.headers['content-encoding'] }).toEqual({ path, encoding: undefined });
    return answer;
  };

  test('are short ones', async () => {
    await expectPlain('/v1/health', {});
    await expectPlain('/v1/company/features', key);
    await expectPlain('/robots.txt', {});
  });

  test('are all pages that an admin reaches from the console', async () => {
    const { cookie } = await Admin.of('tenant');
    const seen = new Set(['/console', '/console?from=2026-01-01', '/console/parts']);
    for (const path of seen) {
      const { text, status, headers } = await expectPlain(path, { cookie });
      if (status !== 200 || !String(headers['content-type']).startsWith('text/html')) continue;
      for (const [, href] of text.matchAll(/href="(\/console[^"#]*)"/g))
        if (seen.size < 150) seen.add(href!.replaceAll('&amp;', '&'));
    }
    expect(seen.size).toBeGreaterThan(30);
  });

  test('are all pages of a learner, the sign-in, the start page, and missing pages', async () => {
    const { cookie } = await Learner.of('tenant', 1);
    const { text } = await expectPlain('/learn', { cookie });
    const links = [...text.matchAll(/href="(\/learn[^"#]*)"/g)].map(([, href]) => href!);
    for (const path of [...links, '/learn/sessions', '/']) await expectPlain(path, { cookie });
    for (const path of ['/console', '/learn', '/nowhere']) await expectPlain(path, { accept: 'text/html' });
  });

  test('are exports that a browser requests with a cookie', async () => {
    const { cookie } = await Admin.of('tenant');
    const { text } = await requestEncoded('/console/people', { cookie });
    const exports = [...text.matchAll(/href="([^"]*csv[^"]*)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'));
    for (const path of exports) await expectPlain(path, { cookie });
  });

  test('are responses to writes, and errors', async () => {
    const created = await post('/api-keys', { name: 'Compressed', scopes: ['learners:read'] });
    expect(created.headers.get('content-encoding')).toBeNull();
    await expectPlain('/v1/simulation-settings', key);
    await expectPlain(`/v1/learners?wrong=${'x'.repeat(2000)}`, key);
  });
});

test('a compressed list is sent while it is still being read', async () => {
  const headers = { ...key, 'accept-encoding': 'gzip' };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpGet(testService.url + LIST, { headers, agent: false }, resolve).on('error', reject);
  });
  expect(response.headers['transfer-encoding']).toBe('chunked');
  const pieces = await response.pipe(createGunzip()).toArray();
  expect(pieces.length).toBeGreaterThan(3);
});
