/** @jest-environment-options {"PUBLIC_URL": "https://lms.test", "CONTENT_URL": "https://content.test", "RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import { chromiumPath } from './browser.ts';
import { ContentLearner, readShown, scripted, waitForExit, waitForResult } from './content-player.ts';
import { type BrowserOverTls, launchOverTls } from './tls.ts';

const withBrowser = chromiumPath ? describe : describe.skip;

/** One host for all packages: each window has a separate path. */
withBrowser(chromiumPath ? 'in Chromium' : 'skipped without CHROMIUM, which make browser-check finds', () => {
  let tls: BrowserOverTls;
  let learner: ContentLearner;
  beforeAll(async () => {
    tls = await launchOverTls('lms.test', 'content.test');
  });
  afterAll(() => tls.close());
  beforeEach(async () => {
    learner = await ContentLearner.signIn(tls.browser, 'https://lms.test');
  });
  afterEach(() => learner.context.close());

  test('a package plays on a separate path, resumes, and its result is recorded', async () => {
    const script = `API.LMSInitialize(''); show([API.LMSGetValue('cmi.core.entry'), API.LMSGetValue('cmi.suspend_data')]);
      window.leave = () => { API.LMSSetValue('cmi.suspend_data', 'abc'); API.LMSSetValue('cmi.core.exit', 'suspend');
        API.LMSFinish(''); };
      window.end = () => { API.LMSSetValue('cmi.core.score.raw', '90'); API.LMSSetValue('cmi.core.lesson_status', 'passed');
        API.LMSSetValue('cmi.core.exit', ''); API.LMSFinish(''); };`;
    const first = await learner.play(scripted(script));
    expect(await readShown(first)).toEqual(['ab-initio', '']);
    expect(first.url()).toMatch(/^https:\/\/content\.test\/packages\/[\w-]{64}\/index\.html$/);
    await first.evaluate('leave()');
    await waitForExit('suspend');
    const again = await learner.open();
    expect(await readShown(again)).toEqual(['resume', 'abc']);
    await again.evaluate('end()');
    expect(await waitForResult()).toMatchObject({ score: 90, passed: true });
    expect(learner.complaints).toEqual([]);
  });

  test('opening a package clears what an earlier package has stored', async () => {
    const script = `(async () => { const found = [localStorage.getItem('a'), (await indexedDB.databases()).length];
      localStorage.setItem('a', '1'); indexedDB.open('x'); show(found); })();`;
    expect(await readShown(await learner.play(scripted(script)))).toEqual([null, 0]);
    expect(await readShown(await learner.play(scripted(script)))).toEqual([null, 0]);
  });

  test("a package loads no file of another package's window", async () => {
    const before = (await learner.play(scripted('show(1);', '1.2', { 'data.json': '{}' }))).url();
    const address = before.replace('index.html', 'data.json');
    const other = await learner.context.newPage();
    const script = `fetch('${address}').then(() => show('reads'), (error) => show(error.name));`;
    const frame = await learner.play(scripted(script, '1.2', { 'data.json': '{}' }));
    expect(await readShown(frame)).toBe('TypeError');
    await other.close();
  });
});
