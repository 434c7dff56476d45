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
  const known = above === window.top ? valuesOf(window.name) : {};

  const api = {};
  for (const name of [
    ...(is2004 ? ['Initialize', 'Terminate'] : ['Initialize', 'Finish']),
    ...['Commit', 'GetLastError', 'GetErrorString', 'GetDiagnostic'],
  ]) {
    api[prefix + name] = (...given) => remote[prefix + name](...(given.length > 0 ? given : ['']));
  }
  api[`${prefix}GetValue`] = (element) => remote[`${prefix}GetValue`](element) || (known[element] ?? '');
  api[`${prefix}SetValue`] = (element, value) => {
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

  function valuesOf(text) {
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
