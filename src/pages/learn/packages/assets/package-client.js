// Runs in each page of a package, before its own scripts. The page stands in a sandbox: it reaches no window above it, has no
// storage, and no cookies. So the learning system is put where packages look for it, and answers at once with what it has
// heard of ours, which has the truth.
(() => {
  const above = window.parent;
  if (above === window) return;
  const is2004 = document.currentScript.src.endsWith('?scorm_2004');
  const prefix = is2004 ? '' : 'LMS';
  const remote = new CrossFrameAPI(location.origin, window.top);
  // The frame of our page is given what was kept; a frame within it is not.
  const known = above === window.top ? parseValues(window.name) : {};

  // The learning system above answers later, so what decides the result is checked here, by the formats of the standard.
  const DECIMAL = is2004 ? /^-?\d{1,10}(\.\d{1,18})?$/ : /^(-?(\d{1,10}\.?\d*|\.\d+))?$/;
  const STATUSES = {
    'cmi.core.lesson_status': /^(passed|completed|failed|incomplete|browsed)$/,
    'cmi.completion_status': /^(completed|incomplete|not attempted|unknown)$/,
    'cmi.success_status': /^(passed|failed|unknown)$/,
  };
  const TYPE_MISMATCH = is2004 ? '406' : '405';
  const OUT_OF_RANGE = is2004 ? '407' : '405';
  let refusal = '0';

  const api = {};
  for (const name of [
    ...(is2004 ? ['Initialize', 'Terminate'] : ['Initialize', 'Finish']),
    ...['Commit', 'GetLastError', 'GetErrorString', 'GetDiagnostic'],
  ]) {
    api[prefix + name] = (...given) => {
      if (name === 'GetLastError' && refusal !== '0') return refusal;
      if (!name.startsWith('Get')) refusal = '0';
      return remote[prefix + name](...(given.length > 0 ? given : ['']));
    };
  }
  api[`${prefix}GetValue`] = (element) => {
    refusal = '0';
    return remote[`${prefix}GetValue`](element) || (known[element] ?? '');
  };
  api[`${prefix}SetValue`] = (element, value) => {
    refusal = findErrorCode(String(element), String(value));
    if (refusal !== '0') return 'false';
    known[element] = String(value);
    return remote[`${prefix}SetValue`](element, String(value));
  };

  const home = { [is2004 ? 'API_1484_11' : 'API']: api };
  Object.assign(window, home);
  // Many look in the windows above first, and stop at the error that ours would be.
  const parent = { ...home, opener: null, postMessage: () => undefined };
  parent.parent = parent;
  Object.defineProperty(window, 'parent', { value: parent, configurable: true });

  // The next page of the package goes on where this one has stopped.
  if (above === window.top) {
    addEventListener('pagehide', () => {
      window.name = JSON.stringify(known);
    });
  }

  for (const name of ['localStorage', 'sessionStorage']) replaceRefused(window, name, { value: memory() });
  replaceRefused(document, 'cookie', { get: () => '', set: () => undefined });

  /** The code of the error that setting a value is; `0` for none. */
  function findErrorCode(element, value) {
    const [, part] = /\.score\.(raw|min|max|scaled)$/.exec(element) ?? [];
    if (part === undefined) return (STATUSES[element]?.test(value) ?? true) ? '0' : TYPE_MISMATCH;
    if (!DECIMAL.test(value)) return TYPE_MISMATCH;
    const [least, most] = part === 'scaled' ? [-1, 1] : is2004 ? [-Infinity, Infinity] : [0, 100];
    return Number(value) < least || Number(value) > most ? OUT_OF_RANGE : '0';
  }

  function parseValues(text) {
    try {
      return Object.fromEntries(Object.entries(JSON.parse(text)).filter(([, value]) => typeof value === 'string'));
    } catch {
      return {};
    }
  }

  /** What a sandbox refuses by an error, many a package does not catch. */
  function replaceRefused(owner, name, property) {
    try {
      void owner[name];
    } catch {
      Object.defineProperty(owner, name, { ...property, configurable: true });
    }
  }

  function memory() {
    const items = new Map();
    return {
      getItem: (key) => items.get(String(key)) ?? null,
      setItem: (key, value) => void items.set(String(key), String(value)),
      removeItem: (key) => void items.delete(String(key)),
      clear: () => items.clear(),
      key: (index) => [...items.keys()][index] ?? null,
      get length() {
        return items.size;
      },
    };
  }
})();
