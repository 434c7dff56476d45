import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { buildManifest, type ExportFormat } from '../../src/resources/courses/export/package-manifest.ts';

/** A window as the connection to a learning system sees it. */
interface FakeWindow {
  parent?: FakeWindow;
  opener?: FakeWindow | null;
  [name: string]: unknown;
}

/** Returns a window at the top, or in a frame of another window. */
function createWindow(fields: object = {}, parent?: FakeWindow): FakeWindow {
  const window: FakeWindow = { opener: null, ...fields };
  window.parent = parent ?? window;
  return window;
}

/** Runs `scorm.js` in a window, and returns its connection. */
function connect(window: FakeWindow, format = 'scorm_2004'): any {
  const document = { documentElement: { dataset: { format } } };
  const context: any = { window, document, console: { error: () => undefined } };
  for (const name of ['grading', 'scorm'])
    runInNewContext(readFileSync(`src/resources/courses/export/assets/${name}.js`, 'utf8'), context);
  return context.courseConnection;
}

const yes = () => 'true';
const api = { Initialize: yes, SetValue: yes, Commit: yes, Terminate: yes, GetValue: () => '' };

test('the API is found above a frame of the window that opened the course', async () => {
  const player = createWindow({}, createWindow({ API_1484_11: api }));
  const popup = createWindow({ opener: player });
  expect(await connect(createWindow({}, popup)).open()).toMatchObject({ isConnected: true });
  expect(await connect(createWindow({}, createWindow())).open()).toEqual({ isConnected: false });
});

test('a score of exactly the pass mark of the learning system passes', async () => {
  const GetValue = (name: string) => (name === 'cmi.scaled_passing_score' ? '0.55' : '');
  const opened = await connect(createWindow({ API_1484_11: { ...api, GetValue } })).open();
  expect(opened.passMark).toBe(55);
});

test('a learning system that throws leaves the course usable, and its learner informed', async () => {
  const fail = () => {
    throw new Error('offline');
  };
  const unconnected = connect(createWindow({ API_1484_11: { ...api, Initialize: fail } }));
  expect(await unconnected.open()).toEqual({ isConnected: false });
  const connection = connect(createWindow({ API_1484_11: { ...api, SetValue: fail, GetValue: fail, Commit: fail } }));
  expect(await connection.open()).toMatchObject({ isConnected: true, state: '' });
  const faults: boolean[] = [];
  connection.onFault = (isFault: boolean) => faults.push(isFault);
  connection.save('{}', 0.5);
  connection.finish({ score: 100, passed: true }, '{}');
  connection.close();
  expect(faults).toEqual([true, true]);
});

const build = (format: ExportFormat, passMark: number | null, name = 'Name') =>
  buildManifest(format, {
    ...{ courseId: '019a0000-0000-7000-8000-000000000000', passMark, files: ['index.html'] },
    texts: [{ language: 'en', name, summary: 'Summary' }],
  }).text;

test.each<[ExportFormat, RegExp]>([
  ['scorm_2004', /satisfiedByMeasure="true"|minNormalizedMeasure/],
  ['scorm_1_2', /masteryscore/],
  ['cmi5', /masteryScore/],
])('the manifest of %s has a pass mark only if the course has questions', (format, passMark) => {
  expect(build(format, 60)).toMatch(passMark);
  expect(build(format, null)).not.toMatch(passMark);
});

test.each<[ExportFormat]>([['scorm_2004'], ['scorm_1_2'], ['cmi5']])(
  'the manifest of %s replaces characters that XML does not allow',
  (format) => {
    expect(build(format, 60, 'A\u0001\u0000\uFFFE\uD800B😀 & C')).toContain('A\uFFFD\uFFFD\uFFFD\uFFFDB😀 &amp; C');
  },
);
