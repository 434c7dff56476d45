// Runs in each page of a package on the content host, before the page's own scripts. According to the standard,
// packages search the parent windows for the SCORM API. Many look only in their own window, so each page also gets the
// API there.
(() => {
  // Chromium ignores `webrtc 'block'` in the Content-Security-Policy (tried with 153), so a page could connect to other
  // hosts. Removing the constructor stops only ordinary scripts: a malicious package can get it from an empty frame.
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport'])
    delete window[name];
  const found = find(window.parent) ?? find(window.opener?.parent) ?? find(window.opener);
  for (const name of ['API', 'API_1484_11']) if (found?.[name]) window[name] = found[name];

  // In a frame of another site, browsers drop cookies. For packages that keep a bookmark in a cookie, this emulates cookies
  // that last as long as the window and reach no other package.
  const jar = found ? (found.cookieJar ??= new Map()) : new Map();
  Object.defineProperty(document, 'cookie', {
    configurable: true,
    get: () => [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
    set: (text) => {
      const [pair, ...attributes] = String(text).split(';');
      const [name, ...value] = pair.split('=');
      const isPast = attributes.some((attribute) => {
        const [key, given = ''] = attribute.split(/=(.*)/s).map((part) => part.trim());
        return /^max-age$/i.test(key) ? Number(given) <= 0 : /^expires$/i.test(key) && Date.parse(given) <= Date.now();
      });
      if (isPast) jar.delete(name.trim());
      else jar.set(name.trim(), value.join('=').trim());
    },
  });

  /** Returns the nearest window with the API, from a window upwards. */
  function find(from) {
    try {
      for (let at = from; at; at = at.parent) {
        if (at.API || at.API_1484_11) return at;
        if (at === at.parent) return undefined;
      }
    } catch {
      // A window of another origin: the page of the service.
    }
    return undefined;
  }
})();
