// Turns each operation of the page into a form that calls this server. `data-key` is there in the demo only.
const place = document.getElementById('reference');
const { contract: address, key } = place.dataset;
const keyInput = document.getElementById('key');
keyInput.value = key ?? '';

const contract = await (await fetch(address)).json();
const resolve = (value) =>
  value?.$ref
    ? resolve(
        value.$ref
          .slice(2)
          .split('/')
          .reduce((part, step) => part[step.replaceAll('~1', '/').replaceAll('~0', '~')], contract),
      )
    : value;

const operations = new Map();
for (const [path, methods] of Object.entries(contract.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    if (operation.operationId) operations.set(operation.operationId, { method, path, operation });
  }
}

/** Makes an element with properties and children. */
function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Makes a labelled control. */
function field(label, control) {
  return make('label', { className: 'field' }, make('span', {}, label), control);
}

function parameterFields({ operation }) {
  const all = (operation.parameters ?? []).map(resolve);
  return all.map((parameter) => {
    const control = make('input', { required: parameter.required ?? false, spellcheck: false, autocomplete: 'off' });
    const label = `${parameter.name} (${parameter.in}${parameter.required ? ', required' : ''})`;
    return { parameter, control, element: field(label, control) };
  });
}

/** Makes the control of a request body: text with an example, or a file. Undefined without a body. */
function bodyField({ operation }) {
  const content = resolve(operation.requestBody)?.content;
  if (!content) return undefined;
  const type =
    'application/json' in content
      ? 'application/json'
      : Object.keys(content).find((one) => one !== 'multipart/form-data');
  if (type !== 'application/json') {
    const control = make('input', { type: 'file', required: true });
    return { type, control, read: () => control.files[0], element: field(`Request body (${type})`, control) };
  }
  const [example] = Object.values(content[type].examples ?? {}).map(resolve);
  const control = make('textarea', {
    rows: 12,
    spellcheck: false,
    value: JSON.stringify(example?.value ?? {}, null, 2),
  });
  return { type, control, read: () => control.value, element: field(`Request body (${type})`, control) };
}

/** Builds the request from what was filled in; fields that are empty are left out. */
function requestOf({ method, path }, fields, body) {
  const headers = {};
  const query = new URLSearchParams();
  let target = path;
  for (const { parameter, control } of fields) {
    if (control.value === '') continue;
    if (parameter.in === 'path') target = target.replace(`{${parameter.name}}`, encodeURIComponent(control.value));
    if (parameter.in === 'query') query.append(parameter.name, control.value);
    if (parameter.in === 'header') headers[parameter.name] = control.value;
  }
  if (keyInput.value !== '') headers.Authorization = `Bearer ${keyInput.value}`;
  if (body) headers['Content-Type'] = body.type;
  const search = query.size > 0 ? `?${query}` : '';
  target = contract.servers[0].url + target;
  return [`${target}${search}`, { method: method.toUpperCase(), headers, body: body?.read() }];
}

async function describe(response, startedAt) {
  const line = `${response.status} ${response.statusText} in ${Math.round(performance.now() - startedAt)} ms`;
  const type = response.headers.get('content-type') ?? '';
  if (!/json|text|csv/.test(type)) return [line, `${(await response.blob()).size} bytes of ${type || 'no type'}`];
  const text = await response.text();
  try {
    return [line, JSON.stringify(JSON.parse(text), null, 2)];
  } catch {
    return [line, text];
  }
}

/** Fills an operation with its form when it is opened for the first time. */
function fill(details) {
  const entry = operations.get(details.dataset.operation);
  if (!entry || details.querySelector('form')) return;
  const fields = parameterFields(entry);
  const body = bodyField(entry);
  const status = make('p', { className: 'status' });
  status.setAttribute('role', 'status');
  const answer = make('pre', { tabIndex: 0, hidden: true });
  answer.setAttribute('aria-label', 'Response');
  const form = make(
    'form',
    {},
    ...fields.map(({ element }) => element),
    ...(body ? [body.element] : []),
    make('button', {}, 'Send'),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const startedAt = performance.now();
    try {
      const response = await fetch(...requestOf(entry, fields, body));
      [status.textContent, answer.textContent] = await describe(response, startedAt);
    } catch {
      [status.textContent, answer.textContent] = ['No response was received.', ''];
    }
    answer.hidden = answer.textContent === '';
  });
  details.append(form, status, answer);
}

for (const details of place.querySelectorAll('details[data-operation]')) {
  details.addEventListener('toggle', () => fill(details));
}

/** Opens the operation that the address names, as `#/Learners/createLearner`. */
function openNamed() {
  const id = location.hash.split('/')[2];
  const details = id && document.getElementById(`operation-${id}`);
  if (!details) return;
  details.open = true;
  details.scrollIntoView();
}
addEventListener('hashchange', openNamed);
openNamed();

const filter = document.getElementById('filter');
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase();
  for (const section of place.querySelectorAll('section')) {
    for (const details of section.querySelectorAll('details')) {
      details.hidden = !details.querySelector('summary').textContent.toLowerCase().includes(words);
    }
    section.hidden = !section.querySelector('details:not([hidden])');
  }
});
