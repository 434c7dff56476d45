// Plays any package as a learner without patience would: answers what is asked, presses what leads on, waits for the rest.
//
// A step looks at every frame and picks one element: an open answer first, then a button that starts, hands in or leads
// on, then anything else that can be pressed and was pressed least. Nothing calls the package's own functions, so what the
// package reports is what a learner with a mouse would have caused.
import type { ElementHandle, Frame, Page } from 'playwright-core';

/** Marks the next element to press in a page, and returns its rank; lower ranks first. Runs in the package. */
function choose(): { rank: number; mark: string; isField: boolean } | null {
  const counts = ((globalThis as any).presses ??= new Map()) as Map<string, number>;
  const AVOID =
    /\b(exit|close|prev(ious)?|back|menu|print|mute|volume|share|full ?screen|replay|pause|help|glossary|zoom|settings?|search|transcript|captions?|cc|logout|download|home|reset|retry|try again|show solution|speed|rewind|bookmark|resources|sound|toc|contents?|skip to|mentions|copyright|embed|reuse|zurück|salir|anterior|atrás|sebelumnya|keluar)\b|h5p-(copyrights|embed|export)/i;
  const GROUPS: RegExp[] = [
    /\b(start|begin|launch|get started|resume|comenzar|empezar|iniciar|mulai|enter|yes|ok|okay|agree|accept|proceed)\b|▶/i,
    /\b(submit|check|send|finish|confirm|done|complete[d]?|hand in|enviar|comprobar|terminar|finalizar|kirim|selesai|periksa|results?)\b/i,
    /\b(next|continue|forward|siguiente|continuar|lanjut|selanjutnya|right|turn|flip|play|volgende|weiter|suivant)\b|[›»→❯]|^>+$/i,
  ];
  const isShown = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    return (
      width > 3 &&
      height > 3 &&
      style.visibility !== 'hidden' &&
      style.display !== 'none' &&
      Number(style.opacity) > 0.05
    );
  };
  const describe = (element: Element) =>
    [
      (element as HTMLElement).innerText ?? element.textContent,
      ...['aria-label', 'title', 'value', 'data-acc-text', 'alt', 'name', 'id'].map((name) =>
        element.getAttribute(name),
      ),
      String(element.getAttribute('class') ?? '').replaceAll(/[-_]/g, ' '),
    ]
      .filter(Boolean)
      .join(' ')
      .replaceAll(/\s+/g, ' ')
      .slice(0, 300);
  const isOff = (element: Element) =>
    (element as HTMLButtonElement).disabled ||
    element.getAttribute('aria-disabled') === 'true' ||
    /\b(is-)?disabled\b/.test(element.getAttribute('class') ?? '');
  for (const media of document.querySelectorAll<HTMLMediaElement>('video, audio')) {
    media.muted = true;
    if (!media.ended && media.duration > 1 && Number.isFinite(media.duration)) {
      media.currentTime = Math.max(media.currentTime, media.duration - 0.3);
      void media.play().catch(() => undefined);
    }
  }
  for (const box of [document.scrollingElement, ...document.querySelectorAll('main, section, article, div')]) {
    if (box && box.scrollHeight > box.clientHeight + 20 && box.clientHeight > 100)
      box.scrollTop += box.clientHeight * 0.8;
  }
  const SELECTOR =
    'button, a[href], a[onclick], area, input, select, textarea, summary, [role=button], [role=link], [role=radio], [role=checkbox], [role=option], [role=tab], [role=menuitem], [onclick], [tabindex="0"], [data-acc-type=button], .slide-object-button, [class*=btn], [class*=button]';
  const found = [...document.querySelectorAll(SELECTOR)].filter((element) => isShown(element) && !isOff(element));
  let best: { rank: number; element: Element; key: string; isField: boolean } | undefined;
  for (const [index, element] of found.entries()) {
    const text = describe(element);
    const role = element.getAttribute('role') ?? '';
    const input = element instanceof HTMLInputElement ? element.type : '';
    const isField = element instanceof HTMLTextAreaElement || ['text', 'number', 'search', 'email'].includes(input);
    const isAnswer = ['radio', 'checkbox'].includes(input) || /^(radio|checkbox|option)$/.test(role);
    const isTaken =
      (element as HTMLInputElement).checked ||
      element.getAttribute('aria-checked') === 'true' ||
      element.getAttribute('aria-selected') === 'true';
    if (isAnswer && isTaken) continue;
    if (isField && (element as HTMLInputElement).value) continue;
    const href = element.getAttribute('href') ?? '';
    if (/^(https?:|mailto:|tel:)/i.test(href) && new URL(href, location.href).origin !== location.origin) continue;
    if (/\.(pdf|docx?|xlsx?|zip|pptx?)$/i.test(href)) continue;
    const key = `${element.tagName} ${text} ${isAnswer ? index : ''}`;
    const pressed = counts.get(key) ?? 0;
    const isAvoided = AVOID.test(text);
    const group = GROUPS.findIndex((words) => words.test(text));
    const leads = group >= 0;
    // An answer of each group of radio buttons is enough, and one or two of several boxes.
    if (isAnswer && (pressed >= 2 || isGroupAnswered(element))) continue;
    if (pressed >= (leads ? 60 : 2)) continue;
    const rank = isField
      ? 1
      : isAnswer
        ? 2
        : isAvoided && !leads
          ? 900 + pressed * 50
          : leads
            ? 10 + group * 10 + pressed * 4
            : 60 + pressed * 30;
    if (!best || rank < best.rank) best = { rank, element, key, isField };
  }
  function isGroupAnswered(element: Element) {
    if (element instanceof HTMLInputElement && element.type === 'radio') {
      return found.some((other) => other instanceof HTMLInputElement && other.name === element.name && other.checked);
    }
    const group = element.closest('[role=radiogroup], [role=listbox], fieldset, form, ul');
    return group?.querySelector('[aria-checked=true], [aria-selected=true]') != null;
  }
  if (!best) return null;
  counts.set(best.key, (counts.get(best.key) ?? 0) + 1);
  for (const other of document.querySelectorAll('[data-next-press]')) other.removeAttribute('data-next-press');
  best.element.setAttribute('data-next-press', '');
  return { rank: best.rank, mark: best.key.slice(0, 80), isField: best.isField };
}

/** Presses one element of the package. Returns its description; undefined if there was nothing to press. */
export async function takeStep(pages: readonly Page[]): Promise<string | undefined> {
  const frames = pages.flatMap((page) => page.frames()).filter((frame) => frame.url().includes('/packages/'));
  const choices = await Promise.all(
    frames
      .filter((frame) => new URL(frame.url()).pathname.startsWith('/packages/'))
      .map(async (frame) => ({ frame, choice: await within(frame.evaluate(choose), 3000) })),
  );
  const best = choices
    .flatMap(({ frame, choice }) => (choice ? [{ frame, ...choice }] : []))
    .toSorted((a, b) => a.rank - b.rank)[0];
  if (!best) return undefined;
  const element = await within(best.frame.$('[data-next-press]'), 2000);
  if (element) await press(best.frame, element, best.isField);
  return best.mark;
}

async function press(frame: Frame, element: ElementHandle, isField: boolean): Promise<void> {
  if (isField) return void (await within(element.fill('5', { timeout: 1500 }), 2000));
  const isPressed = await within(
    element.click({ timeout: 1200 }).then(() => true),
    1500,
  );
  // Something lies over it, or it moves: the browser's own click needs neither.
  if (!isPressed) {
    await within(
      frame.evaluate((one) => {
        const target = one as HTMLElement;
        if (typeof target.click === 'function') target.click();
        else target.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
      }, element),
      1000,
    );
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
