/** @jest-environment-options {"CONTENT_URL": "http://*.localhost:{port}", "RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import type { Browser } from 'playwright-core';
import { until } from '../support/until.ts';
import { chromiumPath, launch } from './browser.ts';
import { buildPage, ContentLearner, readShown, scripted, SHOW } from './content-player.ts';

const withBrowser = chromiumPath ? describe : describe.skip;
withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let browser: Browser;
  let learner: ContentLearner;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    learner = await ContentLearner.signIn(browser);
  });
  afterEach(() => learner.context.close());

  describe('an attack by a package', () => {
    /** Plays a package whose script has the function `attempt`, which returns what an attack achieves. */
    const attack = (script: string, others: Record<string, string> = {}) =>
      learner.play(
        scripted(
          `const attempt = async (work) => { try { return String(await work()); } catch (error) { return error.name; } };
           const soon = (promise) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 2000, 'nothing'))]);
           (async () => show(await (async () => { ${script} })()))();`,
          '1.2',
          others,
        ),
      );

    test('on the page of the service finds neither its document, its cookies nor its navigation', async () => {
      const frame = await attack(`return [
        await attempt(() => top.document.title), await attempt(() => parent.parent.document.cookie),
        await attempt(() => { top.location = '/learn'; return 'navigates'; }),
        await attempt(() => { top.location.href = 'https://evil.example/'; return 'navigates'; }), document.cookie];`);
      const address = learner.page.url();
      const found = await readShown<string[]>(frame);
      expect(found.slice(0, 2)).toEqual(['SecurityError', 'SecurityError']);
      expect(found.at(-1)).toBe('');
      expect(learner.page.url()).toBe(address);
    });

    test('on the API, the pages and the files of the service is rejected', async () => {
      const { url } = testService;
      const frame = await attack(`return [
        await attempt(() => fetch('${url}/learn', { credentials: 'include' })),
        await attempt(() => fetch('${url}/v1/company', { mode: 'no-cors' })),
        await attempt(() => fetch('/learn').then((answer) => answer.status)),
        await attempt(() => soon(new Promise((resolve) => { const image = new Image(); image.onload = () => resolve('loads');
          image.onerror = () => resolve('refused'); image.src = '${url}/assets/icon.svg'; }))),
        await attempt(() => soon(new Promise((resolve) => { const socket = new WebSocket('${url.replace('http', 'ws')}/');
          socket.onopen = () => resolve('opens'); socket.onerror = () => resolve('refused'); }))),
        await attempt(() => navigator.sendBeacon('${url}/learn/sign-out', 'x'))];`);
      const found = await readShown<string[]>(frame);
      expect(found.slice(0, 5)).toEqual(['TypeError', 'TypeError', 'TypeError', 'refused', 'refused']);
      const cookies = await learner.context.cookies(testService.url);
      expect(cookies.some(({ name }) => name.includes('learner') || name.includes('session'))).toBe(cookies.length > 0);
    });

    test.each([
      ['a form', `document.querySelector('form').submit()`],
      ['a navigation of its frame', `location.href = address`],
      ['a navigation of the window above it', `parent.location.href = address`],
    ])('by %s to the service is rejected', async (_case, script) => {
      const { url } = testService;
      const frame = await attack(`window.address = '${url}/learn'; document.body.insertAdjacentHTML('beforeend',
        '<iframe src="${url}/learn"></iframe><form action="${url}/learn" method="post"><input name="a"></form>'); return 1;`);
      await readShown(frame);
      const requests: string[] = [];
      learner.page.on('request', (request) => request.url().startsWith(url) && requests.push(request.url()));
      await frame.evaluate(`setTimeout(() => { ${script} })`);
      await until(() => learner.page.frames().some((one) => one.url().startsWith('chrome-error:')));
      expect(learner.page.frames().filter((one) => one.url().startsWith(url))).toEqual([learner.page.mainFrame()]);
      expect(requests).toEqual([]);
    });

    test('with a service worker, WebRTC or a device is rejected', async () => {
      const frame = await attack(
        `return [
          await attempt(() => navigator.serviceWorker.register('sw.js').then(() => 'registers')),
          await attempt(() => [window, parent].map((one) => typeof one.RTCPeerConnection)),
          await attempt(() => navigator.mediaDevices.getUserMedia({ audio: true })),
          await attempt(() => navigator.geolocation && soon(new Promise((resolve) =>
            navigator.geolocation.getCurrentPosition(() => resolve('place'), ({ code }) => resolve('refused ' + code)))))];`,
        { 'sw.js': '' },
      );
      expect(await readShown(frame)).toEqual([
        expect.stringMatching(/Error/),
        'undefined,undefined',
        expect.stringMatching(/^Not(Allowed|Found)Error$/),
        'refused 1',
      ]);
    });

    test('finds no storage and no cookie of the window of another package', async () => {
      const script = `const before = [localStorage.getItem('a'), sessionStorage.getItem('a'), document.cookie,
          (await indexedDB.databases()).length, (await caches.keys()).length];
        localStorage.setItem('a', '1'); sessionStorage.setItem('a', '1'); document.cookie = 'a=1'; indexedDB.open('x');
        await caches.open('x'); return before;`;
      const empty = [null, null, '', 0, 0];
      expect(await readShown(await attack(script))).toEqual(empty);
      expect(await readShown(await attack(script))).toEqual(empty);
    });

    test('by the opener of a window that it opened is rejected', async () => {
      const frame = await attack(
        `const address = top === self ? '' : 'evil.html'; window.go = () => window.open(address, 'evil'); return 1;`,
        {
          'evil.html':
            buildPage(`<pre></pre>${SHOW} let found = []; const tryTo = (work) => { try { found.push(String(work())); }
            catch (error) { found.push(error.name); } };
            tryTo(() => opener.top.document.title);
            tryTo(() => { opener.top.location.href = 'https://evil.example/'; return 'set'; }); show(found);</script>`),
        },
      );
      const address = learner.page.url();
      await readShown(frame);
      const [opened] = await Promise.all([learner.context.waitForEvent('page'), frame.evaluate('void go()')]);
      const found = await readShown<string[]>(opened.mainFrame());
      expect(found[0]).toBe('SecurityError');
      expect(learner.page.url()).toBe(address);
    });

    test('by messages to the page of the service cannot show its text there', async () => {
      const frame = await attack(`top.postMessage('<b>Pay here</b>', '*'); top.postMessage({ status: 'saved' }, '*');
        top.postMessage('constructor', '*'); return 1;`);
      await readShown(frame);
      expect(await learner.page.locator('[role=status]').textContent()).toBe('');
    });
  });
});
