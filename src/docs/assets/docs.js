// Adds the features that need a script: suggestions below the search field, buttons that copy code, and remembering the
// language of examples. Without it, the search field is a form that leads to a page with the results.

/** Maximum number of suggestions per group. The results page shows the rest. */
const MAX_SUGGESTIONS = 5;
/** Time for which a copy button says that the code was copied. */
const COPIED_MS = 2000;

/** Creates an element with properties and children. */
function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

const form = document.querySelector('form.search');
const field = document.getElementById('search');
const results = document.getElementById('results');
const status = make('p', { className: 'count', role: 'status' });

let loading;

/** Loads the search index on the first use. If loading fails, the next use tries again. */
function loadIndex() {
  loading ??= Promise.all([
    import(form.dataset.rank),
    fetch(form.dataset.index, { credentials: 'omit' }).then((response) => {
      if (!response.ok) throw new Error(`${response.status}`);
      return response.json();
    }),
  ]).then(
    ([{ prepare, search }, entries]) => {
      const index = prepare(entries);
      return (query) => search(index, query);
    },
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

async function suggest() {
  const query = field.value;
  if (query.trim() === '') return close();
  let search;
  try {
    search = await loadIndex();
  } catch {
    // Enter still leads to the page with the results.
    return;
  }
  // The search text might have changed while the index was loading.
  if (query === field.value && form.contains(document.activeElement)) show(search(query), query);
}

function show(groups, query) {
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  status.textContent = count === 0 ? 'No results' : `${count} ${count === 1 ? 'result' : 'results'}`;
  const all = make('a', { href: `${form.action}?q=${encodeURIComponent(query)}` }, 'All results');
  results.replaceChildren(status, ...groups.flatMap(groupParts), ...(count > 0 ? [make('p', {}, all)] : []));
  results.hidden = false;
}

function groupParts({ group, entries }) {
  const title = make('p', { className: 'group', id: `results-${group.toLowerCase()}` }, group);
  const items = entries.slice(0, MAX_SUGGESTIONS).map(({ path, title: text, name, text: about }) => {
    const heading = make('span', { className: 'title' }, name && name !== text ? `${text} (${name})` : text);
    return make('li', {}, make('a', { href: path }, heading, make('span', { className: 'about' }, about)));
  });
  const list = make('ul', {}, ...items);
  list.setAttribute('aria-labelledby', title.id);
  return [title, list];
}

function close() {
  results.hidden = true;
  results.replaceChildren();
}

/** Moves the focus between the field and the suggestions. */
function moveFocus(step) {
  const stops = [field, ...results.querySelectorAll('a')];
  const next = stops.indexOf(document.activeElement) + step;
  stops[Math.min(Math.max(next, 0), stops.length - 1)].focus();
}

form.addEventListener('focusin', () => void loadIndex().catch(() => undefined));
field.addEventListener('input', suggest);
form.addEventListener('keydown', (event) => {
  if (results.hidden) return;
  if (event.key === 'Escape') {
    // Chromium would also clear the field.
    event.preventDefault();
    close();
    field.focus();
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  moveFocus(step);
});
form.addEventListener('focusout', ({ relatedTarget }) => {
  if (relatedTarget && !form.contains(relatedTarget)) close();
});
document.addEventListener('click', ({ target }) => {
  if (!form.contains(target)) close();
});

document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const isTyping = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  if (key !== '/' || isTyping || ctrlKey || metaKey || altKey) return;
  event.preventDefault();
  field.focus();
  field.select();
});

const LANGUAGE = 'docs-language';

/** Reads or stores the language of examples. Browsers that store nothing for a page throw. */
function remembered(language) {
  try {
    if (language !== undefined) localStorage.setItem(LANGUAGE, language);
    return localStorage.getItem(LANGUAGE);
  } catch {
    return null;
  }
}

for (const choice of document.querySelectorAll('.tabs input')) {
  if (choice.value === remembered()) choice.checked = true;
  choice.addEventListener('change', () => remembered(choice.value));
}

/** Announces to screen readers whether the code was copied. */
const copyStatus = make('p', { className: 'unseen', role: 'status' });
document.body.append(copyStatus);
for (const block of document.querySelectorAll('.code')) block.append(createCopyButton(block));

function createCopyButton(block) {
  const button = make('button', { type: 'button', className: 'copy' }, 'Copy');
  let timer;
  button.addEventListener('click', async () => {
    const result = (await copy(block.querySelector('pre'))) ? 'Copied' : 'Press Ctrl+C';
    button.textContent = result;
    copyStatus.textContent = result;
    clearTimeout(timer);
    timer = setTimeout(() => (button.textContent = 'Copy'), COPIED_MS);
  });
  return button;
}

/** Copies the text of a block. Selects it for the user if the browser does not let a script copy. */
async function copy(pre) {
  try {
    // Browsers offer the clipboard only to pages served over https or from this machine.
    await navigator.clipboard.writeText(pre.textContent.trimEnd());
    return true;
  } catch {
    getSelection().selectAllChildren(pre);
    return false;
  }
}
