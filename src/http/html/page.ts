import type { Language } from '../../contract/languages.ts';
import { loadAsset } from './assets.ts';
import { type Brand, brandLogo, getBrandStyle } from './brand.ts';
import { type Html, html, render } from './html.ts';

const STYLE = loadAsset(new URL('assets/pages.css', import.meta.url));
const ICON = loadAsset(new URL('assets/icon.svg', import.meta.url));

/** The assets that every page loads. */
export const PAGE_ASSETS = [STYLE, ICON];

/** Permissions of a page beyond loading our style sheet and pictures. Sources are written as in a CSP header. */
export interface Allowed {
  /** The sources that the page's forms can be sent to. */
  formAction: string;
  referrerPolicy: string;
  /** Further directives, such as `script-src` for a page that loads scripts. */
  also?: Readonly<Record<string, string>>;
}

/** Builds the headers that a page has in addition to those of every response. */
export function pageHeaders({ formAction, referrerPolicy, also = {} }: Allowed): Readonly<Record<string, string>> {
  const policy = {
    ...{ 'default-src': "'none'", 'style-src': "'self'", 'img-src': "'self'", 'form-action': formAction },
    ...{ 'base-uri': "'none'", 'frame-ancestors': "'none'" },
    ...also,
  };
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': Object.entries(policy)
      .map((directive) => directive.join(' '))
      .join('; '),
    'Referrer-Policy': referrerPolicy,
    'X-Robots-Tag': 'noindex',
  };
}

export interface PageOptions {
  language: Language;
  title: string;
  /** The content below the title. */
  content: Html;
  /** Width of the content: `narrow` for forms and prose, `wide` for tables and pictures. */
  width?: 'narrow' | 'wide';
  /** The navigation above the content, with the text of the link that skips it. */
  navigation?: { content: Html; skip: string };
  /** Company whose colour the page has. On a page without navigation, the company's logo is above the title. */
  brand?: Brand | null | undefined;
  /** URLs of our scripts, which are loaded as modules. The page's headers must allow them. */
  scripts?: readonly string[];
}

/** Renders a whole page. */
export function page({
  language,
  title,
  content,
  width = 'narrow',
  navigation,
  brand,
  scripts = [],
}: PageOptions): string {
  const document = html`
    <html lang=${language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" type="image/svg+xml" href=${ICON.path} />
        <link rel="stylesheet" href=${STYLE.path} />
        ${brand && getBrandStyle(brand).map((href) => html`<link rel="stylesheet" href=${href} />`)}
        ${scripts.map((src) => html`<script type="module" src=${src}></script>`)}
      </head>
      <body class=${navigation ? 'place' : 'alone'}>
        ${
          navigation &&
          html`<a class="skip" href="#content">${navigation.skip}</a>
            <header>${navigation.content}</header>`
        }
        <main id="content" class=${width} tabindex="-1">
          ${!navigation && brandLogo(brand)}
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>
  `;
  return `<!doctype html>\n${render(document)}\n`;
}
