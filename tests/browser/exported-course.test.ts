/** @jest-environment-options {"CONTENT_URL": "http://*.localhost:{port}", "CONTENT_FOLDER": "tests/fixtures/practice", "RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import type { Browser, Frame, Page } from 'playwright-core';
import { exportCourse } from '../support/exported-package.ts';
import { until } from '../support/until.ts';
import { managedCourses } from '../support/world.ts';
import { findEnrolment, stateOf } from '../resources/courses/package-state.ts';
import { barriers, chromiumPath, launch, overflow } from './browser.ts';
import { ContentLearner, waitForResult } from './content-player.ts';
import { LearningSystem } from './learning-system.ts';

const COURSE = managedCourses.passwords;
const press = (page: Page | Frame, name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
const check = (page: Page | Frame, name: string) => page.getByLabel(name, { exact: true }).first().press('Space');
const stepOf = (page: Page | Frame, place: number) => page.getByText(`Part ${place} of 6`).waitFor();

/** Answers all questions of the course with the keyboard, the last two as given. */
async function playToEnd(page: Page | Frame, drawn: 'Alpha' | 'Beta', look = async () => {}): Promise<void> {
  await press(page, 'Begin');
  await stepOf(page, 1);
  await look();
  await press(page, 'Next');
  await stepOf(page, 2);
  await press(page, 'Answer');
  await page.getByRole('alert').filter({ hasText: 'Please choose an answer.' }).waitFor();
  await look();
  for (const id of ['from', 'release']) await page.locator(`input[value="${id}"]`).press('Space');
  await press(page, 'Answer');
  await page.getByText('That is right.').waitFor();
  await look();
  await press(page, 'Next');
  await check(page, 'Nothing is wrong with this email.');
  await press(page, 'Answer');
  await press(page, 'Next');
  await look();
  await check(page, 'Ask for the name');
  await press(page, 'Answer');
  await check(page, 'Hang up and call back');
  await press(page, 'Answer');
  await page.getByText('This ended well.').waitFor();
  await press(page, 'Next');
  for (const place of [5, 6]) {
    await stepOf(page, place);
    await check(page, drawn);
    await press(page, 'Answer');
    await page.getByText(drawn === 'Alpha' ? 'That is right.' : 'That is not quite right.').waitFor();
    await press(page, place === 6 ? 'See your result' : 'Next');
  }
}

const withBrowser = chromiumPath ? describe : describe.skip;
withBrowser(chromiumPath ? 'exported courses, in Chromium' : 'skipped without CHROMIUM', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  /** Plays a package in our own player. */
  async function inOurPlayer(format: string, work: (learner: ContentLearner, frame: Frame) => Promise<void>) {
    const { bytes } = await exportCourse(COURSE, `?format=${format}`);
    const learner = await ContentLearner.signIn(browser);
    try {
      await work(learner, await learner.play(bytes));
      expect(learner.complaints).toEqual([]);
    } finally {
      await learner.context.close();
    }
  }

  test.each(['scorm_1_2', 'scorm_2004'])('a package of %s is passed in our own player', async (format) => {
    await inOurPlayer(format, async (learner, frame) => {
      await playToEnd(frame, 'Alpha');
      await frame.getByText('You passed with 100%.').waitFor();
      await learner.page.goto(`${learner.origin}/learn`);
      expect(await waitForResult()).toMatchObject({ passed: true, score: 100 });
    });
  });

  test('a failed attempt is recorded with its score, and the next one begins at the start', async () => {
    await inOurPlayer('scorm_2004', async (learner, frame) => {
      await playToEnd(frame, 'Beta');
      await frame.getByText('You scored 60%.').waitFor();
      await frame.getByText('close this course and open it again').waitFor();
      await learner.page.goto(`${learner.origin}/learn`);
      expect(await waitForResult()).toMatchObject({ passed: false, score: 60 });
      const again = await learner.open();
      await again.getByRole('button', { name: /^(Begin|Try again)$/ }).waitFor();
    });
  });

  test('an attempt that is left continues at its step, in its language', async () => {
    await inOurPlayer('scorm_2004', async (learner, frame) => {
      await press(frame, 'Deutsch');
      await press(frame, 'Beginnen');
      await press(frame, 'Weiter');
      await frame.getByText('Teil 2 von 6').waitFor();
      await until(async () => JSON.stringify(await stateOf(1)).includes('\\"l\\":\\"de\\"'));
      const again = await learner.open();
      await again.getByText('Sie haben 1 von 6 Teilen bearbeitet.').waitFor();
      await press(again, 'Weitermachen');
      await again.getByText('Teil 2 von 6').waitFor();
      expect((await findEnrolment(1))?.finished).toBe(false);
    });
  });

  test.each<[string, object]>([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { viewport: { width: 320, height: 640 } }],
  ])('the pages have no accessibility barriers: %s', async (_name, options) => {
    const { files } = await exportCourse(COURSE);
    const system = await LearningSystem.start(files);
    const page = await (await browser.newContext(options)).newPage();
    try {
      await page.goto(system.pageUrl);
      const look = async () => {
        expect(await barriers(page)).toEqual([]);
        expect(await overflow(page)).toBeLessThanOrEqual(0);
      };
      await page.getByText('not connected to a learning platform').waitFor();
      await look();
      await playToEnd(page, 'Alpha', look);
      await look();
      for (const [name, language] of [['Deutsch', 'de']] as const) {
        await press(page, name);
        await page.locator(`html[lang="${language}"]`).waitFor();
        await look();
      }
    } finally {
      await page.context().close();
      await system.stop();
    }
  });

  test('a cmi5 package sends its statements in order, each with the context of the launch', async () => {
    const { files } = await exportCourse(COURSE, '?format=cmi5');
    const system = await LearningSystem.start(files);
    const page = await (await browser.newContext()).newPage();
    try {
      await page.goto(system.launchUrl);
      await playToEnd(page, 'Beta');
      await page.getByText('You scored 60%. You need 90% to pass.').waitFor();
      await press(page, 'Return to the learning platform');
      await page.waitForURL(system.returnUrl);
      const verbs = system.statements.map(({ verb }) => verb.id.split('/').at(-1));
      expect(verbs).toEqual(['initialized', ...Array<string>(5).fill('answered'), 'completed', 'failed', 'terminated']);
      expect(system.refused).toEqual([]);
      const failed = system.statements.find(({ verb }) => verb.id.endsWith('/failed'))!;
      expect(failed).toMatchObject({
        result: { success: false, score: { scaled: 0.6, raw: 60, min: 0, max: 100 } },
        context: { extensions: { 'https://w3id.org/xapi/cmi5/context/extensions/masteryscore': 0.9 } },
      });
      system.nextSession();
      await page.goto(system.launchUrl);
      await press(page, 'Try again');
      await playToEnd(page, 'Alpha');
      await page.getByText('You passed with 100%.').waitFor();
      await press(page, 'Return to the learning platform');
      await page.waitForURL(system.returnUrl);
      const later = system.statements.map(({ verb }) => verb.id.split('/').at(-1)).slice(verbs.length);
      expect(later.filter((verb) => verb !== 'answered')).toEqual(['initialized', 'passed', 'terminated']);
    } finally {
      await page.context().close();
      await system.stop();
    }
  });

  test('a cmi5 package that is closed before the end is terminated, and continues in the next session', async () => {
    const { files } = await exportCourse(COURSE, '?format=cmi5');
    const system = await LearningSystem.start(files);
    const page = await (await browser.newContext()).newPage();
    try {
      await page.goto(system.launchUrl);
      await press(page, 'Begin');
      await press(page, 'Next');
      await stepOf(page, 2);
      await until(async () => system.documents.size === 2);
      await page.goto(system.returnUrl);
      await until(async () => system.statements.length === 2);
      expect(system.statements.map(({ verb }) => verb.id.split('/').at(-1))).toEqual(['initialized', 'terminated']);
      system.nextSession();
      await page.goto(system.launchUrl);
      await page.getByText('You have done 1 of 6 parts.').waitFor();
    } finally {
      await page.context().close();
      await system.stop();
    }
  });
});
