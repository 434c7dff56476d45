/** @jest-environment-options {"SIMULATION_SENDER_DOMAINS": "parcel-notice.test", "SIMULATION_URL": "https://{sender}", "SECURITY_CONTACT": "mailto:security@provider.test"} */
import { request } from 'node:http';
import { keys } from '../support/world.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(testService.url + path, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    asked.on('error', reject).end();
  });
}

const asBrowser = (path: string, headers: Record<string, string> = {}) => ask(path, { accept: BROWSER, ...headers });

function expectPage({ headers, text }: Answer): void {
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers.vary).toMatch(/\baccept\b/i);
  expect(text).toMatch(/^<!doctype html>/);
}

function expectJson({ status, headers, text }: Answer, code = 'not_found'): void {
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect({ status, code: (JSON.parse(text) as { error: { code: string } }).error.code }).toEqual({ status: 404, code });
}

describe('the start page', () => {
  test('links to the documentation, the training, the console and the health check', async () => {
    const page = await asBrowser('/');
    expect(page.status).toBe(200);
    expectPage(page);
    const links = [...page.text.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href!);
    expect(links).toEqual(['/console', '/learn', '/docs', '/v1/health']);
    for (const link of links) expect((await asBrowser(link)).status).toBe(200);
  });

  test.each([
    ['de-CH,de;q=0.9', 'de', 'Dokumentation'],
    ['fr', 'fr', 'documentation'],
    ['it', 'en', 'Documentation'],
  ])('for the languages %s is in %s', async (languages, language, word) => {
    const page = await asBrowser('/', { 'accept-language': languages });
    expect(page.text).toContain(`<html lang="${language}">`);
    expect(page.text).toContain(word);
    expect(page.headers.vary).toMatch(/accept-language/i);
  });

  test('returns the status of GET for HEAD', async () => {
    const head = await ask('/', { accept: BROWSER }, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test.each(['*/*', 'application/json', 'application/json, text/html', 'text/html;q=0.1, application/json', ''])(
    'is JSON for a client that accepts "%s"',
    async (accept) => {
      const answer = await ask('/', { accept });
      expectJson(answer);
      expect(answer.headers.vary).toMatch(/\baccept\b/i);
    },
  );

  test('and the page for unknown paths are not shown on a simulation host', async () => {
    const host = 'parcel-notice.test';
    expectJson(await asBrowser('/', { host }));
    expectJson(await asBrowser('/nothing', { host }));
    expect((await asBrowser('/.well-known/security.txt', { host })).status).toBe(404);
  });
});

describe('an unknown path', () => {
  test.each(['/nothing', '/docs/nothing', '/v1x', '/assets/nothing.css', '/learning', '/nothing?x=<b id=x>'])(
    'is a page for browsers: %s',
    async (path) => {
      const page = await asBrowser(path);
      expect(page.status).toBe(404);
      expectPage(page);
      expect(page.text).toContain('Page not found');
      expect(page.text).toContain(path.startsWith('/docs') ? 'href="/docs"' : 'href="/"');
      expect(page.text).not.toContain('<b id=x>');
    },
  );

  test('is a page in German for German browsers', async () => {
    expect((await asBrowser('/nothing', { 'accept-language': 'de' })).text).toContain('Diese Seite gibt es nicht');
  });

  test.each(['/v1/nothing', '/V1/nothing', '/mcp/nothing', '/xapi/nothing', '/oauth/nothing', '/.well-known/nothing'])(
    'of an API is JSON, even for browsers: %s',
    async (path) => {
      const { status, headers } = await asBrowser(path, { authorization: `Bearer ${keys.tenant}` });
      expect(status).toBe(404);
      expect(headers['content-type']).toMatch(/^application\/json/);
    },
  );

  test('of SCIM is a SCIM error', async () => {
    const { status, headers } = await asBrowser('/scim/v2/Nothing', { authorization: `Bearer ${keys.tenant}` });
    expect(status).toBe(404);
    expect(headers['content-type']).toMatch(/^application\/scim\+json/);
  });

  test('is JSON for programs', async () => expectJson(await ask('/nothing')));
});

test('other errors outside the API return an HTML page to browsers', async () => {
  const page = await ask('/docs', { accept: BROWSER }, 'POST');
  expect(page.status).toBe(405);
  expectPage(page);
  expect(page.headers.allow).toBe('GET, HEAD');
});

test('an unparsable target returns an HTML page to browsers', async () => {
  const page = await asBrowser('/%E0%A4%A');
  expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
});

describe('/robots.txt', () => {
  test('disallows crawling', async () => {
    const { status, headers, text } = await ask('/robots.txt');
    expect([status, headers['content-type'], text]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'User-agent: *\nDisallow: /\n',
    ]);
  });

  test('rejects other methods', async () => {
    const { status, headers } = await ask('/robots.txt', {}, 'POST');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('/.well-known/security.txt', () => {
  test('states the contact and an expiry within a year', async () => {
    const { status, headers, text } = await ask('/.well-known/security.txt');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const fields = Object.fromEntries(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/: (.*)/, 2)),
    );
    expect(Object.keys(fields)).toEqual(['Contact', 'Expires']);
    expect(fields.Contact).toBe('mailto:security@provider.test');
    expect(fields.Expires).toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/);
    const days = (Date.parse(fields.Expires as string) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(300);
    expect(days).toBeLessThan(365);
  });

  test('rejects other methods', async () => {
    expect((await ask('/.well-known/security.txt', {}, 'POST')).status).toBe(405);
  });
});
