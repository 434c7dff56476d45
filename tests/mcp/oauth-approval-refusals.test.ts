/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import { keys } from '../support/world.ts';
import {
  ask,
  authorize,
  Browser,
  expectRefusalPage,
  pkce,
  registerClient,
  textOf,
  type Reply,
} from './oauth-support.ts';

async function open(metadata: Record<string, unknown> = {}, changes = {}): Promise<Browser> {
  return new Browser().open(await authorize(await registerClient(metadata), pkce().challenge, changes));
}

/** Expects the form with a message at the key field. */
function expectWrongKey(reply: Reply, left: number): void {
  expect(reply.status).toBe(400);
  expect(reply.text).toMatch(/<input id="key"[^>]*aria-describedby="fault hint"[^>]*aria-invalid="true"/);
  expect(textOf(reply)).toMatch(new RegExp(`You have ${left} (try|tries) left\\.`));
}

const wrong = (browser: Browser, key: string = keys.unknown) => browser.post({ action: 'check', key });

async function grants(): Promise<unknown> {
  return (await testService.query('select count(*)::integer as number from oauth_grants'))[0]!.number;
}

describe('the approval page', () => {
  test('allows only its own styles, and forms that are sent to itself or the application', async () => {
    const { page } = await open();
    expect(page!.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' https:\/\/client\.test; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(page!.headers).toMatchObject({
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'unsafe-none',
      'x-robots-tag': 'noindex',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(page!.text).not.toMatch(/<script|<img|<iframe|<[^>]+\son\w+=|javascript:|src=|href="(?!\/assets\/)/i);
    expect(page!.text).toContain('<meta name="viewport" content="width=device-width, initial-scale=1"/>');
  });

  test('sets only cookies that are bound to its path, and no session cookie', async () => {
    const browser = await open();
    const paths = [...browser.jar.values()].map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !/^\/(connect|oauth\/authorize)\/[\w-]{43}$/.test(path))).toEqual([]);
  });

  test.each([
    ['http://127.0.0.1:3334/callback', "'self' http://127.0.0.1:3334;", '127.0.0.1:3334', true],
    ['http://[::1]/callback', "'self' http:;", '[::1]', true],
    ['cursor://anysphere.cursor-mcp/oauth/callback', "'self' cursor:;", 'cursor://', false],
    ['com.example.app:/callback', "'self' com.example.app:;", 'com.example.app://', false],
    [
      'https://xn--clent-o2e.test:8443/x;y',
      "'self' https://xn--clent-o2e.test:8443;",
      'xn--clent-o2e.test:8443',
      false,
    ],
  ])('names the destination of %s', async (uri, policy, name, warned) => {
    const { page } = await open({ redirect_uris: [uri] }, { redirect_uri: uri });
    expect(page!.headers['content-security-policy']).toContain(`form-action ${policy}`);
    expect(page!.text).toContain(`<strong>${name}</strong>`);
    expect(page!.text.includes('class="warning"')).toBe(warned);
  });

  test('shows the name of an application as text, without deceptive characters', async () => {
    const { page } = await open({ client_name: '<script>alert(1)</script>\u202e\u0000 Claude\n' });
    expect(page!.text).not.toContain('<script');
    expect(textOf(page!)).toContain('“<script>alert(1)</script> Claude”');
    const { page: long } = await open({ client_name: 'x'.repeat(500) });
    expect(textOf(long!)).toContain(`“${'x'.repeat(79)}…”`);
    const { page: none } = await open({ client_name: '\u200b ' });
    expect(textOf(none!)).toContain('An application without a name');
  });

  test('does not repeat the entered key', async () => {
    const browser = await open();
    const typed = `${keys.tenant.slice(0, -1)}${keys.tenant.endsWith('0') ? '1' : '0'}`;
    const reply = await wrong(browser, typed);
    expectWrongKey(reply, 4);
    expect(reply.text).not.toContain('sk_testkey');
    await browser.giveKey();
    expect(browser.page!.text).not.toContain(keys.tenant);
  });
});

describe('a key', () => {
  test.each([
    ['unknown', keys.unknown],
    ['expired', keys.expired],
    ['revoked', keys.revoked],
    ['empty', ''],
    ['cut short', keys.tenant.slice(0, -1)],
    ['an id', keys.tenant.slice(3, 15)],
    ['a null character', '\0'],
  ])('that is %s is rejected', async (_case, key) => {
    const browser = await open();
    expectWrongKey(await wrong(browser, key), 4);
    expect(textOf(await browser.load())).not.toContain('Approve');
  });

  test('with surrounding space is accepted, as after pasting', async () => {
    const browser = await open();
    expect((await wrong(browser, `  ${keys.tenant}\n`)).status).toBe(303);
  });

  test('can be wrong four times, and the fifth ends the approval, even for the right key', async () => {
    const browser = await open();
    for (const left of [4, 3, 2, 1]) expectWrongKey(await wrong(browser), left);
    expect(expectRefusalPage(await wrong(browser), 403)).toContain('Too many wrong keys');
    expectRefusalPage(await wrong(browser, keys.tenant));
    expectRefusalPage(await browser.load());
  });

  test('cannot be guessed more often by simultaneous attempts', async () => {
    const browser = await open();
    const replies = await Promise.all(Array.from({ length: 12 }, () => wrong(browser)));
    expect(replies.filter(({ text }) => text.includes('aria-invalid')).length).toBeLessThanOrEqual(4);
    expect(replies.filter(({ status }) => status === 303)).toEqual([]);
    expectRefusalPage(await wrong(browser, keys.tenant));
  });

  test('that is revoked between the steps cannot be approved', async () => {
    const browser = await open();
    await browser.giveKey('prospect');
    const before = await grants();
    const where = `where public_id = '${keys.prospect.slice(3, 15)}'`;
    await testService.query(`update api_keys set revoked_at = now() ${where}`);
    const reply = await browser.post({ action: 'approve' });
    await testService.query(`update api_keys set revoked_at = null ${where}`);
    expectRefusalPage(reply, 403);
    expect(await grants()).toBe(before);
  });

  test('can be exchanged for another before the approval', async () => {
    const browser = await open();
    await browser.giveKey('tenant');
    expect((await browser.post({ action: 'back' })).status).toBe(303);
    await browser.load();
    await browser.giveKey('other');
    expect(textOf(browser.page!)).toContain('The other company');
  });
});

describe('the form is rejected', () => {
  test.each<[string, Record<string, string>]>([
    ['from another origin', { origin: 'https://evil.example' }],
    ['from a sandboxed page', { origin: 'null' }],
    ['from another port', { origin: 'http://127.0.0.1:1' }],
    ['from the same host over TLS', { origin: 'https://127.0.0.1' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a sibling', { 'sec-fetch-site': 'same-site' }],
  ])('%s, in both steps', async (_case, headers) => {
    const browser = await open();
    expectRefusalPage(await browser.post({ action: 'check', key: keys.tenant }, headers), 403);
    await browser.giveKey();
    const before = await grants();
    expectRefusalPage(await browser.post({ action: 'approve' }, headers), 403);
    expect(await grants()).toBe(before);
  });

  test.each([
    ['no token', ''],
    ['a made-up token', 'A'.repeat(43)],
    ['a token with unusable characters', '\0é'],
  ])('with %s', async (_case, form_token) => {
    const browser = await open();
    expectRefusalPage(await browser.post({ form_token, action: 'check', key: keys.tenant }), 403);
    await browser.giveKey();
    expectRefusalPage(await browser.post({ form_token, action: 'approve' }), 403);
  });

  test('with the token of another approval', async () => {
    const [browser, other] = [await open(), await open()];
    expectRefusalPage(await browser.post({ form_token: other.formToken(), action: 'check', key: keys.tenant }), 403);
  });

  test('with the token of the first step in the second step, and with the token of another key', async () => {
    const browser = await open();
    const first = browser.formToken();
    await browser.giveKey('tenant');
    const ofTenant = browser.formToken();
    expectRefusalPage(await browser.post({ form_token: first, action: 'approve' }), 403);
    await browser.post({ action: 'back' });
    await browser.load();
    await browser.giveKey('other');
    expectRefusalPage(await browser.post({ form_token: ofTenant, action: 'approve' }), 403);
  });

  test('without the cookie', async () => {
    const browser = await open();
    await browser.giveKey();
    browser.jar.clear();
    expectRefusalPage(await browser.post({ action: 'approve' }));
  });

  test('with a cookie that was tampered with', async () => {
    const browser = await open();
    for (const [name, { value, path }] of browser.jar) {
      if (!name.endsWith('.sig')) browser.jar.set(name, { value: `${value.slice(1)}A`, path });
    }
    expectRefusalPage(await browser.post({ action: 'check', key: keys.tenant }));
  });

  test('with the cookie of another approval', async () => {
    const [browser, other] = [await open(), await open()];
    const ofOther = [...other.jar].find(([, { path }]) => path.startsWith('/connect/'))!;
    const reply = await browser.post(
      { action: 'check', key: keys.tenant },
      { cookie: `${ofOther[0]}=${ofOther[1].value}` },
    );
    expectRefusalPage(reply);
  });

  test('for a step that has not been reached', async () => {
    const browser = await open();
    expectRefusalPage(await browser.post({ action: 'approve' }));
    expectRefusalPage(await browser.post({ action: 'back' }));
    expectRefusalPage(await browser.post({ action: 'nonsense' }));
    expectRefusalPage(await browser.post({}));
  });

  test.each([
    ['as JSON', 'application/json', '{}', 400],
    ['as text', 'text/plain', 'action=deny', 400],
    ['too large', 'application/x-www-form-urlencoded', 'x'.repeat(9000), 413],
  ])('%s', async (_case, type, form, status) => {
    const browser = await open();
    const headers = { 'content-type': type, origin: testService.url };
    expectRefusalPage(await browser.ask(browser.path, { form, headers }), status);
  });

  test('when it is sent a second time', async () => {
    const browser = await open();
    await browser.giveKey();
    const before = (await grants()) as number;
    const replies = await Promise.all([browser.post({ action: 'approve' }), browser.post({ action: 'approve' })]);
    expect(replies.map(({ status }) => status).toSorted()).not.toEqual([303, 303]);
    expect(await grants()).toBe(before + 1);
    expectRefusalPage(await browser.post({ action: 'deny' }));
  });

  test('after the approval has expired', async () => {
    const browser = await open();
    await browser.giveKey();
    await testService.query(`update oauth_interactions set expires_at = now() - interval '1 second'`);
    expectRefusalPage(await browser.post({ action: 'approve' }));
    expectRefusalPage(await browser.load());
  });
});

test('an approval that was decided cannot be resumed again', async () => {
  const browser = await open();
  await browser.giveKey();
  const jar = new Map(browser.jar);
  await browser.decide('approve');
  for (const [name, cookie] of jar) browser.jar.set(name, cookie);
  const resume = [...jar.values()].find(({ path }) => path.startsWith('/oauth/'))!.path;
  expectRefusalPage(await browser.ask(resume));
  expectRefusalPage(await browser.load());
});

test('an approval cannot be resumed before it is decided', async () => {
  const browser = await open();
  await browser.giveKey();
  const before = await grants();
  const resume = [...browser.jar.values()].find(({ path }) => path.startsWith('/oauth/'))!.path;
  const reply = await browser.ask(resume);
  expect(new URL(reply.headers.location!, testService.url).pathname).toMatch(/^\/connect\//);
  expect(await grants()).toBe(before);
});

test.each(['PUT', 'DELETE', 'PATCH'])('%s /connect/{uid} returns a 405 page', async (method) => {
  const browser = await open();
  expectRefusalPage(await browser.ask(browser.path, { method }), 405);
});

test.each(['x', 'A'.repeat(43), '%00', '..%2f..', 'A'.repeat(4000)])(
  '/connect/%s returns an error page',
  async (uid) => {
    expectRefusalPage(await new Browser().ask(`/connect/${uid}`));
  },
);

test.each(['/connect/%ff', '/connect/%E0%A4%A', '/oauth/authorize/%'])(
  'the malformed path %s returns a 404 page',
  async (path) => {
    expect(expectRefusalPage(await ask(path), 404)).toContain('Path not found; its percent-encoding is invalid.');
  },
);
