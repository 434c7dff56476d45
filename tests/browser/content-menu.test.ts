/** @jest-environment-options {"CONTENT_URL": "http://*.localhost:{port}", "RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import type { Browser, Frame } from 'playwright-core';
import { buildZip } from '../../seeds/demo-zip.ts';
import { until } from '../support/until.ts';
import { findEnrolment, stateOf } from '../resources/courses/package-state.ts';
import { barriers, chromiumPath, launch, overflow } from './browser.ts';
import { buildPage, ContentLearner, readShown, SHOW, waitForResult } from './content-player.ts';

/** A page that shows what it finds, and finishes with `status` when it is left. */
const scoOf = (name: string, is2004: boolean): string => {
  const api = is2004 ? 'API_1484_11' : 'API';
  const [prefix, element] = is2004 ? ['', 'cmi.location'] : ['LMS', 'cmi.core.lesson_location'];
  const status = is2004 ? 'cmi.completion_status' : 'cmi.core.lesson_status';
  const score = is2004 ? 'cmi.score.raw' : 'cmi.core.score.raw';
  return buildPage(`<h1>${name}</h1><pre></pre>${SHOW} const api = parent.${api}; api.${prefix}Initialize('');
    show([${JSON.stringify(name)}, api.${prefix}GetValue(${JSON.stringify(element)}), api.${prefix}GetValue('cmi.launch_data')]);
    api.${prefix}SetValue(${JSON.stringify(element)}, ${JSON.stringify(`at ${name}`)});
    window.finish = (status, score, next) => { if (next) api.SetValue('adl.nav.request', next);
      api.${prefix}SetValue('${status}', status); if (score) api.${prefix}SetValue('${score}', String(score)); };
    addEventListener('pagehide', () => api.${is2004 ? 'Terminate' : 'LMSFinish'}(''));
    window.end = () => api.${is2004 ? 'Terminate' : 'LMSFinish'}('');</script>`);
};

/** Builds a package with a heading, two pages below it, a handout, and a third page. */
function packageOf(version: '1.2' | '2004'): Buffer {
  const is2004 = version === '2004';
  const type = is2004 ? 'scormType' : 'scormtype';
  const resource = (id: string, kind: string) =>
    `<resource identifier="r-${id}" type="webcontent" adlcp:${type}="${kind}" href="${id}.html"/>`;
  const entry = (id: string, title: string, data = '') =>
    `<item identifier="i-${id}" identifierref="r-${id}"><title>${title}</title>${data}</item>`;
  const manifest = `<?xml version="1.0"?><manifest identifier="m" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
    xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"><metadata><schemaversion>${version}</schemaversion></metadata>
    <organizations default="o"><organization identifier="o"><title>Doors</title>
    <item identifier="part"><title>Part one</title>${entry('a', 'First', '<adlcp:datafromlms>for A</adlcp:datafromlms>')}
    ${entry('b', 'مرحبا second')}</item>${entry('sheet', 'Sheet')}${entry('c', 'Third')}</organization></organizations>
    <resources>${resource('a', 'sco')}${resource('b', 'sco')}${resource('c', 'sco')}${resource('sheet', 'asset')}</resources></manifest>`;
  return buildZip([
    { path: 'imsmanifest.xml', content: manifest },
    ...['a', 'b', 'c'].map((name) => ({ path: `${name}.html`, content: scoOf(name, is2004) })),
    { path: 'sheet.html', content: buildPage('<p>Keep this.</p>') },
  ]);
}

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

  const player = (): Frame => learner.page.frames().find((frame) => frame.url().includes('/play/'))!;
  const menu = () => player().locator('nav li > *:not(ol)').allTextContents();

  /** Opens an item by keyboard, and returns its frame. */
  async function choose(title: string): Promise<Frame> {
    const details = player().locator('nav details');
    if ((await details.getAttribute('open')) === null) await details.locator('summary').press('Enter');
    const link = player().locator('nav a', { hasText: title });
    const address = await link.getAttribute('href');
    await link.press('Enter');
    await until(() => Promise.resolve(player().url().endsWith(address!)));
    return findPage();
  }

  async function findPage(): Promise<Frame> {
    const frame = (await (await player().waitForSelector('iframe')).contentFrame())!;
    await frame.waitForLoadState();
    return frame;
  }

  test.each(['1.2', '2004'] as const)(
    'SCORM %s: each item has its own state, and the result comes from all items together',
    async (version) => {
      const first = await learner.play(packageOf(version));
      expect(await readShown(first)).toEqual(['a', '', 'for A']);
      await player().waitForSelector('nav');
      expect(await menu()).toEqual(['Part one', 'First', 'مرحبا second', 'Sheet handout', 'Third']);
      expect(await player().locator('[aria-current=page]').textContent()).toBe('First');
      await first.evaluate(`finish('completed', 80)`);

      const second = await choose('second');
      expect(await readShown(second)).toEqual(['b', '', '']);
      expect(await menu()).toEqual(['Part one', 'First completed', 'مرحبا second', 'Sheet handout', 'Third']);
      await second.evaluate(`finish('incomplete')`);
      const sheet = await choose('Sheet');
      await sheet.getByText('Keep this.').waitFor();

      // The course opens again at the item that reported last, with the state of that item.
      const again = await learner.open();
      expect(await readShown(again)).toEqual(['b', 'at b', '']);
      await again.evaluate(`finish('completed', 100)`);
      const third = await choose('Third');
      expect(await findEnrolment(1)).toMatchObject({ finished: false });
      await third.evaluate(`finish('completed'); end()`);
      expect(await waitForResult()).toMatchObject({ score: 90, passed: true });
      expect(await stateOf(1)).toMatchObject({
        location: 'at a',
        others: { 2: { location: 'at b' }, 4: { location: 'at c' } },
      });
      expect(learner.complaints).toEqual([]);
    },
  );

  test('SCORM 2004: an item that ends with a request to continue opens the next one', async () => {
    const first = await learner.play(packageOf('2004'));
    await first.evaluate(`finish('completed', 80, 'continue'); end()`);
    await until(() => Promise.resolve(player().url().endsWith('?item=2')));
    expect((await readShown<string[]>(await findPage()))[0]).toBe('b');
  });

  test('the menu has no barriers, and fits a phone and a desktop', async () => {
    await learner.play(packageOf('1.2'));
    for (const width of [360, 768, 1280]) {
      await learner.page.setViewportSize({ width, height: 740 });
      const details = player().locator('nav details');
      expect(await details.getAttribute('open')).toBe(null);
      await details.locator('summary').press('Enter');
      expect(await details.getAttribute('open')).toBe('');
      expect(await overflow(learner.page)).toBe(0);
      expect(await player().evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await barriers(learner.page)).toEqual([]);
      for (const colorScheme of ['light', 'dark'] as const) {
        await learner.page.emulateMedia({ colorScheme });
        // The page around the frame has the landmark and the heading.
        const found = await barriers(player());
        expect(found.filter((barrier) => !/^(landmark-one-main|page-has-heading-one):/.test(barrier))).toEqual([]);
      }
      await details.locator('summary').press('Enter');
    }
  });
});
