import { hash } from 'node:crypto';
import type { Language } from '../languages.ts';

const STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; grid-template-columns: minmax(0, 1fr);
  background: light-dark(#f3f4f6, #111827);
  color: light-dark(#111827, #f3f4f6); }
main { box-sizing: border-box; width: min(30rem, 100%); margin: 1rem 0; padding: 2rem 1.5rem; border-radius: 0.75rem;
  background: light-dark(#fff, #1f2937); box-shadow: 0 1px 4px rgb(0 0 0 / 0.2); overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 1.5rem 0 0; font-size: 1.1rem; }
pre { margin: 0.75rem 0; padding: 0.75rem; overflow-x: auto; border-radius: 0.4rem; font-size: 0.85rem;
  background: light-dark(#f3f4f6, #111827); }
label, dt { display: block; margin-top: 1rem; font-weight: 600; }
dl, dd { margin: 0; }
input { box-sizing: border-box; width: 100%; padding: 0.6rem; font: inherit; color: inherit; border-radius: 0.4rem;
  border: 1px solid light-dark(#6b7280, #9ca3af); background: transparent; }
button { width: 100%; margin-top: 1.5rem; padding: 0.7rem; font: inherit; font-weight: 600; color: #fff; cursor: pointer;
  background: #1d4ed8; border: 0; border-radius: 0.4rem; }
button.quiet { margin-top: 0.75rem; color: inherit; background: transparent;
  border: 1px solid light-dark(#6b7280, #9ca3af); }
input:focus-visible, button:focus-visible, pre:focus-visible { outline: 3px solid light-dark(#1d4ed8, #93c5fd); outline-offset: 2px; }
.fault { margin: 0.3rem 0 0; color: light-dark(#b91c1c, #fca5a5); }
.warning { margin: 1rem 0 0; padding: 0.75rem; border-radius: 0.4rem; background: light-dark(#fef3c7, #78350f); }
`;

const STYLE_HASH = hash('sha256', STYLE, 'base64');

/**
 * The headers of a page beside those of every answer: it may show itself, send its form to `formAction` (sources as in a
 * Content-Security-Policy), and nothing else.
 */
export function pageHeaders(allowed: { formAction: string; referrerPolicy: string }): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy':
      `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action ${allowed.formAction}; ` +
      `base-uri 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': allowed.referrerPolicy,
    'X-Robots-Tag': 'noindex',
  };
}

/** A whole page. Title and content are HTML: what comes from elsewhere is escaped by the caller. */
export function page(language: Language, title: string, content: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
}
