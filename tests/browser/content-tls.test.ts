/** @jest-environment-options {"PUBLIC_URL": "https://lms.test", "CONTENT_URL": "https://*.content.test", "RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import { chromiumPath } from './browser.ts';
import {
  buildPage,
  ContentLearner,
  packageOf,
  readShown,
  scripted,
  waitForExit,
  waitForResult,
} from './content-player.ts';
import { type BrowserOverTls, launchOverTls } from './tls.ts';

const ORIGIN = 'https://lms.test';
const withBrowser = chromiumPath ? describe : describe.skip;

withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let tls: BrowserOverTls;
  let learner: ContentLearner;
  beforeAll(async () => {
    tls = await launchOverTls('lms.test', '*.content.test');
  });
  afterAll(() => tls.close());
  beforeEach(async () => {
    learner = await ContentLearner.signIn(tls.browser, ORIGIN);
  });
  afterEach(() => learner.context.close());

  test('a package plays on a separate host, resumes there, and its result is recorded', async () => {
    const script = `API.LMSInitialize(''); show([isSecureContext, location.protocol, API.LMSGetValue('cmi.core.lesson_location')]);
      window.leave = () => { API.LMSSetValue('cmi.core.lesson_location', '7'); API.LMSSetValue('cmi.core.exit', 'suspend');
        API.LMSFinish(''); };
      window.end = () => { API.LMSSetValue('cmi.core.score.raw', '40'); API.LMSSetValue('cmi.core.lesson_status', 'failed');
        API.LMSSetValue('cmi.core.exit', ''); API.LMSFinish(''); };`;
    const first = await learner.play(scripted(script));
    expect(await readShown(first)).toEqual([true, 'https:', '']);
    expect(new URL(first.url()).host).toMatch(/^[0-9a-f]{32}\.content\.test$/);
    await first.evaluate('leave()');
    await waitForExit('suspend');
    const again = await learner.open();
    expect(new URL(again.url()).host).not.toBe(new URL(first.url()).host);
    expect(await readShown(again)).toEqual([true, 'https:', '7']);
    await again.evaluate('end()');
    expect(await waitForResult()).toMatchObject({ score: 40, passed: false });
    expect(learner.complaints).toEqual([]);
  });

  test('a page of the package in a frame reaches the API by its parent', async () => {
    const inner = buildPage(`<pre></pre><script>const api = parent.parent.API; api.LMSInitialize('');
      api.LMSSetValue('cmi.core.lesson_status', 'passed'); api.LMSFinish('');</script>`);
    await learner.play(
      packageOf({ 'index.html': buildPage('<iframe src="inner.html"></iframe>'), 'inner.html': inner }),
    );
    expect(await waitForResult()).toMatchObject({ passed: true });
  });

  test('a package sees no cookie of the service, and its host gets none', async () => {
    const frame = await learner.play(scripted(`show([document.cookie]);`));
    expect(await readShown(frame)).toEqual(['']);
    const cookies = await learner.context.cookies();
    expect(cookies.length).toBeGreaterThan(0);
    for (const { name, domain, secure, httpOnly } of cookies)
      expect({ name, domain, secure, httpOnly }).toEqual({
        ...{ name: expect.stringMatching(/^__Host-/), domain: 'lms.test', secure: true, httpOnly: true },
      });
    const sent = await learner.context.cookies(new URL(frame.url()).origin);
    expect(sent).toEqual([]);
  });

  test('no window finds the storage of another window', async () => {
    const script = `(async () => { const found = [localStorage.getItem('a'), (await indexedDB.databases()).length,
      (await caches.keys()).length]; localStorage.setItem('a', '1'); indexedDB.open('x'); await caches.open('x'); show(found); })();`;
    expect(await readShown(await learner.play(scripted(script)))).toEqual([null, 0, 0]);
    expect(await readShown(await learner.play(scripted(script)))).toEqual([null, 0, 0]);
  });

  test('a service worker, WebRTC, the pages of the service and unencrypted URLs are rejected', async () => {
    const script = `const attempt = async (work) => { try { return String(await work()); } catch (error) { return error.name; } };
      (async () => show([
        await attempt(() => navigator.serviceWorker.register('sw.js').then(() => 'registers')),
        typeof RTCPeerConnection,
        await attempt(() => top.document.title),
        await attempt(() => fetch('${ORIGIN}/learn', { credentials: 'include' }).then(() => 'reads')),
        await attempt(() => fetch('http://lms.test/learn', { mode: 'no-cors' }).then(() => 'reads')),
      ]))();`;
    const frame = await learner.play(scripted(script, '1.2', { 'sw.js': '' }));
    expect(await readShown(frame)).toEqual([
      ...[expect.stringMatching(/Error$/), 'undefined', 'SecurityError', 'TypeError', 'TypeError'],
    ]);
  });
});
