// Keeps the figures of a running simulation up to date. Reads the page again every ten seconds and replaces the region.
// Does not replace the region while something in it has the focus. Each read counts as use of the session, so the script
// stops 20 minutes after the last input, and the session can end as usual.
const REFRESH_MS = 10_000;
const MAX_IDLE_MS = 20 * 60_000;
let lastInput = Date.now();
for (const type of ['pointerdown', 'keydown', 'wheel', 'touchstart']) {
  addEventListener(type, () => (lastInput = Date.now()), { passive: true });
}

async function refresh() {
  const region = document.querySelector('[data-live]');
  if (!region || document.hidden || Date.now() - lastInput > MAX_IDLE_MS) return;
  const response = await fetch(location.href, { redirect: 'error' });
  if (!response.ok) return;
  const read = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('[data-live]');
  if (read && !region.contains(document.activeElement)) region.replaceWith(document.importNode(read, true));
}

setInterval(() => refresh().catch(() => undefined), REFRESH_MS);
