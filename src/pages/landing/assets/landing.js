// Reports that a browser loaded the page, and that a person uses it. The requests have no body.
const { page, nonce } = document.querySelector('[data-page]').dataset;
const told = new Set();

function tell(what) {
  if (told.has(what)) return;
  told.add(what);
  const headers = { 'X-Form-Token': nonce };
  fetch(`${page}/${what}`, { method: 'POST', headers, credentials: 'omit', keepalive: true }).catch(() => undefined);
}

/** Reports which files loaded. Programs that follow links load the script or the style sheet at most, not both. */
function tellOfLoading() {
  tell([...document.styleSheets].some(hasRules) ? 'loaded' : 'script');
}

function hasRules(sheet) {
  try {
    return sheet.cssRules.length > 0;
  } catch {
    return false;
  }
}

// Nobody sees a prerendered page yet.
if (document.prerendering) document.addEventListener('prerenderingchange', tellOfLoading, { once: true });
else if (document.readyState === 'complete') tellOfLoading();
else addEventListener('load', tellOfLoading, { once: true });

for (const type of ['pointerdown', 'pointermove', 'touchstart', 'wheel', 'keydown']) {
  addEventListener(type, (event) => isOfPerson(event) && tell('input'), { passive: true });
}

/**
 * Reports whether an event comes from a person. Browsers also send a pointer move when a page appears under the
 * pointer.
 */
function isOfPerson({ type, isTrusted, movementX, movementY }) {
  return isTrusted && (type !== 'pointermove' || movementX !== 0 || movementY !== 0);
}
