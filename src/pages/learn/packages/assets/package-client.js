// Runs in each page of a package, before the page's own scripts. The page is in a sandbox: it has no access to the windows
// above, to storage or to cookies. This script therefore provides the SCORM API where packages look for it. It answers
// synchronously from a local copy, and forwards each call to the runtime in package-player.js, which holds the state.
(() => {
  const above = window.parent;
  if (above === window) return;
  const is2004 = document.currentScript.src.endsWith('?scorm_2004');
  const prefix = is2004 ? '' : 'LMS';
  const remote = new CrossFrameAPI(location.origin, window.top);
  // Only the outermost frame of the package gets the stored values; frames within it do not.
  const known = above === window.top ? parseValues(window.name) : {};

  // The runtime above answers asynchronously, so the values that decide the result are validated here against SCORM's
  // formats.
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
  // Many packages search the windows above first, and would stop at the sandbox's error.
  const parent = { ...home, opener: null, postMessage: () => undefined };
  parent.parent = parent;
  Object.defineProperty(window, 'parent', { value: parent, configurable: true });

  // The next page of the package continues with these values.
  if (above === window.top) {
    addEventListener('pagehide', () => {
      window.name = JSON.stringify(known);
    });
  }

  for (const name of ['localStorage', 'sessionStorage']) replaceRefused(window, name, { value: memory() });
  replaceRefused(document, 'cookie', { get: () => '', set: () => undefined });

  /** Returns SCORM's error code for setting a value; `0` if the value is valid. */
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

  /** Replaces a property whose access throws in the sandbox, because many packages do not catch the error. */
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
