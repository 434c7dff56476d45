/** @jest-environment-options {"CONTENT_URL": "http://*.localhost:{port}", "RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import type { Browser } from 'playwright-core';
import { until } from '../support/until.ts';
import { findEnrolment, PACKAGE_PATH, stateOf } from '../resources/courses/package-state.ts';
import { barriers, chromiumPath, launch, overflow } from './browser.ts';
import {
  buildPage,
  ContentLearner,
  innerOf,
  packageOf,
  readShown,
  scripted,
  SHOW,
  waitForExit,
  waitForResult,
} from './content-player.ts';

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

  test('a quiz in a frame reports its score to the page above it, and the failure is recorded', async () => {
    const frame = await learner.play(
      packageOf({
        'index.html':
          buildPage(`<iframe src="quiz.html"></iframe><button id="leave" onclick="leave()">Leave</button><script>
          API.LMSInitialize('');
          window.tell = (score) => { API.LMSSetValue('cmi.core.score.raw', String(score));
            API.LMSSetValue('cmi.core.lesson_status', score >= 70 ? 'passed' : 'failed'); };
          const leave = () => { API.LMSCommit(''); API.LMSFinish(''); };</script>`),
        'quiz.html': buildPage(`<button onclick="parent.tell(40)">Submit</button>`),
      }),
    );
    const quiz = await innerOf(frame);
    await quiz.locator('button').press('Enter');
    await frame.locator('#leave').press('Enter');
    expect(await waitForResult()).toMatchObject({ score: 40, passed: false });
    await learner.page.getByText('Your result is saved.').waitFor();
    expect(await barriers(learner.page)).toEqual([]);
    await learner.page.setViewportSize({ width: 360, height: 740 });
    expect(await overflow(learner.page)).toBe(0);
    expect(learner.complaints).toEqual([]);
  });

  test('a driver in the launch page loads its content in a frame, which finds the API by window.parent', async () => {
    const find = `function find(w) { let tries = 0; while (!w.API_1484_11 && w.parent && w.parent !== w && tries++ < 7)
      w = w.parent; return w.API_1484_11; }`;
    const frame = await learner.play(
      packageOf(
        {
          'index.html': buildPage(`<script>window.WriteToDebug = () => true; ${find}
            window.driver = { api: find(window.parent) }; driver.api.Initialize('');</script>
            <iframe src="lib/content.html"></iframe>`),
          'lib/content.html': buildPage(`<button>Done</button><script>${find} window.parent.WriteToDebug('x');
            document.querySelector('button').onclick = () => { const api = find(window.parent.parent);
              api.SetValue('cmi.score.scaled', '0.9'); api.SetValue('cmi.success_status', 'passed');
              api.SetValue('cmi.completion_status', 'completed'); window.parent.driver.api.Terminate(''); };</script>`),
        },
        '2004',
      ),
    );
    const content = await innerOf(frame);
    await content.locator('button').press('Enter');
    expect(await waitForResult()).toMatchObject({ score: 90, passed: true });
    expect(learner.complaints).toEqual([]);
  });

  test('confirm, alert and prompt ask the learner', async () => {
    const asked: string[] = [];
    learner.page.on('dialog', (dialog) => {
      asked.push(`${dialog.type()} ${dialog.message()}`);
      void dialog.accept('typed');
    });
    const frame = await learner.play(scripted(`alert('a'); show([confirm('Hand in?'), prompt('Name?')]);`));
    expect(await readShown(frame)).toEqual([true, 'typed']);
    expect(asked).toEqual(['alert a', 'confirm Hand in?', 'prompt Name?']);
  });

  test('a package uses requests with headers, workers, storage, captions, sprites and wasm', async () => {
    const others = {
      'data.json': '{"a":1}',
      'w.js': 'postMessage(1)',
      'captions.vtt': 'WEBVTT\n\n00:00.000 --> 00:10.000\nHello',
      'film.mp4': 'x',
      'sprite.svg': '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="a"><path d="M0 0h9v9H0z"/></symbol></svg>',
    };
    const script = `document.body.insertAdjacentHTML('beforeend',
        '<video src="film.mp4"><track kind="captions" src="captions.vtt" default></video><svg><use href="sprite.svg#a"/></svg>');
      const track = document.querySelector('track');
      const once = (target, name) => new Promise((resolve) => target.addEventListener(name, () => resolve(name)));
      const captions = once(track, 'load'); track.track.mode = 'showing';
      (async () => {
        const request = new XMLHttpRequest(); request.open('GET', 'data.json'); request.setRequestHeader('X-Own', '1');
        request.withCredentials = true;
        const answered = once(request, 'load'); request.send(); await answered;
        const idb = indexedDB.open('x'); localStorage.setItem('a', '1'); document.cookie = 'a=1';
        
        show([request.responseText, await once(idb, 'success'), await once(new Worker('w.js'), 'message'),
          localStorage.getItem('a'), document.cookie, await captions, typeof window.API]);
      })();`;
    const frame = await learner.play(scripted(script, '1.2', others));
    expect(await readShown(frame)).toEqual(['{"a":1}', 'success', 'message', '1', 'a=1', 'load', 'object']);
  });

  test('an XHTML launch page finds the API', async () => {
    const xhtml = `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">
      <head><title>x</title></head><body><pre></pre><script>document.querySelector('pre').textContent =
      JSON.stringify([typeof window.API, typeof window.parent.API, document.contentType]);</script></body></html>`;
    const frame = await learner.play(packageOf({ 'index.xhtml': xhtml }, '1.2', 'index.xhtml'));
    expect(await readShown(frame)).toEqual(['object', 'object', 'application/xhtml+xml']);
  });

  test('a window that a package opens finds the API', async () => {
    const popup = buildPage(`<button onclick="opener.parent.API.LMSFinish('')">End</button><script>
      const api = window.API; api.LMSSetValue('cmi.core.lesson_status', 'passed');
      api.LMSSetValue('cmi.core.score.raw', '80');</script>`);
    const frame = await learner.play(
      scripted(
        `API.LMSInitialize(''); window.go = () => window.open('course.html', 'course', 'width=400,height=300');
        document.body.insertAdjacentHTML('beforeend', '<button onclick="go()">Open</button>'); show(1);`,
        '1.2',
        {
          'course.html': popup,
        },
      ),
    );
    const [opened] = await Promise.all([learner.context.waitForEvent('page'), frame.locator('button').click()]);
    await opened.locator('button').press('Enter');
    expect(await waitForResult()).toMatchObject({ score: 80, passed: true });
  });

  test('suspend after failed continues, with objectives, interactions, preferences and time, in an inner frame', async () => {
    const inner = buildPage(`<pre></pre>${SHOW} const api = window.parent.parent.API; api.LMSInitialize('');
      const get = (element) => api.LMSGetValue(element);
      show(['cmi.core.entry', 'cmi.core.lesson_status', 'cmi.core.lesson_location', 'cmi.suspend_data', 'cmi.objectives._count',
        'cmi.objectives.0.id', 'cmi.objectives.0.status', 'cmi.interactions._count', 'cmi.student_preference.audio',
        'cmi.core.credit', 'cmi.core.lesson_mode', 'cmi.core.total_time', 'cmi.core._children', 'cmi.core.score._children'].map(get));
      window.leave = () => {
        for (const [element, value] of [['cmi.core.score.raw', '50'], ['cmi.core.lesson_status', 'failed'],
          ['cmi.core.lesson_location', '7'], ['cmi.suspend_data', 'try=1'], ['cmi.core.exit', 'suspend'],
          ['cmi.objectives.0.id', 'first'], ['cmi.objectives.0.status', 'passed'], ['cmi.interactions.0.id', 'q1'],
          ['cmi.interactions.0.type', 'choice'], ['cmi.interactions.0.student_response', 'a'],
          ['cmi.student_preference.audio', '5'], ['cmi.core.session_time', '00:01:00']])
          if (api.LMSSetValue(element, value) !== 'true') throw new Error(element + ' ' + api.LMSGetLastError());
        api.LMSFinish('');
      };</script>`);
    const bytes = packageOf({ 'index.html': buildPage('<iframe src="inner.html"></iframe>'), 'inner.html': inner });
    const first = await learner.play(bytes);

    const children = [
      'student_id,student_name,lesson_location,credit,lesson_status,entry,score,total_time,lesson_mode,exit,session_time',
    ];
    const before = await innerOf(first);
    expect(await readShown(before)).toEqual([
      ...['ab-initio', 'not attempted', '', '', '0', '', '', '0', '', 'credit', 'normal', '00:00:00'],
      ...[...children, 'raw,min,max'],
    ]);
    await before.evaluate('leave()');
    await waitForExit('suspend');
    const again = await innerOf(await learner.open());
    expect(await readShown(again)).toEqual([
      ...['resume', 'failed', '7', 'try=1', '1', 'first', 'passed', '1', '5', 'credit', 'normal', '00:01:00'],
      ...[...children, 'raw,min,max'],
    ]);
    expect(await findEnrolment(1)).toMatchObject({ attempt: 1 });
    expect(learner.complaints).toEqual([]);
  });

  test('SCORM 1.2 reads the data of its item in the manifest', async () => {
    const elements = ['launch_data', 'student_data.mastery_score', 'student_data.max_time_allowed'];
    elements.push('student_data.time_limit_action', 'objectives._count');
    const script = `API.LMSInitialize(''); const get = (element) => API.LMSGetValue('cmi.' + element);
      show(${JSON.stringify(elements)}.map(get)); API.LMSSetValue('cmi.core.score.raw', '69'); API.LMSFinish('');`;
    const data = `<adlcp:datafromlms>lang=&quot;en&quot; &lt;a&gt;</adlcp:datafromlms><adlcp:masteryscore>70</adlcp:masteryscore>
      <adlcp:maxtimeallowed>01:30:00</adlcp:maxtimeallowed><adlcp:timelimitaction>exit,message</adlcp:timelimitaction>`;
    const frame = await learner.play(scripted(script, '1.2', {}, data));
    expect(await readShown(frame)).toEqual(['lang="en" <a>', '70', '01:30:00', 'exit,message', '0']);
    // The runtime grades by the mastery score of the manifest.
    expect(await waitForResult()).toMatchObject({ score: 69, passed: false });
    expect(learner.complaints).toEqual([]);
  });

  test('SCORM 2004 reads the data of its item in the manifest', async () => {
    const elements = ['launch_data', 'scaled_passing_score', 'completion_threshold', 'max_time_allowed'];
    elements.push('time_limit_action', 'objectives._count', 'objectives.0.id', 'objectives.1.id');
    const script = `API_1484_11.Initialize(''); const get = (element) => API_1484_11.GetValue('cmi.' + element);
      show(${JSON.stringify(elements)}.map(get));`;
    const data = `<adlcp:dataFromLMS>start=2</adlcp:dataFromLMS><adlcp:timeLimitAction>continue,no message</adlcp:timeLimitAction>
      <adlcp:completionThreshold minProgressMeasure="0.8" completedByMeasure="true"/><imsss:sequencing>
      <imsss:limitConditions attemptAbsoluteDurationLimit="PT1H30M"/><imsss:objectives>
      <imsss:primaryObjective objectiveID="all" satisfiedByMeasure="true"><imsss:minNormalizedMeasure>0.75</imsss:minNormalizedMeasure>
      </imsss:primaryObjective><imsss:objective objectiveID="part"/></imsss:objectives></imsss:sequencing>`;
    const frame = await learner.play(scripted(script, '2004', {}, data));
    const expected = ['start=2', '0.75', '0.8', 'PT1H30M', 'continue,no message', '2', 'all', 'part'];
    expect(await readShown(frame)).toEqual(expected);
    expect(learner.complaints).toEqual([]);
  });

  test('a step and large suspend data are both saved when the page is left', async () => {
    const frame = await learner.play(scripted(`API.LMSInitialize(''); show(1);`));
    await frame.evaluate(
      `API.LMSSetValue('cmi.core.lesson_location', '9'); API.LMSSetValue('cmi.suspend_data', 'x'.repeat(9000))`,
    );
    await learner.page.goto(`${testService.url}/learn`);
    await until(async () => ((await stateOf(1)) as { suspendData: string }).suspendData.length === 9000);
    await until(async () => ((await stateOf(1)) as { location: string }).location === '9');
  });

  test('SCORM 2004 keeps objectives, interactions, progress and comments', async () => {
    const frame = await learner.play(
      scripted(
        `const api = API_1484_11; api.Initialize(''); const get = (element) => api.GetValue(element);
        show(['cmi.entry', 'cmi.objectives._count', 'cmi.objectives.0.score.scaled', 'cmi.interactions._count',
          'cmi.interactions.0.learner_response', 'cmi.progress_measure', 'cmi.learner_preference.audio_level',
          'cmi.comments_from_learner.0.comment', 'cmi.total_time', 'cmi.credit', 'cmi.mode'].map(get));
        window.leave = () => {
          for (const [element, value] of [['cmi.objectives.0.id', 'o'], ['cmi.objectives.0.score.scaled', '0.5'],
            ['cmi.interactions.0.id', 'q'], ['cmi.interactions.0.type', 'fill-in'],
            ['cmi.interactions.0.learner_response', 'yes'], ['cmi.progress_measure', '0.4'],
            ['cmi.learner_preference.audio_level', '0.5'], ['cmi.comments_from_learner.0.comment', 'good'],
            ['cmi.session_time', 'PT1M'], ['cmi.exit', 'suspend']])
            if (api.SetValue(element, value) !== 'true') throw new Error(element + ' ' + api.GetLastError());
          api.Terminate('');
        };`,
        '2004',
      ),
    );
    expect(await readShown(frame)).toEqual(['ab-initio', '0', '', '0', '', '', '1', '', 'PT0S', 'credit', 'normal']);
    await frame.evaluate('leave()');
    await waitForExit('suspend');
    const expected = ['resume', '1', '0.5', '1', 'yes', '0.4', '0.5', 'good', 'PT1M', 'credit', 'normal'];
    expect(await readShown(await learner.open())).toEqual(expected);
    expect(learner.complaints).toEqual([]);
  });

  test('a package that writes a megabyte a second sends at most a report a second, and its state stays bounded', async () => {
    const frame = await learner.play(
      scripted(`API.LMSInitialize(''); const found = []; const text = 'x'.repeat(60000);
        for (let count = 0; count < 100; count += 1) {
          API.LMSSetValue('cmi.suspend_data', text.slice(count)); API.LMSCommit('');
        }
        found.push(API.LMSSetValue('cmi.suspend_data', 'x'.repeat(1000000)), API.LMSGetLastError()); show(found);`),
    );
    let reports = 0;
    learner.page.on('request', (request) => (reports += request.method() === 'POST' ? 1 : 0));
    expect(await readShown(frame)).toEqual(['false', '405']);
    await until(async () => ((await stateOf(1)) as { suspendData: string }).suspendData.length === 59_901);
    expect(reports).toBeLessThanOrEqual(2);
  });

  test('the earlier of two windows of an attempt says that it was replaced, and its commits fail', async () => {
    const frame = await learner.play(scripted(`API.LMSInitialize(''); show(1);`));
    const other = await learner.context.newPage();
    await other.goto(testService.url + PACKAGE_PATH);
    await other.locator('main form button').press('Enter');
    await other.waitForSelector('iframe[src]');
    await frame.evaluate(`API.LMSSetValue('cmi.core.lesson_location', '9'); API.LMSCommit('')`);
    await learner.page.getByText(/has expired|open in another window/).waitFor();
    expect(await frame.evaluate(`API.LMSCommit('')`)).toBe('false');
    expect(await stateOf(1)).toMatchObject({ location: '' });
  });

  test('a step made just before the window closes is saved', async () => {
    const frame = await learner.play(scripted(`API.LMSInitialize(''); show(1);`));
    await frame.evaluate(
      `API.LMSSetValue('cmi.core.lesson_location', '9'); API.LMSSetValue('cmi.suspend_data', 'x'.repeat(3000))`,
    );
    await learner.page.close({ runBeforeUnload: false });
    await until(async () => ((await stateOf(1)) as { location: string }).location === '9');
  });
});
