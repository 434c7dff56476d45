// Runs in the pages of packages. See walk.ts for the order.
/** Marks the next element to press in a page, and returns its rank; lower ranks first. */
function choose() {
  const counts = (window.presses ??= new Map());
  const AVOID =
    /\b(exit|close|prev(ious)?|back|menu|print|mute|volume|share|full ?screen|replay|pause|help|glossary|zoom|settings?|search|transcript|captions?|cc|logout|download|home|reset|retry|try again|show solution|speed|rewind|bookmark|resources|sound|toc|contents?|skip to|mentions|copyright|embed|reuse|zurück|salir|anterior|atrás|sebelumnya|keluar)\b|h5p-(copyrights|embed|export)/i;
  const GROUPS = [
    /\b(start|begin|launch|get started|resume|comenzar|empezar|iniciar|mulai|enter|yes|ok|okay|agree|accept|proceed)\b|▶/i,
    /\b(submit|check|send|finish|confirm|done|complete[d]?|hand in|enviar|comprobar|terminar|finalizar|kirim|selesai|periksa|results?)\b/i,
    /\b(next|continue|forward|siguiente|continuar|lanjut|selanjutnya|right|turn|flip|play|volgende|weiter|suivant)\b|[›»→❯]|^>+$/i,
  ];
  const isShown = (element) => {
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
  // Classes name a button that has no text, such as an arrow; on a button with text they mislead.
  const describe = (element) => {
    const text = describeText(element);
    return /\p{L}{2}|[›»→❯>▶]/u.test(text) ? text : `${text} ${describeClass(element)}`;
  };
  const describeClass = (element) =>
    `${element.id} ${String(element.getAttribute('class') ?? '')}`.replaceAll(/[-_]/g, ' ').slice(0, 200);
  const describeText = (element) =>
    [
      element.innerText ?? element.textContent,
      ...['aria-label', 'title', 'value', 'data-acc-text', 'alt', 'name'].map((name) => element.getAttribute(name)),
    ]
      .filter(Boolean)
      .join(' ')
      .replaceAll(/\s+/g, ' ')
      .slice(0, 300);
  const isOff = (element) =>
    element.disabled ||
    element.getAttribute('aria-disabled') === 'true' ||
    /\b(is-)?disabled\b/.test(element.getAttribute('class') ?? '');
  for (const media of document.querySelectorAll('video, audio')) {
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
  let best;
  for (const [index, element] of found.entries()) {
    const text = describe(element);
    const role = element.getAttribute('role') ?? '';
    const input = element instanceof HTMLInputElement ? element.type : '';
    const isField =
      element instanceof HTMLTextAreaElement ||
      element instanceof HTMLSelectElement ||
      ['text', 'number', 'email'].includes(input);
    const isAnswer = ['radio', 'checkbox'].includes(input) || /^(radio|checkbox|option)$/.test(role);
    const isTaken =
      element.checked ||
      element.getAttribute('aria-checked') === 'true' ||
      element.getAttribute('aria-selected') === 'true';
    const key = `${element.tagName} ${text} ${isAnswer ? index : ''}`;
    const pressed = counts.get(key) ?? 0;
    if (isAnswer && isTaken) continue;
    if (isField && (element instanceof HTMLSelectElement ? pressed > 0 : element.value)) continue;
    const href = element.getAttribute('href') ?? '';
    if (/^(https?:|mailto:|tel:)/i.test(href) && new URL(href, location.href).origin !== location.origin) continue;
    if (/\.(pdf|docx?|xlsx?|zip|pptx?)$/i.test(href)) continue;
    const isAvoided = AVOID.test(text) && !/^(next|continue|submit|start)\b/i.test(text);
    const group = GROUPS.findIndex((words) => words.test(text));
    const leads = group >= 0;
    // An answer of each group of radio buttons is enough, and one or two of several boxes.
    if (isAnswer && (pressed >= 2 || isGroupAnswered(element))) continue;
    if (pressed >= (leads && !isAvoided ? 60 : 2)) continue;
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
  function isGroupAnswered(element) {
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

choose();
