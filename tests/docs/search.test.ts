import { operations } from '../../src/contract/contract.ts';
import { read } from './docs-support.ts';

interface Entry {
  group: string;
  title: string;
  name?: string;
  path: string;
}

let entries: Entry[];
beforeAll(async () => {
  entries = JSON.parse((await read('/docs/search.json')).text) as Entry[];
});
const groupOf = (group: string) => entries.filter((entry) => entry.group === group);

test('the index has every operation, guides and their sections, schemas and events', () => {
  expect(groupOf('Operations').map(({ name }) => name)).toEqual(Object.keys(operations));
  expect(groupOf('Guides').map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/docs', '/docs/errors', '/docs/errors#retry-safely']),
  );
  expect(groupOf('Schemas').map(({ path }) => path)).toContain('/docs/schemas/Learner');
  expect(groupOf('Events').map(({ path }) => path)).toContain('/docs/event-types#learner-created');
});

test('every entry links to an existing page and fragment', async () => {
  const pages = Map.groupBy(entries, ({ path }) => path.split('#')[0]!);
  for (const [page, of] of pages) {
    const { status, text } = await read(page);
    expect([page, status]).toEqual([page, 200]);
    for (const { path } of of) {
      const [, fragment] = path.split('#');
      if (fragment) expect(text).toContain(`id="${fragment}"`);
    }
  }
});

test('the index is revalidated, and returns 304 if unchanged', async () => {
  const { headers, type } = await read('/docs/search.json');
  expect([type, headers.get('cache-control')]).toEqual(['application/json; charset=utf-8', 'no-cache']);
  const again = await read('/docs/search.json', { headers: { 'if-none-match': headers.get('etag')! } });
  expect([again.status, again.text]).toEqual([304, '']);
});

describe('the form of every page, without script,', () => {
  test('links to the results page', async () => {
    const { text } = await read('/docs/errors');
    expect(text).toMatch(/<form class="search" role="search" action="\/docs\/search"[^>]*>\n<label for="search">/);
    expect(text).toContain('<input id="search" type="search" name="q"');
  });

  test('shows results by group, with links', async () => {
    const { status, type, text } = await read('/docs/search?q=create+learner');
    expect([status, type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<a href="/docs/operations/createLearner">Create a learner</a>');
    expect(text).toContain('<h2 id="results-for-operations">Operations</h2>');
    expect(text).toContain('value="create learner"');
    expect(text).not.toContain('.md"');
  });

  test('says what can be searched, or that nothing was found', async () => {
    expect((await read('/docs/search')).text).toContain('Enter one or more words');
    expect((await read('/docs/search?q=')).text).toContain('Enter one or more words');
    expect((await read('/docs/search?q=a&q=b')).text).toContain('Enter one or more words');
    expect((await read('/docs/search?q=zzzzzz')).text).toContain('No results for “zzzzzz”');
  });

  test('escapes the query, and truncates a long one', async () => {
    const { text } = await read(`/docs/search?q=${encodeURIComponent('"><script>x</script>')}`);
    expect(text).not.toContain('<script>x');
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;x&lt;/script&gt;"');
    expect((await read(`/docs/search?q=${'a'.repeat(5000)}`)).text).not.toContain('a'.repeat(101));
  });

  test('is kept out of search engines, and rejects other methods', async () => {
    const { headers } = await read('/docs/search?q=learner');
    expect(headers.get('x-robots-tag')).toBe('noindex');
    const post = await read('/docs/search', { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

test('the page of a schema shows its fields and where it occurs', async () => {
  const { text } = await read('/docs/schemas/Learner.md');
  expect(text).toContain('| `email` | string');
  expect(text).toMatch(/## Responses\n\n(- .*\n)*- \[Read a learner\]\(\/docs\/operations\/getLearner\)/);
  expect((await read('/docs/schemas/AdminStatus.md')).text).toContain('Values: `');
});
