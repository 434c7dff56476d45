import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { type ZippedFile, buildZip } from '../../seeds/demo-zip.ts';
import { post } from '../support/client.ts';
import { makeLink } from '../support/learner.ts';
import { until } from '../support/until.ts';
import { learnerId, ownCourseId } from '../support/world.ts';
import { manifestOf, uploadPackage } from '../resources/courses/package-samples.ts';
import { findEnrolment, PACKAGE_PATH, stateOf } from '../resources/courses/package-state.ts';

type Version = '1.2' | '2004';

/** Script that defines `show`, which writes what the package has found into its page. */
export const SHOW = `<script>const show = (found) => { document.querySelector('pre').textContent = JSON.stringify(found); };`;

export function buildPage(content: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>p</title>${content}`;
}

/**
 * Builds a package. Its launch page is `index.html` unless `href` names another.
 * @param itemData elements of the item in the manifest
 */
export function packageOf(
  files: Record<string, string>,
  version: Version = '1.2',
  href = 'index.html',
  itemData = '',
): Buffer {
  const all: ZippedFile[] = Object.entries(files).map(([path, content]) => ({ path, content }));
  const content = manifestOf({ href, version }).replace('</item>', `${itemData}</item>`);
  return buildZip([{ path: 'imsmanifest.xml', content }, ...all]);
}

/** Builds a package of one page, whose script calls `show` with its findings. */
export function scripted(
  script: string,
  version: Version = '1.2',
  others: Record<string, string> = {},
  itemData = '',
): Buffer {
  const files = { 'index.html': buildPage(`<pre></pre>${SHOW}${script}</script>`), ...others };
  return packageOf(files, version, 'index.html', itemData);
}

/** The first learner, signed in, without results in the course with the package. */
export class ContentLearner {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The origin of the service. */
  readonly origin: string;
  /** Errors of the page and its frames. */
  readonly complaints: string[] = [];

  constructor(context: BrowserContext, page: Page, origin: string) {
    this.origin = origin;
    this.context = context;
    this.page = page;
    page.on('pageerror', (error) => this.complaints.push(String(error)));
  }

  static async signIn(browser: Browser, origin = testService.url): Promise<ContentLearner> {
    for (const table of ['enrollments', 'enrollment_attempts', 'course_result_events'])
      await testService.query(`delete from ${table} where learner_id = $1`, [learnerId('tenant', 1)]);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${origin}/learn/sign-in/${await makeLink('tenant', 1)}`);
    await page.locator('form button').press('Enter');
    await page.waitForURL('**/learn');
    return new ContentLearner(context, page, origin);
  }

  /** Uploads a package, enrols the learner and opens it. */
  async play(bytes: Buffer): Promise<Frame> {
    expect((await uploadPackage(bytes)).status).toBe(200);
    await post('/course-enrollments', { courseIds: [ownCourseId('tenant')], learnerIds: [learnerId('tenant', 1)] });
    return this.open();
  }

  /** Opens the package, and returns its outermost frame. */
  async open(page = this.page): Promise<Frame> {
    await page.goto(this.origin + PACKAGE_PATH);
    await page.locator('main form button').press('Enter');
    const player = (await (await page.waitForSelector('iframe[src]')).contentFrame())!;
    const inner = await player.waitForSelector('iframe', { state: 'attached' });
    const frame = (await inner.contentFrame())!;
    await frame.waitForLoadState();
    return frame;
  }
}

/** Returns what a page of the package shows. */
export async function readShown<T>(frame: Frame): Promise<T> {
  await frame.waitForFunction("document.querySelector('pre')?.textContent");
  return JSON.parse((await frame.locator('pre').first().textContent())!) as T;
}

/** Returns the first frame within a frame. */
export async function innerOf(frame: Frame): Promise<Frame> {
  return (await (await frame.waitForSelector('iframe')).contentFrame())!;
}

/** Waits until the newest attempt is finished, and returns it. */
export async function waitForResult(): Promise<unknown> {
  await until(async () => (await findEnrolment(1))?.finished === true);
  return findEnrolment(1);
}

/** Waits until the stored state has this exit. */
export function waitForExit(exit: string): Promise<void> {
  return until(async () => ((await stateOf(1)) as { exit: string }).exit === exit);
}
