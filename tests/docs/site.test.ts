import { readdirSync, readFileSync } from 'node:fs';
import { operations } from '../../src/contract/contract.ts';
import { type Page, pages, read, readAll } from './docs-support.ts';

const FEED = '/docs/changes.atom';
const ASSET = /^\/docs\/assets\/[\w-]+-[0-9a-f]{12}\.(css|js|svg)$/;

const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
const resolved = (value: any) =>
  value.$ref
    ? value.$ref
        .slice(2)
        .split('/')
        .reduce((part: any, step: string) => part[step], contract)
    : value;

let all: Page[];
beforeAll(async () => {
  all = await readAll();
});

test('every guide in the repository has a page', () => {
  const files = readdirSync('docs/guides').map((file) => file.replace('.md', ''));
  const served = pages.map((path) => (path === '/docs' ? 'overview' : path.replace('/docs/', '')));
  expect(files.filter((file) => !served.includes(file))).toEqual([]);
});

test('the list of operations links to a page for each operation', () => {
  const list = all.find((page) => page.path === '/docs/operations')!;
  for (const operationId of Object.keys(operations)) {
    expect(list.links).toContain(`/docs/operations/${operationId}`);
  }
  expect(all.filter((page) => page.path.startsWith('/docs/operations/'))).toHaveLength(Object.keys(operations).length);
});

test('every event type is shown with its data and an example', () => {
  const { text } = all.find((page) => page.path === '/docs/event-types')!;
  const sections = text.split('<h2 ').slice(1);
  expect(sections.map((section) => />([a-z_.]+)<\/a>/.exec(section)?.[1])).toEqual(Object.keys(contract.webhooks));
  for (const section of sections)
    expect(section).toMatch(/<td><code>\w+Id<\/code><\/td>[^]*<pre [^]*&quot;data&quot;: {/);
});

test('every link points to an existing page and fragment', async () => {
  const answered = new Map<string, string>();
  const textOf = async (path: string) => {
    if (!answered.has(path)) {
      const answer = await read(path);
      answered.set(path, answer.status === 200 ? answer.text : '');
    }
    return answered.get(path)!;
  };
  const broken: string[] = [];
  for (const page of all) {
    // External links are not followed.
    for (const link of new Set(page.links.filter((href) => !href.startsWith('https://')))) {
      const [path = '', fragment] = link.split('#');
      const text = await textOf(path || page.path);
      // The script of the reference reads its fragments.
      const isThere = !fragment || path === '/docs/reference' || text.includes(`id="${fragment}"`);
      if (text === '' || !isThere) broken.push(`${page.path}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});

test('every page has a version in Markdown, which links only to the same pages', async () => {
  for (const page of all) {
    const twin = await read(`${page.path}.md`);
    expect([page.path, twin.status, twin.type]).toEqual([page.path, 200, 'text/markdown; charset=utf-8']);
    expect(page.headers.get('link')).toBe(`<${page.path}.md>; rel="alternate"; type="text/markdown"`);
    if (page.path === '/docs/reference') continue;
    const links = [...twin.text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!);
    expect(links.filter((link) => !page.links.includes(link))).toEqual([]);
    expect(twin.text).toMatch(/^# /);
  }
});

test('pages load only assets of the documentation, and request no other host', () => {
  for (const { path, text, loads } of all) {
    expect(loads.length).toBeGreaterThan(1);
    expect([path, loads.filter((address) => !ASSET.test(address) && ![`${path}.md`, FEED].includes(address))]).toEqual([
      path,
      [],
    ]);
    expect(text).not.toMatch(/\b(src|action)="(https?:)?\/\//);
    expect(text).not.toMatch(/<style|style="|<script(?! defer src=)|\son\w+="/);
  }
});

test('assets are immutable at URLs with a content hash, and style sheets load nothing', async () => {
  for (const path of new Set(all.flatMap((page) => page.loads).filter((address) => ASSET.test(address)))) {
    const asset = await read(path);
    expect([path, asset.status]).toEqual([path, 200]);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    if (path.endsWith('.css')) expect(asset.text).not.toMatch(/url\(["']?(?!["']?data:)|@import/);
  }
});

test('pages run only scripts of the documentation, which call only this server', () => {
  const policy =
    "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
  for (const { path, headers } of all) {
    expect([path, headers.get('content-security-policy')]).toEqual([path, policy]);
  }
});

test('the reference has a form for every operation, with its parameters and its body', async () => {
  const { text } = await read('/docs/reference');
  const formOf = new Map(
    text
      .split('<details data-operation="')
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf('"')), part]),
  );
  expect([...formOf.keys()].sort()).toEqual(Object.keys(operations).sort());
  for (const [path, item] of Object.entries<Record<string, any>>(contract.paths)) {
    for (const operation of Object.values(item)) {
      const form = formOf.get(operation.operationId)!;
      expect(form).toContain(`data-path="/v1${path}"`);
      const names = [...form.matchAll(/ data-in="(path|query|header)" data-name="([^"]+)"/g)].map(
        ([, place, name]) => `${place} ${name}`,
      );
      const parameters = (operation.parameters ?? []).map(resolved);
      expect(names).toEqual(expect.arrayContaining(parameters.map((one: any) => `${one.in} ${one.name}`)));
      expect([operation.operationId, / data-in="(body|file)"/.test(form)]).toEqual([
        operation.operationId,
        operation.requestBody !== undefined,
      ]);
    }
  }
});

test('controls of the reference have a unique id, a label and no name attribute', async () => {
  const { text } = await read('/docs/reference');
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const own = text.replace(/<form class="search"[^]*?<\/form>/, '');
  for (const [control] of own.matchAll(/<(input|select|textarea)[^>]*>/g)) {
    const [, id] = / id="([^"]+)"/.exec(control)!;
    expect(text).toContain(`<label for="${id}">`);
    expect(control).not.toMatch(/ name=/);
  }
});

test("request bodies in the reference start with the contract's example, and uploads are file inputs", async () => {
  const { text } = await read('/docs/reference');
  expect(text).toMatch(/<textarea id="createLearner-body-[^>]*>{\n {2}&quot;email&quot;: &quot;ada\.lovelace@/);
  expect(text).toContain('<option value="{&quot;managerIds&quot;'.replace('{', '{\n  '));
  expect(text).toMatch(
    /<input type="file" id="uploadPolicyFile-[^>]* data-name="file" accept="application\/pdf" required>/,
  );
  expect(text).toMatch(/<input type="file" id="uploadCoursePackage-[^>]* accept="application\/zip" required>/);
});

test('the examples name the URL of this server, and no key', () => {
  const overview = all.find((page) => page.path === '/docs')!;
  expect(overview.text).toContain(`export URL=${testService.url}`);
  expect(overview.text).toContain('export KEY=sk_…');
  for (const { text } of all) {
    expect(text).not.toMatch(/sk_demo|data-key|awareness\.example\.org/);
  }
});

test('pages are revalidated on each request, and an unchanged page returns 304', async () => {
  const { headers } = await read('/docs/errors');
  expect(headers.get('cache-control')).toBe('no-cache');
  const again = await read('/docs/errors', { headers: { 'if-none-match': headers.get('etag')! } });
  expect([again.status, again.text]).toEqual([304, '']);
});

test('HEAD matches GET, POST returns 405, unknown paths return 404 and a trailing slash redirects', async () => {
  const head = await read('/docs', { method: 'HEAD' });
  expect([head.status, head.text, head.type]).toEqual([200, '', 'text/html; charset=utf-8']);
  const post = await read('/docs', { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await read('/docs/nowhere')).status).toBe(404);
  expect((await read('/docsx')).status).toBe(404);
  const slash = await read('/docs/', { redirect: 'manual' });
  expect([slash.status, slash.headers.get('location')]).toEqual([308, '/docs']);
});

test('for a path that does not exist, a browser gets a page and a program gets JSON', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  for (const path of ['/docs/nowhere', '/docs/operations/nothing', '/docs/changes/rest/0.0.1...9.9.9']) {
    const page = await read(path, { headers: { accept } });
    expect([path, page.status, page.type]).toEqual([path, 404, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<h1>Page not found</h1>');
    expect(page.headers.get('vary')).toContain('Accept');
    const json = await read(path);
    expect([json.status, JSON.parse(json.text).error.code]).toEqual([404, 'not_found']);
  }
  for (const path of ['/nowhere', '/docsx', '/setup/x/y', '/certificates/x/y', '/sso/nowhere', '/assets/none.css']) {
    const page = await read(path, { headers: { accept } });
    expect([path, page.status, page.type]).toEqual([path, 404, 'text/html; charset=utf-8']);
  }
});

test('a page with several sections lists them, and a short page does not', () => {
  const sectionsOf = (path: string) => {
    const { text } = all.find((page) => page.path === path)!;
    const [list = ''] = /<nav class="sections"[^]*?<\/nav>/.exec(text) ?? [];
    return [...list.matchAll(/<a href="#([^"]+)">/g)].map((match) => match[1]);
  };
  expect(sectionsOf('/docs/errors')).toContain('retry-safely');
  expect(sectionsOf('/docs/operations/createLearner')).toEqual([
    'parameters',
    'request',
    'examples',
    'response',
    'other-responses',
  ]);
  expect(sectionsOf('/docs/schemas/Learner')).toEqual([]);
});

test('/llms.txt links to the Markdown of every page, and llms-full.txt contains every page except those of schemas', async () => {
  const index = await read('/llms.txt');
  expect(index.type).toBe('text/plain; charset=utf-8');
  const links = [...index.text.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1]!);
  for (const path of pages.filter((page) => page !== '/docs/reference')) expect(links).toContain(`${path}.md`);
  for (const link of links) expect([link, (await read(link)).status]).toEqual([link, 200]);
  const whole = (await read('/docs/llms-full.txt')).text;
  const isLeftOut = (path: string) => /^\/docs\/(reference$|changes\/|schemas\/)/.test(path);
  for (const { path } of all.filter((page) => !isLeftOut(page.path))) {
    expect([path, whole.includes((await read(`${path}.md`)).text)]).toEqual([path, true]);
  }
});

test('the page of an operation shows its path, fields, example and callers', async () => {
  const { text } = await read('/docs/operations/createLearner.md');
  for (const words of ['`POST /v1/learners`', '| `email` | string (email, at most 254 characters) | yes |']) {
    expect(text).toContain(words);
  }
  expect(text).toContain('| `data.groups[].name` | string |');
  expect(text).toContain(`-d '{"email":"ada.lovelace@acme-industries.test"`);
  expect((await read('/docs/operations/listCompanies.md')).text).toContain('Account kinds: only msp or distributor');
});

test('the changelog page shows CHANGELOG.md', async () => {
  const { text } = await read('/docs/changelog.md');
  expect(text.split('\n')[0]).toBe(readFileSync('CHANGELOG.md', 'utf8').split('\n')[0]);
});

test('the page of an operation has an example in each language, as tabs without script', async () => {
  const { text } = await read('/docs/operations/createLearner');
  const languages = ['sh', 'ts', 'python', 'go', 'java'];
  const choices = [...text.matchAll(/<input type="radio" name="language" value="(\w+)"/g)].map((match) => match[1]);
  expect(choices).toEqual(languages);
  const blocks = [...text.matchAll(/<div class="code" data-language="(\w+)">/g)].map((match) => match[1]);
  expect(blocks).toEqual(languages);
});
