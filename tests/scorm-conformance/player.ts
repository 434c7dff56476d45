import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { takeStep, within } from './walk.ts';
import type { Lms, Result } from './lms.ts';

const OPEN_TIMEOUT_MS = 20_000;
const SAVE_TIMEOUT_MS = 8000;
const STEP_PAUSE_MS = 350;
const ITEM_PAUSE_MS = 1500;
const MAX_IDLE_STEPS = 4;

const NEXT_ITEM = `(() => {
  const links = [...document.querySelectorAll('nav a[data-item]')];
  return links[links.findIndex((link) => link.ariaCurrent === 'page') + 1] ?? null;
})()`;

/** The values of the runtime that the check compares. */
export interface RuntimeValues {
  entry: string;
  status: string;
  success: string;
  score: string;
  location: string;
  suspendData: string;
  exit: string;
  isInitialized: boolean;
}

/** Reads the runtime in the window above the package. */
const READ_RUNTIME = `(() => {
  const api = window.API ?? window.API_1484_11;
  if (!api) return null;
  const all = api.getFlattenedCMI();
  const read = (...names) => String(names.map((name) => all[name]).find((value) => value) ?? '');
  return {
    entry: read('cmi.core.entry', 'cmi.entry'),
    status: read('cmi.core.lesson_status', 'cmi.completion_status'),
    success: read('cmi.success_status'),
    score: read('cmi.core.score.raw', 'cmi.score.scaled', 'cmi.score.raw'),
    location: read('cmi.core.lesson_location', 'cmi.location'),
    suspendData: read('cmi.suspend_data'),
    exit: read('cmi.core.exit', 'cmi.exit'),
    isInitialized: api.isInitialized() || api.isTerminated(),
  };
})()`;

/** A learner in a separate browser, who plays one course. */
export class Player {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly lms: Lms;
  readonly courseId: string;
  /** Errors of the package's pages. */
  readonly errors: string[] = [];

  private constructor(context: BrowserContext, page: Page, lms: Lms, courseId: string) {
    this.context = context;
    this.page = page;
    this.lms = lms;
    this.courseId = courseId;
  }

  static async signIn(browser: Browser, lms: Lms, courseId: string): Promise<Player> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' });
    const page = await context.newPage();
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
    await page.goto(`${lms.url}/learn/sign-in/${await lms.makeLink()}`);
    await page.locator('form button').press('Enter');
    await page.waitForURL('**/learn');
    const player = new Player(context, page, lms, courseId);
    page.on('pageerror', (error) => player.errors.push(String(error).slice(0, 200)));
    return player;
  }

  /** Opens the package, and waits until it has initialised the runtime. */
  async open(): Promise<RuntimeValues | undefined> {
    await this.page.goto(`${this.lms.url}/learn/packages/${this.courseId}`);
    await this.page.locator('main form button').press('Enter');
    await this.page.waitForSelector('iframe[src]');
    return this.#until((values) => values.isInitialized, OPEN_TIMEOUT_MS);
  }

  /** Plays until the runtime has reported an end, the time is up, or nothing is left to press. */
  async play(budgetMs: number, isEnough: (values: RuntimeValues, steps: number) => boolean): Promise<string[]> {
    const end = Date.now() + budgetMs;
    const pressed: string[] = [];
    let idle = 0;
    while (Date.now() < end && idle < 5 * MAX_IDLE_STEPS) {
      const step = await takeStep(this.context.pages());
      idle = step === undefined ? idle + 1 : 0;
      if (step !== undefined) pressed.push(step);
      await sleep(STEP_PAUSE_MS);
      const values = await this.read();
      const isPageOver = values && hasEnded(values);
      if (values && !isPageOver && isEnough(values, pressed.length)) break;
      // A page of the manifest that reports nothing more.
      if (!isPageOver && idle < MAX_IDLE_STEPS) continue;
      if (!(await this.#openNextItem())) {
        if (isPageOver) break;
        continue;
      }
      idle = 0;
      pressed.push('the next item of the menu');
    }
    return pressed;
  }

  /** Opens the item after the current one, by the menu of the manifest. */
  async #openNextItem(): Promise<boolean> {
    const frame = this.#findPlayFrame();
    const next = frame && (await within(frame.evaluate<boolean>(`(${NEXT_ITEM}) !== null`), 2000));
    if (!frame || !next) return false;
    await within(frame.evaluate(`(${NEXT_ITEM})?.click()`), 2000);
    await sleep(ITEM_PAUSE_MS);
    return true;
  }

  async read(): Promise<RuntimeValues | undefined> {
    const frame = this.#findPlayFrame();
    return (frame && (await within(frame.evaluate<RuntimeValues | null>(READ_RUNTIME), 3000))) ?? undefined;
  }

  /** Leaves the package as learners do, by the page's link, and returns the result recorded so far. */
  async leave(isEndExpected: boolean): Promise<Result> {
    await this.page.goto(`${this.lms.url}/learn`);
    const end = Date.now() + (isEndExpected ? SAVE_TIMEOUT_MS : 1500);
    for (;;) {
      const result = await this.lms.findResult(this.courseId);
      if (result.isFinished || Date.now() > end) return result;
      await sleep(200);
    }
  }

  #findPlayFrame(): Frame | undefined {
    return this.page.frames().find((one) => new URL(one.url(), 'http://x').pathname.startsWith('/play/'));
  }

  async #until(isSo: (values: RuntimeValues) => boolean, timeoutMs: number): Promise<RuntimeValues | undefined> {
    const end = Date.now() + timeoutMs;
    let values: RuntimeValues | undefined;
    while (Date.now() < end) {
      values = (await this.read()) ?? values;
      if (values && isSo(values)) return values;
      await sleep(200);
    }
    return values;
  }
}

/** Reports whether the package has reported an end. */
export function hasEnded({ status, success }: RuntimeValues): boolean {
  return /^(passed|completed|failed)$/.test(status) || /^(passed|failed)$/.test(success);
}
