/**
 * Reads the list again while the user types or chooses a filter, and replaces the people on the page. Without the
 * script, the button of the form does the same. If the response is not the list, such as a page that asks for a
 * confirmation, opens it as a page.
 */
const form = document.querySelector('form.filters');
/** Pause after the last key, in milliseconds: about two keystrokes of a person who types slowly. */
const PAUSE_MS = 250;
/** The parts of the page that depend on the filters. */
const PARTS = ['people', 'people-count'];
let timer;
let running;

function addressOfForm() {
  const fields = [...new FormData(form)].filter(([, value]) => value !== '');
  const search = new URLSearchParams(fields).toString();
  return form.action + (search && `?${search}`);
}

async function search() {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  const address = addressOfForm();
  try {
    const response = await fetch(address, { signal });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const parts = PARTS.map((id) => page.getElementById(id));
    if (!response.ok || response.redirected || parts.includes(null)) return location.assign(address);
    history.replaceState(null, '', address);
    for (const part of parts) document.getElementById(part.id).replaceChildren(...part.childNodes);
  } catch (error) {
    if (error.name !== 'AbortError') location.assign(address);
  }
}

form.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(search, PAUSE_MS);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  clearTimeout(timer);
  search();
});
