// Sends the forms of the interactive reference, filters its operations, and opens the operation in the URL. The API key
// stays in its input: it is neither stored nor part of a URL.
const place = document.getElementById('reference');
const keyInput = document.getElementById('key');
// The server sets a key only in the demo.
keyInput.value = place.dataset.key ?? '';

/** Longest response body that is shown, in characters; a longer body takes the browser seconds to lay out. */
const MAX_SHOWN = 300_000;

/** Creates an element with properties, attributes (`aria-…`, `role`) and children. */
function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [property, value] of Object.entries(properties)) {
    if (property in element) element[property] = value;
    else element.setAttribute(property, value);
  }
  element.append(...children);
  return element;
}

/** Builds the request of a form. Controls without a value are left out. */
function buildRequest(form) {
  let { path } = form.dataset;
  const query = new URLSearchParams();
  const headers = new Headers();
  let body;
  for (const control of form.querySelectorAll('[data-in]')) {
    const { in: part, name } = control.dataset;
    const { value } = control;
    if (value === '') continue;
    if (part === 'path') path = path.replace(`{${name}}`, () => encodeURIComponent(value));
    if (part === 'query') query.append(name, value);
    if (part === 'header') headers.set(name, value);
    if (part === 'body') {
      headers.set('Content-Type', name);
      body = value;
    }
    if (part === 'file') {
      body = new FormData();
      body.append(name, control.files[0]);
    }
  }
  const key = keyInput.value.trim();
  if (key !== '') headers.set('Authorization', `Bearer ${key}`);
  const address = query.size > 0 ? `${path}?${query}` : path;
  // The API reads no cookies, and a cached response would be shown as a new one.
  return { address, init: { method: form.dataset.method, headers, body, credentials: 'omit', cache: 'no-store' } };
}

/** Returns the reason why a value cannot be part of a URL; the empty string if it can. */
function pathProblem(value) {
  // Browsers resolve `.` and `..`, even encoded, and would call a different operation.
  return value === '.' || value === '..' ? `“${value}” cannot be sent as part of a path.` : '';
}

function shownHeaders(response) {
  const names = place.dataset.headers.split(' ').filter((name) => response.headers.has(name));
  return names.map((name) => `${name}: ${response.headers.get(name)}`).join('\n');
}

function isText(type) {
  return /^(text\/|application\/(.*\+)?json)/.test(type);
}

function shownText(type, text) {
  const whole = /json$/.test(type.split(';')[0]) ? indented(text) : text;
  return whole.length <= MAX_SHOWN
    ? whole
    : `${whole.slice(0, MAX_SHOWN)}\n… (${whole.length.toLocaleString('en')} characters; the rest is not shown)`;
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Creates a link that saves the body under the server's file name. */
function saveLink(response, blob) {
  const [, name = 'response'] = /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return make('a', { href: URL.createObjectURL(blob), download: name }, `Save ${name} (${blob.size} bytes)`);
}

function section(title, text) {
  const pre = make('pre', { tabIndex: 0, role: 'group', 'aria-label': title }, make('code', {}, text));
  return [make('p', { className: 'label' }, title), pre];
}

async function answerParts(response) {
  const type = response.headers.get('content-type') ?? '';
  const blob = await response.blob();
  const parts = section('Response headers', shownHeaders(response));
  if (blob.size === 0) return parts;
  if (isText(type)) return [...parts, ...section('Response body', shownText(type, await blob.text()))];
  return [...parts, make('p', {}, saveLink(response, blob))];
}

function clear(answer) {
  for (const link of answer.querySelectorAll('a[download]')) URL.revokeObjectURL(link.href);
  answer.replaceChildren();
  answer.hidden = true;
}

/** Sends a form and shows the response below it. */
async function send(form) {
  const details = form.closest('details');
  const status = details.querySelector('.status');
  const answer = details.querySelector('.answer');
  // Sends one request at a time, so that the response shown belongs to the last request.
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  clear(answer);
  status.textContent = 'Sending …';
  try {
    const { address, init } = buildRequest(form);
    const startedAt = performance.now();
    const response = await fetch(address, init);
    const parts = await answerParts(response);
    const durationMs = Math.round(performance.now() - startedAt);
    status.textContent = `${response.status} ${response.statusText} (${init.method} ${address}, ${durationMs} ms)`;
    answer.replaceChildren(...parts);
    answer.hidden = false;
  } catch (error) {
    status.textContent = `No response: ${error.message}`;
  } finally {
    form.ariaBusy = 'false';
  }
}

place.addEventListener('submit', (event) => {
  event.preventDefault();
  send(event.target);
});

place.addEventListener('input', ({ target }) => {
  if (target.dataset.in === 'path') target.setCustomValidity(pathProblem(target.value));
  if (target.dataset.example) document.getElementById(target.dataset.example).value = target.value;
});

// Links to operations are `#/Learners/createLearner`, those to resources `#/Learners`.
function buildAddress(details) {
  const { tag } = details.closest('section').dataset;
  return `#/${encodeURIComponent(tag)}/${details.dataset.operation}`;
}

/** Opens the operation or resource in the URL. */
function openNamed() {
  const [, tag, operation] = location.hash.split('/');
  if (!tag) return;
  filterBy('');
  const details = operation && place.querySelector(`details[data-operation="${CSS.escape(operation)}"]`);
  const heading = place.querySelector(`section[data-tag="${CSS.escape(decoded(tag))}"] h2`);
  const target = details ? details.querySelector('summary') : heading;
  if (!target) return;
  if (details) details.open = true;
  target.focus();
  target.scrollIntoView();
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// `toggle` does not bubble.
place.addEventListener(
  'toggle',
  ({ target }) => {
    if (target.open) history.replaceState(null, '', buildAddress(target));
  },
  { capture: true },
);

const filter = document.getElementById('filter');
const matches = document.getElementById('matches');

/** Shows the operations whose path, title, id or resource contains every word of the filter. */
function filterBy(text) {
  filter.value = text;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const part of place.querySelectorAll('section')) {
    for (const details of part.querySelectorAll('details')) {
      const searched = `${part.dataset.tag} ${details.dataset.operation} ${details.querySelector('summary').textContent}`;
      details.hidden = !words.every((word) => searched.toLowerCase().includes(word));
      if (!details.hidden) shown += 1;
    }
    part.hidden = !part.querySelector('details:not([hidden])');
  }
  matches.textContent = words.length === 0 ? '' : `${shown} ${shown === 1 ? 'operation' : 'operations'}`;
}

filter.addEventListener('input', () => filterBy(filter.value));
addEventListener('hashchange', openNamed);
openNamed();
