import nock from 'nock';
import { failureOf, FEED_KEY, impatient, listed } from './feed-support.ts';

const HOST = 'https://feed.test';
const FEED = `${HOST}/api/v3`;
const DOMAIN = '/breacheddomain/acme.test';
const HTML = '<!doctype html><title>Just a moment...</title>';

type Reply = [status: number, body?: string | object, headers?: Record<string, string>];
let asked: { path: string; headers: Headers }[] = [];

/** Answers a path with these replies; the last one repeats. */
function serve(path: string, ...replies: Reply[]): void {
  nock(HOST)
    .persist()
    .get(`/api/v3${path}`)
    .reply((request: Request) => {
      asked.push({ path: new URL(request.url).pathname, headers: request.headers });
      const [status, body, headers] = replies.length > 1 ? replies.shift()! : replies[0]!;
      return [status, typeof body === 'object' ? JSON.stringify(body) : (body ?? ''), headers ?? {}];
    });
}

beforeAll(() => nock.disableNetConnect());
beforeEach(() => {
  asked = [];
});
afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

describe('a request to the upstream', () => {
  test('carries the key and a user agent, and no query string', async () => {
    serve('/breaches', [200, []]);
    await impatient(FEED).breaches();
    expect(asked).toHaveLength(1);
    expect(asked[0]!.path).toBe('/api/v3/breaches');
    expect(Object.fromEntries(asked[0]!.headers)).toMatchObject({
      accept: 'application/json',
      'hibp-api-key': FEED_KEY,
      'user-agent': expect.stringMatching(/^[\w-]{5,}/),
    });
    expect(asked[0]!.headers.has('authorization')).toBe(false);
  });

  test.each([
    ['acme.test', 'acme.test'],
    ['bücher.test', 'b%C3%BCcher.test'],
  ])('about the domain %j stays within its path', async (domain, escaped) => {
    const paths: string[] = [];
    nock(HOST)
      .get(/.*/)
      .reply((request: Request) => {
        paths.push(request.url);
        return [404];
      });
    expect(await impatient(FEED).accounts(domain)).toEqual([]);
    expect(paths).toEqual([`${FEED}/breacheddomain/${escaped}`]);
  });

  test.each([
    '.',
    '..',
    '*',
    'acme',
    '__proto__',
    'acme.test/../../admin',
    'acme.test?key=1#top',
    'a b.test',
    'a.\r\nb',
  ])('is not sent for %j, which is not a domain', async (domain) => {
    expect(await failureOf(impatient(FEED).accounts(domain))).toMatchObject({ failure: 'refused' });
    expect(asked).toEqual([]);
  });
});

describe('the list of breaches', () => {
  test('is read with its known fields', async () => {
    serve('/breaches', [
      200,
      [listed('Wander', { Category: 'Travel' }), listed('Pixel', { BreachDate: '2022-05-03' })],
    ]);
    expect(await impatient(FEED).breaches()).toEqual([
      {
        name: 'Wander',
        title: 'The Wander breach',
        category: 'Travel',
        date: '2024-11-17',
        dataClasses: ['Email addresses', 'Passwords'],
      },
      expect.objectContaining({ name: 'Pixel', category: 'Website', date: '2022-05-03' }),
    ]);
  });

  test.each([
    ['a name only', { Name: 'Bare' }, { title: 'Bare', category: 'Website', date: null, dataClasses: [] }],
    ['a stealer log', listed('Bare', { IsStealerLog: true }), { category: 'Stealer log' }],
    ['malware', listed('Bare', { IsMalware: true }), { category: 'Malware' }],
    ['a spam list', listed('Bare', { IsSpamList: true }), { category: 'Spam list' }],
    ['an unverified breach', listed('Bare', { IsVerified: false }), { category: 'Unverified' }],
    ['a flag that is not a boolean', listed('Bare', { IsSpamList: 'true', IsVerified: 0 }), { category: 'Website' }],
    ['a date with a time', listed('Bare', { BreachDate: '2024-02-29T23:59:59Z' }), { date: '2024-02-29' }],
    ['a title of white space only', listed('Bare', { Title: ' \t' }), { title: 'Bare' }],
    ['a title with a null character', listed('Bare', { Title: 'a\0b' }), { title: 'Bare' }],
    ['a title that is a lone surrogate', listed('Bare', { Title: '\ud83e' }), { title: 'Bare' }],
    ['a title in an object', listed('Bare', { Title: { en: 'x' } }), { title: 'Bare' }],
    ['invalid data classes', listed('Bare', { DataClasses: 'Passwords' }), { dataClasses: [] }],
    ['some valid classes', listed('Bare', { DataClasses: [1, null, 'Names', '', {}] }), { dataClasses: ['Names'] }],
    ['white space around a name', listed(' Bare\n'), { name: 'Bare' }],
    ['an emoji in its name', listed('🦊 Bücher'), { name: '🦊 Bücher' }],
    ['the name __proto__', listed('__proto__'), { name: '__proto__' }],
  ])('can contain an entry with %s', async (_case, entry, expected) => {
    serve('/breaches', [200, [entry]]);
    expect(await impatient(FEED).breaches()).toEqual([expect.objectContaining({ name: 'Bare', ...expected })]);
  });

  test.each(['2024-02-30', '2024-13-01', '2023-02-29', '24-1-1', '0000-00-00', '99999-01-01', 'soon', '', null, 0, {}])(
    'has no date for %j',
    async (BreachDate) => {
      serve('/breaches', [200, [listed('Bare', { BreachDate })]]);
      expect(await impatient(FEED).breaches()).toMatchObject([{ name: 'Bare', date: null }]);
    },
  );

  test.each([
    ['null', null],
    ['a number', 7],
    ['a string', 'Good'],
    ['an array', ['Good']],
    ['an empty object', {}],
    ['an object without a name', { Title: 'No name' }],
    ['a null name', { Name: null }],
    ['a numeric name', { Name: 7 }],
    ['a name with a null character', { Name: 'a\0b' }],
    ['a name that is a lone surrogate', { Name: 'a\udd8a' }],
    ['an empty name', { Name: ' ' }],
  ])('omits %s', async (_case, entry) => {
    serve('/breaches', [200, [entry, listed('Good'), entry]]);
    expect(await impatient(FEED).breaches()).toMatchObject([{ name: 'Good' }]);
  });

  test.each([
    ['an object', { breaches: [] }],
    ['null', 'null'],
    ['a number', '7'],
    ['a string', '"[]"'],
    ['HTML', HTML],
    ['an empty body', ''],
    ['a truncated body', '[{"Name": "Wander"'],
    ['an error', { statusCode: 200, message: 'no' }],
  ] as const)('is unreadable from %s', async (_case, body) => {
    serve('/breaches', [200, body]);
    expect(await failureOf(impatient(FEED).breaches())).toMatchObject({ failure: 'unreadable' });
  });

  test('is unreadable if it is missing', async () => {
    serve('/breaches', [404]);
    expect(await failureOf(impatient(FEED).breaches())).toMatchObject({ failure: 'unreadable' });
  });

  test('of 10,000 breaches is read completely', async () => {
    serve('/breaches', [200, Array.from({ length: 10_000 }, (_, n) => listed(`Breach${n}`))]);
    const breaches = await impatient(FEED, { requestMs: 5000, questionMs: 5000 }).breaches();
    expect([breaches.length, breaches.at(-1)!.name]).toEqual([10_000, 'Breach9999']);
  });
});

describe('the accounts of a domain', () => {
  const read = async (body: string | object) => {
    serve(DOMAIN, [200, body]);
    return impatient(FEED, { requestMs: 5000, questionMs: 5000 }).accounts('acme.test');
  };

  test('are addresses with the names of their breaches', async () => {
    expect(await read({ ada: ['Wander', 'Pixel'], press: ['Wander'] })).toEqual([
      { email: 'ada@acme.test', breach: 'Wander' },
      { email: 'ada@acme.test', breach: 'Pixel' },
      { email: 'press@acme.test', breach: 'Wander' },
    ]);
  });

  test.each([
    ['404', [404, '']],
    ['404 with HTML', [404, HTML]],
    ['an empty object', [200, {}]],
  ] as [string, Reply][])('are empty for a clean domain, reported as %s', async (_case, reply) => {
    serve(DOMAIN, reply);
    expect(await impatient(FEED).accounts('acme.test')).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['null', null],
    ['a string', 'Wander'],
    ['a number', 7],
    ['an object', { 0: 'Wander' }],
    ['an empty array', []],
    ['an array of other values', [null, 7, '', ['Wander'], { Name: 'Wander' }]],
    ['names that cannot be stored', ['a\0b', '\ud83e']],
  ])('omit an account whose breaches are %s', async (_case, breaches) => {
    expect(await read({ bad: breaches, ada: ['Wander'] })).toEqual([{ email: 'ada@acme.test', breach: 'Wander' }]);
  });

  test.each([
    ['a null character', 'a\0b'],
    ['a lone surrogate', 'ada\ud83e'],
    ['an empty alias', ''],
    ['white space only', ' \t'],
  ])('omit an alias with %s', async (_case, alias) => {
    expect(await read({ [alias]: ['Wander'], ada: ['Wander'] })).toEqual([
      { email: 'ada@acme.test', breach: 'Wander' },
    ]);
  });

  test.each(["o'hara", 'a"b', 'a+tag', 'ADA', 'ünal', '🦊', '$1', "'); drop table breaches; --", '*', '<b>'])(
    'keep the unusual alias %j',
    async (alias) => {
      expect(await read({ [alias]: ['Wander'] })).toEqual([{ email: `${alias}@acme.test`, breach: 'Wander' }]);
    },
  );

  test('can contain aliases that every object inherits', async () => {
    const accounts = await read('{"__proto__": ["Wander"], "constructor": ["Wander"], "toString": ["__proto__"]}');
    expect(accounts.map(({ email }) => email)).toEqual([
      '__proto__@acme.test',
      'constructor@acme.test',
      'toString@acme.test',
    ]);
    expect(({} as { breach?: unknown }).breach).toBeUndefined();
  });

  test('can be 10,000', async () => {
    const accounts = await read(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`a${n}`, ['Wander']])));
    expect(accounts).toHaveLength(10_000);
  });

  test.each([
    ['an array', []],
    ['null', 'null'],
    ['a string', '"ada"'],
    ['a number', '404'],
    ['HTML', HTML],
    ['an empty body', ''],
    ['a truncated body', '{"ada": ["Wander"'],
  ] as const)('are unreadable from %s, not clean', async (_case, body) => {
    serve(DOMAIN, [200, body]);
    expect(await failureOf(impatient(FEED).accounts('acme.test'))).toMatchObject({ failure: 'unreadable' });
  });
});
