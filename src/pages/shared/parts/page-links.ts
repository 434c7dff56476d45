import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import type { FieldValues } from './fields.ts';

export interface PageLinks {
  /** The accessible name of the links. */
  label: string;
  first?: { href: string; text: string } | false;
  previous?: { href: string; text: string } | false;
  next?: { href: string; text: string } | false;
}

/** Renders the links between the pages of a list; returns nothing if the list has only one page. */
export function pageLinks({ label, first, previous, next }: PageLinks): Html | false {
  if (!first && !previous && !next) return false;
  return html`<nav aria-label=${label} class="pages">
    ${first && html`<a href=${first.href}>${first.text}</a>`}
    ${previous && html`<a href=${previous.href} rel="prev">${previous.text}</a>`}
    ${next && html`<a href=${next.href} rel="next">${next.text}</a>`}
  </nav>`;
}

const TEXTS: Record<Language, { first: string; next: string }> = {
  en: { first: 'First page', next: 'Next page' },
  de: { first: 'Erste Seite', next: 'Nächste Seite' },
  fr: { first: 'Première page', next: 'Page suivante' },
};

export interface CursorLinks {
  /** The accessible name of the links. */
  label: string;
  /** Path of the list. */
  path: string;
  /** The filters of the list, which the links keep. */
  values: FieldValues;
  /** The cursor of the shown page; undefined for the first page. */
  cursor: string | undefined;
  /** The cursor of the next page; null on the last one. */
  nextCursor: string | null;
}

/** Renders the links between the pages of a list that is read with cursors. */
export function cursorLinks(
  { label, path, values, cursor, nextCursor }: CursorLinks,
  language: Language,
): Html | false {
  const given = Object.entries(values).filter(([, value]) => value !== '');
  const hrefOf = (more: Record<string, string>) => {
    const query = new URLSearchParams({ ...Object.fromEntries(given), ...more }).toString();
    return query === '' ? path : `${path}?${query}`;
  };
  return pageLinks({
    label,
    first: cursor !== undefined && { href: hrefOf({}), text: TEXTS[language].first },
    next: nextCursor !== null && { href: hrefOf({ cursor: nextCursor }), text: TEXTS[language].next },
  });
}
