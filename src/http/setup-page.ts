import { hash } from 'node:crypto';
import escapeHtml from 'escape-html';
import { type Language, languageOf } from '../languages.ts';
import type { AdminSetup } from '../auth/setup-links.ts';
import type { NameFaults, SetupNames } from '../resources/admins/admin-rules.ts';
import { setupWords } from './setup-words.ts';

const STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f3f4f6, #111827);
  color: light-dark(#111827, #f3f4f6); }
main { box-sizing: border-box; width: min(30rem, 100%); margin: 1rem 0; padding: 2rem 1.5rem; border-radius: 0.75rem;
  background: light-dark(#fff, #1f2937); box-shadow: 0 1px 4px rgb(0 0 0 / 0.2); overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
label, dt { display: block; margin-top: 1rem; font-weight: 600; }
dl, dd { margin: 0; }
input { box-sizing: border-box; width: 100%; padding: 0.6rem; font: inherit; color: inherit; border-radius: 0.4rem;
  border: 1px solid light-dark(#6b7280, #9ca3af); background: transparent; }
button { width: 100%; margin-top: 1.5rem; padding: 0.7rem; font: inherit; font-weight: 600; color: #fff; cursor: pointer;
  background: #1d4ed8; border: 0; border-radius: 0.4rem; }
input:focus-visible, button:focus-visible { outline: 3px solid light-dark(#1d4ed8, #93c5fd); outline-offset: 2px; }
.fault { margin: 0.3rem 0 0; color: light-dark(#b91c1c, #fca5a5); }
`;

/** The headers of the page beside those of every answer: it may show itself, send its form here, and nothing else. */
export const SETUP_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; form-action 'self'; ` +
    `base-uri 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

/** The form in which an invited admin confirms the name, with what was wrong with the last attempt. */
export function setupForm(setup: AdminSetup, names: SetupNames, faults: NameFaults): string {
  const language = languageOf(setup.locale);
  const words = setupWords[language];
  const field = (name: keyof SetupNames, autocomplete: string) => {
    const fault = faults[name] && words.faults[faults[name]];
    const described = fault ? ` aria-invalid="true" aria-describedby="${name}-fault"` : '';
    return `<label for="${name}">${words[name]}</label>
<input id="${name}" name="${name}" value="${escapeHtml(names[name])}" autocomplete="${autocomplete}" required${described}>
${fault ? `<p class="fault" id="${name}-fault" role="alert">${fault}</p>` : ''}`;
  };
  return page(
    language,
    words.title,
    `<p>${escapeHtml(words.invitation(setup.companyName))}</p>
<form method="post">
<dl><dt>${words.email}</dt><dd>${escapeHtml(setup.email)}</dd></dl>
${field('firstName', 'given-name')}
${field('lastName', 'family-name')}
<button type="submit">${words.submit}</button>
</form>`,
  );
}

export function setupDonePage({ locale, companyName }: AdminSetup): string {
  const language = languageOf(locale);
  const words = setupWords[language];
  return page(language, words.doneTitle, `<p>${escapeHtml(words.done(companyName))}</p>`);
}

/** What is said instead of the form, in the language that the browser asks for: whom the link invites is not known. */
export function setupFailurePage(status: number, language: Language): string {
  const words = setupWords[language];
  const [title, text] =
    status === 404
      ? [words.invalidLinkTitle, words.invalidLink]
      : status === 429
        ? [words.tooManyTitle, words.tooMany]
        : status >= 500
          ? [words.unavailableTitle, words.unavailable]
          : [words.refusedTitle, words.refused];
  return page(language, title, `<p>${text}</p>`);
}

function page(language: Language, title: string, content: string): string {
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
