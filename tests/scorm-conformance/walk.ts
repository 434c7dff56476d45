// Plays any package as a learner without patience would: answers questions, presses buttons that continue, then waits.
//
// A step looks at every frame and picks one element: an open answer first, then a button that starts, hands in or leads
// on, then anything else that can be pressed and was pressed least. Nothing calls the package's own functions, so
// the package reports what a learner with a mouse would have caused.
import { readFileSync } from 'node:fs';
import type { ElementHandle, Frame, Page } from 'playwright-core';

const CHOOSE = readFileSync(new URL('choose.js', import.meta.url), 'utf8');

interface Choice {
  rank: number;
  mark: string;
  isField: boolean;
}

/** Reports whether a frame is a page of the package, or one that the package has written into an empty frame. */
function isOfPackage(frame: Frame): boolean {
  const isOwn = frame.url() === '' || frame.url().startsWith('about:');
  const parent = frame.parentFrame();
  return isOwn
    ? parent !== null && isOfPackage(parent)
    : new URL(frame.url(), 'about:blank').pathname.startsWith('/packages/');
}

/** Presses one element of the package. Returns its description; undefined if there was nothing to press. */
export async function takeStep(pages: readonly Page[]): Promise<string | undefined> {
  const frames = pages.flatMap((page) => page.frames()).filter(isOfPackage);
  const choices = await Promise.all(
    frames.map(async (frame) => ({ frame, choice: await within(frame.evaluate<Choice | null>(CHOOSE), 3000) })),
  );
  const best = choices
    .flatMap(({ frame, choice }) => (choice ? [{ frame, ...choice }] : []))
    .toSorted((a, b) => a.rank - b.rank)[0];
  if (!best) return undefined;
  const element = await within(best.frame.$('[data-next-press]'), 2000);
  if (element) await press(element, best.isField);
  return best.mark;
}

const PRESS = `(element) => element.click ? element.click() : element.dispatchEvent(new MouseEvent('click', { bubbles: true }))`;

async function fill(element: ElementHandle): Promise<unknown> {
  const isList = await element.evaluate<boolean>("(one) => one.tagName === 'SELECT'" as never);
  return isList ? element.selectOption({ index: 1 }, { timeout: 1500 }) : element.fill('5', { timeout: 1500 });
}

async function press(element: ElementHandle, isField: boolean): Promise<void> {
  if (isField) return void (await within(fill(element), 2000));
  const isPressed = await within(
    element.click({ timeout: 1200 }).then(() => true),
    1500,
  );
  // Something lies over it, or it moves: the browser's own click needs neither.
  if (!isPressed) {
    await within(element.evaluate(PRESS), 1000);
  }
}

/** Returns undefined if the page goes away or hangs. */
export async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
