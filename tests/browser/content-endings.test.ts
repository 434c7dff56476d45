/** @jest-environment-options {"CONTENT_URL": "http://*.localhost:{port}", "RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import type { Browser } from 'playwright-core';
import { buildZip } from '../../seeds/demo-zip.ts';
import { until } from '../support/until.ts';
import { findEnrolment, stateOf } from '../resources/courses/package-state.ts';
import { chromiumPath, launch } from './browser.ts';
import { buildPage, ContentLearner, readShown, scripted, SHOW, waitForExit, waitForResult } from './content-player.ts';

/** Script of a wrapper that finishes when the page is unloaded, and suspends unless the result is a pass. */
const WRAPPER = `API.LMSInitialize(''); API.LMSSetValue('cmi.core.lesson_status', 'incomplete');
  window.report = (status, score) => { API.LMSSetValue('cmi.core.score.raw', String(score));
    API.LMSSetValue('cmi.core.lesson_status', status); };
  window.onunload = () => { const status = API.LMSGetValue('cmi.core.lesson_status');
    API.LMSSetValue('cmi.core.exit', /completed|passed/.test(status) ? 'logout' : 'suspend');
    API.LMSCommit(''); API.LMSFinish(''); };
  show([API.LMSGetValue('cmi.core.entry'), API.LMSGetValue('cmi.core.lesson_location')]);`;

/** Script of a package that never finishes. */
const UNFINISHED = `API.LMSInitialize(''); show([API.LMSGetValue('cmi.core.entry')]);
  window.report = (status, score) => { API.LMSSetValue('cmi.core.lesson_status', status);
    API.LMSSetValue('cmi.core.score.raw', String(score)); API.LMSCommit(''); };`;

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

  const leave = () => learner.page.goto(`${testService.url}/learn`);

  test.each([
    ['completed', 50, false],
    ['passed', 90, true],
    ['failed', 20, false],
  ])('a package that reports %s and never finishes ends when its page is left', async (status, score, passed) => {
    const frame = await learner.play(scripted(UNFINISHED));
    await readShown(frame);
    await frame.evaluate(`report('${status}', ${score})`);
    await leave();
    expect(await waitForResult()).toMatchObject({ attempt: 1, score, passed });
    expect(learner.complaints).toEqual([]);
  });

  test('a package that reports no result continues when its page is left', async () => {
    const frame = await learner.play(scripted(UNFINISHED));
    await readShown(frame);
    await frame.evaluate(`report('incomplete', 50)`);
    await leave();
    await until(async () => ((await stateOf(1)) as { raw: string }).raw === '50');
    await learner.open();
    expect(await findEnrolment(1)).toMatchObject({ attempt: 1, finished: false });
  });

  test('a failure that is suspended without a place to continue is recorded, and the learner begins again', async () => {
    const frame = await learner.play(scripted(WRAPPER));
    await readShown(frame);
    await frame.evaluate(`report('failed', 40)`);
    await leave();
    expect(await waitForResult()).toMatchObject({ attempt: 1, score: 40, passed: false });
    expect(await readShown(await learner.open())).toEqual(['ab-initio', '']);
    expect(await findEnrolment(1)).toMatchObject({ attempt: 2, finished: false });
  });

  test('a failure that is suspended with a place continues there', async () => {
    const frame = await learner.play(scripted(WRAPPER));
    await readShown(frame);
    await frame.evaluate(`report('failed', 40); API.LMSSetValue('cmi.core.lesson_location', '7')`);
    await leave();
    await waitForExit('suspend');
    expect(await readShown(await learner.open())).toEqual(['resume', '7']);
    expect(await findEnrolment(1)).toMatchObject({ attempt: 1, finished: false });
  });

  test('a failure that is suspended with large data continues', async () => {
    const frame = await learner.play(scripted(WRAPPER));
    await readShown(frame);
    await frame.evaluate(`API.LMSSetValue('cmi.suspend_data', 'x'.repeat(30000)); report('failed', 40)`);
    await leave();
    await waitForExit('suspend');
    await until(async () => ((await stateOf(1)) as { suspendData: string }).suspendData.length === 30_000);
    expect((await readShown<string[]>(await learner.open()))[0]).toBe('resume');
    expect(await findEnrolment(1)).toMatchObject({ attempt: 1, finished: false });
  });

  test('a result that is suspended with more data than outlives its page is recorded', async () => {
    const script = `API.LMSInitialize(''); show([1]);
      window.onunload = () => { API.LMSSetValue('cmi.core.exit', 'suspend'); API.LMSFinish(''); };
      window.report = () => { API.LMSSetValue('cmi.core.lesson_location', '7');
        for (let at = 0; at < 400; at += 1) { const field = 'cmi.interactions.' + at;
          API.LMSSetValue(field + '.id', 'q' + at); API.LMSSetValue(field + '.type', 'fill-in');
          API.LMSSetValue(field + '.student_response', 'x'.repeat(200)); }
        API.LMSSetValue('cmi.core.score.raw', '90'); API.LMSSetValue('cmi.core.lesson_status', 'completed'); };`;
    const frame = await learner.play(scripted(script));
    await readShown(frame);
    // A slow connection loses the requests that do not outlive the page.
    const player = learner.page.frames().find((one) => one.url().includes('/play/'))!;
    await player.evaluate(`const send = fetch;
      window.fetch = (...call) => (call[1].keepalive ? send(...call) : new Promise(() => {}));`);
    await frame.evaluate('report()');
    await leave();
    expect(await waitForResult()).toMatchObject({ attempt: 1, score: 90, passed: true });
  });

  test('a package that suspends while it is left keeps its result and continues', async () => {
    const script = `API.LMSInitialize(''); show([API.LMSGetValue('cmi.core.entry'), API.LMSGetValue('cmi.suspend_data')]);
      window.onunload = () => { API.LMSSetValue('cmi.suspend_data', 'page=3'); API.LMSSetValue('cmi.core.exit', 'suspend');
        API.LMSCommit(''); API.LMSFinish(''); };`;
    const frame = await learner.play(scripted(script));
    await readShown(frame);
    await frame.evaluate(`API.LMSSetValue('cmi.core.lesson_status', 'passed'); API.LMSCommit('')`);
    await leave();
    expect(await waitForResult()).toMatchObject({ attempt: 1, passed: true });
    await waitForExit('suspend');
    expect(await readShown(await learner.open())).toEqual(['resume', 'page=3']);
  });

  test('a package that finishes when it is unloaded does so in a browser that no longer unloads pages', async () => {
    const strict = await launch(['--enable-features=DeprecateUnload']);
    try {
      const other = await ContentLearner.signIn(strict);
      const frame = await other.play(scripted(WRAPPER));
      await readShown(frame);
      await frame.evaluate(`report('failed', 40); API.LMSSetValue('cmi.core.lesson_location', '7')`);
      await other.page.goto(`${testService.url}/learn`);
      await waitForExit('suspend');
    } finally {
      await strict.close();
    }
  });

  test('the last item ends the course if it never finishes and the learner leaves it by the menu', async () => {
    const entry = (id: string, kind: string) => ({
      item: `<item identifier="i-${id}" identifierref="r-${id}"><title>${id}</title></item>`,
      resource: `<resource identifier="r-${id}" type="webcontent" adlcp:scormtype="${kind}" href="${id}.html"/>`,
    });
    const entries = [entry('first', 'sco'), entry('second', 'sco'), entry('sheet', 'asset')];
    const manifest = `<?xml version="1.0"?><manifest identifier="m" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
      xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"><metadata><schemaversion>1.2</schemaversion></metadata>
      <organizations default="o"><organization identifier="o"><title>Doors</title>${entries.map(({ item }) => item).join('')}
      </organization></organizations><resources>${entries.map(({ resource }) => resource).join('')}</resources></manifest>`;
    const page = buildPage(
      `<pre></pre>${SHOW} const API = parent.API; ${UNFINISHED} report('completed', 80);</script>`,
    );
    const bytes = buildZip([
      { path: 'imsmanifest.xml', content: manifest },
      ...['first', 'second'].map((name) => ({ path: `${name}.html`, content: page })),
      { path: 'sheet.html', content: buildPage('<p>Keep this.</p>') },
    ]);
    await readShown(await learner.play(bytes));
    const player = () => learner.page.frames().find((frame) => frame.url().includes('/play/'))!;
    await player().locator('nav details summary').press('Enter');
    for (const [title, position] of [
      ['second', 1],
      ['sheet', 2],
    ] as const) {
      const details = player().locator('nav details');
      if ((await details.getAttribute('open')) === null) await details.locator('summary').press('Enter');
      await player().locator('nav a', { hasText: title }).press('Enter');
      await until(() => Promise.resolve(player().url().endsWith(`?item=${position}`)));
      await player().waitForSelector('iframe');
      if (title === 'second') await readShown((await (await player().waitForSelector('iframe')).contentFrame())!);
    }
    expect(await waitForResult()).toMatchObject({ score: 80, passed: true });
  });
});
