import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { SaxesParser } from 'saxes';
import { ContractVersions } from '../../src/released/contract-versions.ts';
import { readReleases } from '../../src/released/releases.ts';
import { copied, libraryContract } from '../contract-gate/support/library-contract.ts';

const root = mkdtempSync(join(tmpdir(), 'releases-'));
const folder = pathToFileURL(`${root}/`);
afterAll(() => rmSync(root, { recursive: true }));

const first = { ...libraryContract(), info: { title: 'Library', version: '1.0.0' } };
const changed = (version: string, edit: (contract: any) => void) => {
  const contract: any = copied(first);
  contract.info.version = version;
  edit(contract);
  return contract;
};
const added = (operationId: string) => ({
  get: { operationId, tags: ['<b>&'], responses: { 200: { description: 'Found.' } } },
});

const second = changed('1.1.0', (contract) => (contract.paths['/new'] = added('listNew')));
const third = changed('2.0.0', (contract) => delete contract.paths[Object.keys(contract.paths)[0]!]);
function release(name: string, date: string, contracts: Record<string, any>): void {
  mkdirSync(join(root, name));
  const surfaces = Object.entries(contracts).map(([surface, contract]) => {
    writeFileSync(join(root, name, `${surface}.json`), JSON.stringify(contract));
    return { name: surface, version: contract.info.version, file: `${surface}.json`, sha256: '' };
  });
  writeFileSync(join(root, name, 'release.json'), JSON.stringify({ release: name, date, surfaces }));
}

beforeAll(() => {
  release('0.1.0', '2026-01-31', { rest: first });
  release('0.2.0', '2026-02-28', { rest: second, scim: first });
  release('0.2.1', '2026-03-01', { rest: second, scim: first, tools: first });
  release('0.10.0', '2026-04-01', { rest: third, scim: second });
});

describe('the versions of a contract', () => {
  const versionsOf = (running: string) =>
    new ContractVersions('rest', { running: () => running, releases: () => readReleases(folder) });

  test('all includes every release, newest first, compared by number', () => {
    expect(readReleases(folder).map(({ release }) => release)).toEqual(['0.10.0', '0.2.1', '0.2.0', '0.1.0']);
    const { all, running } = versionsOf('2.1.0');
    expect(all.map(({ version }) => version)).toEqual(['2.1.0', '2.0.0', '1.1.0', '1.0.0']);
    expect([running.version, running.release]).toEqual(['2.1.0', undefined]);
  });

  test('find returns the newest release that has the version', () => {
    const found = versionsOf('2.1.0').find('1.1.0', 'version');
    expect([found.release!.release, found.isRunning]).toEqual(['0.2.1', false]);
    expect(JSON.parse(readFileSync(found.document, 'utf8'))).toEqual(second);
  });

  test('the running version is the running document, even if it is released', () => {
    const { running } = versionsOf('2.0.0');
    expect([running.release!.release, running.document.pathname]).toEqual([
      '0.10.0',
      expect.stringMatching(/generated\/openapi\.json$/),
    ]);
  });
});

interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Element[];
}

function parsed(xml: string): Element {
  const top: Element = { name: '', attributes: {}, text: '', children: [] };
  const stack = [top];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, text: '', children: [] };
    stack.at(-1)!.children.push(element);
    stack.push(element);
  });
  parser.on('text', (text) => (stack.at(-1)!.text += text));
  parser.on('closetag', () => void stack.pop());
  parser.write(xml).close();
  return top.children[0]!;
}

async function feedAt(publicUrl: string, releases = folder): Promise<Element> {
  const program = new URL('../../src/docs/changes/feed-thread.ts', import.meta.url);
  const thread = new Worker(program, { workerData: { publicUrl, folder: releases.href } });
  const [xml] = (await once(thread, 'message')) as [string];
  return parsed(xml);
}

const all = ({ children }: Element, name: string) => children.filter((child) => child.name === name);
const one = (element: Element, name: string): Element => {
  expect(all(element, name)).toHaveLength(1);
  return all(element, name)[0]!;
};
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const URN = /^urn:uuid:[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

describe('the feed', () => {
  let feed: Element;
  let entries: Element[];
  beforeAll(async () => {
    feed = await feedAt('https://awareness.example.org');
    entries = all(feed, 'entry');
  });

  test('has the elements that RFC 4287 requires of a feed and its entries', () => {
    expect([feed.name, feed.attributes.xmlns]).toEqual(['feed', 'http://www.w3.org/2005/Atom']);
    expect(one(one(feed, 'author'), 'name').text).not.toBe('');
    for (const element of [feed, ...entries]) {
      expect(one(element, 'id').text).toMatch(URN);
      expect(one(element, 'title').text).not.toBe('');
      expect(one(element, 'updated').text).toMatch(DATE_TIME);
      const links = all(element, 'link').map(({ attributes }) => attributes);
      expect(links.map(({ rel, type }) => `${rel} ${type}`)).toContain('alternate text/html');
      for (const { href } of links) expect(href).toMatch(/^https:\/\/awareness\.example\.org\/docs\/changes/);
    }
    expect(all(feed, 'link').map(({ attributes }) => attributes.rel)).toContain('self');
    for (const entry of entries) {
      expect(one(entry, 'summary').text).not.toBe('');
      expect(one(entry, 'content').attributes).toEqual({ type: 'html' });
    }
    expect(one(feed, 'updated').text).toBe('2026-04-01T00:00:00Z');
  });

  test('has an entry for each release, newest first, that summarises the changes since the previous one', () => {
    const told = entries.map((entry) => [one(entry, 'title').text, one(entry, 'updated').text.slice(0, 10)]);
    expect(told).toEqual([
      ['Release 0.10.0, REST contract 2.0.0, SCIM contract 1.1.0', '2026-04-01'],
      ['Release 0.2.1, REST contract 1.1.0, SCIM contract 1.0.0', '2026-03-01'],
      ['Release 0.2.0, REST contract 1.1.0, SCIM contract 1.0.0', '2026-02-28'],
      ['Release 0.1.0, REST contract 1.0.0', '2026-01-31'],
    ]);
    const summaries = entries.map((entry) => one(entry, 'summary').text);
    expect(summaries[0]).toMatch(
      /^REST contract 2\.0\.0, since 1\.1\.0: [1-9]\d* breaking changes?, .*\. SCIM contract 1\.1\.0/,
    );
    expect(summaries[1]).toBe('REST contract 1.1.0, unchanged. SCIM contract 1.0.0, unchanged.');
    expect(summaries[2]).toMatch(
      /^REST contract 1\.1\.0, since 1\.0\.0: 0 breaking changes, 1 compatible change and .* SCIM contract 1\.0\.0, the first version\.$/,
    );
    expect(summaries[3]).toBe('REST contract 1.0.0, the first version.');
  });

  test('describes breaking changes, their reason and their audience as HTML', () => {
    const html = one(entries[0]!, 'content').text;
    expect(html).toMatch(/<h2>Breaking<\/h2><ul><li>.*removed.* Reason: .* Affected: .*<\/li>/);
    expect(html).toContain('href="https://awareness.example.org/docs/changes/rest/1.1.0...2.0.0"');
    expect(one(entries[2]!, 'content').text).toContain('GET /new (listNew): The operation was added.');
  });

  test('keeps its ids when releases are added and when it is served elsewhere', async () => {
    const fewer = mkdtempSync(join(tmpdir(), 'releases-'));
    cpSync(join(root, '0.1.0'), join(fewer, '0.1.0'), { recursive: true });
    const other = await feedAt('https://other.example', pathToFileURL(`${fewer}/`));
    rmSync(fewer, { recursive: true });
    const ids = (element: Element) => [element, ...all(element, 'entry')].map((entry) => one(entry, 'id').text);
    expect(ids(other)).toEqual([ids(feed)[0], ids(feed).at(-1)]);
    expect(new Set(ids(feed)).size).toBe(entries.length + 1);
  });
});
