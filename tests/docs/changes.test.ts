import { readFileSync } from 'node:fs';
import { read } from './docs-support.ts';

const running = JSON.parse(readFileSync('generated/openapi.json', 'utf8')).info.version as string;
const { date, surfaces } = JSON.parse(readFileSync('api/released/0.1.0/release.json', 'utf8'));
const old = surfaces[0].version as string;
const path = `/docs/changes/rest/${old}...${running}`;

const redirect = (query: string) => fetch(`${testService.url}/docs/changes?${query}`, { redirect: 'manual' });

test('the list of versions names each release, its document and its changes', async () => {
  const { text } = await read('/docs/changes.md');
  expect(text).toContain(
    `- [${old}](/v1/openapi.json?version=${old}): released in 0.1.0 on ${date}. The first version.`,
  );
  expect(text).toContain(`- [${running}](/v1/openapi.json?version=${running}): runs on this server; not released yet`);
  expect(text).toContain(`[Changes since ${old}](${path}).`);
  expect(text).toContain('](/scim/v2/openapi.json?version=');
});

test('the list of versions names the operations that each version added, deprecated or removed', async () => {
  const { text } = await read('/docs/changes.md');
  const [, added] = new RegExp(`### Added in ${running}\\n\\n\\d+ operations: (.*)\\n`).exec(text)!;
  expect(added).toContain('[`listWebhookEndpoints`](/docs/operations/listWebhookEndpoints)');
  expect(added).not.toContain('`listLearners`');
  const page = await read('/docs/changes');
  expect(page.text).toContain('<a href="/docs/operations/listWebhookEndpoints">');
});

test('the page of an operation names the version that added it, and its deprecated parts', async () => {
  const since = async (id: string) =>
    /- Since: contract (\S+)/.exec((await read(`/docs/operations/${id}.md`)).text)![1];
  expect([await since('listLearners'), await since('listWebhookEndpoints')]).toEqual([old, running]);
  const { text } = await read('/docs/operations/listCourses.md');
  expect(text).toContain('- Deprecated: `query/excludeGapAnalysis` since 2026-11-22; works at least until 2027-11-22');
});

test('the form of the list redirects to the comparison, without script', async () => {
  const { text } = await read('/docs/changes');
  const [form] = /<form [^>]*action="\/docs\/changes"[^]*?<\/form>/.exec(text)!;
  for (const name of ['from', 'to']) expect(form).toContain(`<select name="${name}">`);
  const answer = await redirect(`contract=rest&from=${old}&to=${running}`);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, path]);
});

test('the comparison defaults to the running version', async () => {
  expect((await redirect(`from=${old}`)).headers.get('location')).toBe(path);
});

test('the comparison lists the changes with their operations', async () => {
  const { status, text } = await read(`${path}.md`);
  expect(status).toBe(200);
  expect(text).toMatch(new RegExp(`^# REST contract ${old} to ${running}\n`));
  expect(text).toMatch(/: 0 breaking changes, \d{3} compatible changes and \d+ changed descriptions or examples\./);
  expect(text).toContain('## Breaking changes\n\nNone.');
  expect(text).toMatch(
    /- \*\*`page` was added\.\*\* In \d+ operations: .*\[`listAdmins`\]\(\/docs\/operations\/listAdmins\)/,
  );
  expect(text).toMatch(/- \*\*The webhook was added\.\*\* In .*webhook `[a-z_.]+`/);
});

test('the reverse comparison names breaking changes with their reason and the affected callers', async () => {
  const { text } = await read(`/docs/changes/rest/${running}...${old}.md`);
  expect(text).toMatch(
    /- \*\*Property `page` was removed\.\*\* Reason: clients no longer find it\. Affected: clients that read/,
  );
  // This line comes from our own rule for the contract extension that holds the scopes.
  expect(text).toMatch(/The operation needs the scope .*\*\* Reason: their calls return 403\. Affected: callers/);
});

test('comparing a version with itself shows no changes', async () => {
  const { text } = await read(`/docs/changes/scim/1.0.0...1.0.0.md`);
  expect(text).toContain('# SCIM contract 1.0.0 to 1.0.0');
  expect(text).toContain('0 breaking changes, 0 compatible changes and 0 changed descriptions or examples');
});

test('simultaneous requests return the same response, and a later one with its ETag returns 304', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => read(path)));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  const { headers, type } = answers[0]!;
  expect([type, headers.get('cache-control')]).toEqual(['text/html; charset=utf-8', 'no-cache']);
  const again = await read(path, { headers: { 'if-none-match': headers.get('etag')! } });
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', headers.get('etag')]);
});

test('comparisons and the feed parse no contract on the event loop', async () => {
  testService.longestParsed();
  const pair = `/docs/changes/rest/${old}...${old}`;
  expect([(await read(pair)).status, (await read('/docs/changes.atom')).status]).toEqual([200, 200]);
  expect(testService.longestParsed()).toBeLessThan(150_000);
});

test('HEAD matches GET, and other methods return 405 with Allow', async () => {
  for (const one of [path, '/docs/changes.atom', '/docs/changes']) {
    const [head, whole] = [await read(one, { method: 'HEAD' }), await read(one)];
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', whole.headers.get('etag')]);
    const post = await read(one, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  }
});

describe('an invalid comparison', () => {
  test.each([
    ['from=9.9.9', 404, 'query/from'],
    [`from=${old}&to=9.9.9`, 404, 'query/to'],
    ['from=x', 400, 'query/from'],
    ['from=', 400, 'query/from'],
    [`from=${old}&from=${old}`, 400, 'query/from'],
    [`to=${old}`, 400, 'query/from'],
    [`from=${old}&to=${old}&to=${old}`, 400, 'query/to'],
    [`contract=tools&from=${old}`, 400, 'query/contract'],
    [`contract=toString&from=${old}`, 400, 'query/contract'],
    [`contract=rest&contract=scim&from=${old}`, 400, 'query/contract'],
    [`contract=scim&from=${old}`, 404, 'query/from'],
  ])('?%s returns %i naming %s', async (query, status, field) => {
    const answer = await redirect(query);
    const { error } = (await answer.json()) as any;
    expect([answer.status, error.details[0].field]).toEqual([status, field]);
  });

  test.each([
    `/docs/changes/rest/${old}...9.9.9`,
    `/docs/changes/rest/${old}`,
    `/docs/changes/rest/${old}...${running}...${old}`,
    `/docs/changes/rest/${old}..${running}`,
    `/docs/changes/tools/${old}...${running}`,
    `/docs/changes/__proto__/${old}...${running}`,
    `/docs/changes/scim/${old}...${running}`,
    `/docs/changes/rest/..%2F..%2Fpackage.json...${running}`,
    `/docs/changes/rest/%zz...${running}`,
    `${path}/`,
    '/docs/changes/rest',
  ])('%s returns 404', async (address) => {
    expect((await read(address)).status).toBe(404);
  });
});

describe('the feed of changes', () => {
  test('has an entry for each release, with links to this server', async () => {
    const { status, type, text } = await read('/docs/changes.atom');
    expect([status, type]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    expect(text).toContain(
      `<link rel="self" type="application/atom+xml" href="${testService.url}/docs/changes.atom"/>`,
    );
    expect(text.match(/<entry>/g)).toHaveLength(1);
    expect(text).toContain(`<title>Release 0.1.0, REST contract ${old}</title>`);
    expect(text).toContain(`<updated>${date}T00:00:00Z</updated>`);
    expect(text).not.toContain(running);
  });

  test('returns 304 to a matching If-None-Match', async () => {
    const { headers } = await read('/docs/changes.atom');
    const again = await read('/docs/changes.atom', { headers: { 'if-none-match': headers.get('etag')! } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('is linked from the pages of the documentation', async () => {
    for (const page of ['/docs', '/docs/changes', path])
      expect((await read(page)).text).toMatch(
        /<link rel="alternate" type="application\/atom\+xml" [^>]*href="\/docs\/changes\.atom">/,
      );
  });
});
