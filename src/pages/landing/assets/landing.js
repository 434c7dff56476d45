// Tells that a browser has loaded the page, that a person is at it, and that something was typed into its form. What was
// typed is never read: a request has no body, and the fields are emptied here.
const form = document.querySelector('form');
const { page, nonce } = form.dataset;
const told = new Set();

function tell(what) {
  if (told.has(what)) return;
  told.add(what);
  const headers = { 'X-Form-Token': nonce };
  fetch(`${page}/${what}`, { method: 'POST', headers, credentials: 'omit', keepalive: true }).catch(() => undefined);
}

/** A program that follows links loads neither this script nor the style sheet, or one of them. */
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

// A page that is rendered ahead is seen by nobody yet.
if (document.prerendering) document.addEventListener('prerenderingchange', tellOfLoading, { once: true });
else if (document.readyState === 'complete') tellOfLoading();
else addEventListener('load', tellOfLoading, { once: true });

for (const type of ['pointerdown', 'pointermove', 'touchstart', 'wheel', 'keydown']) {
  addEventListener(type, (event) => isOfPerson(event) && tell('input'), { passive: true });
}
form.addEventListener('input', (event) => event.isTrusted && tell('compromise'));
form.addEventListener('submit', (event) => {
  event.preventDefault();
  form.reset();
  document.getElementById('stopped').hidden = false;
  // A program can fill in and submit a form as well.
  if (told.has('input')) tell('compromise');
});
addEventListener('pagehide', () => form.reset());

/** Browsers send a move of the pointer when a page appears under it. */
function isOfPerson({ type, isTrusted, movementX, movementY }) {
  return isTrusted && (type !== 'pointermove' || movementX !== 0 || movementY !== 0);
}
