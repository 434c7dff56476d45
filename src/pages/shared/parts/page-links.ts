import { type Html, html } from '../../../http/html/html.ts';

export interface PageLinks {
  /** The accessible name of the links. */
  label: string;
  first?: { href: string; text: string } | false;
  previous?: { href: string; text: string } | false;
  next?: { href: string; text: string } | false;
}

/** Renders the links between the pages of a list; nothing for a list of one page. */
export function pageLinks({ label, first, previous, next }: PageLinks): Html | false {
  if (!first && !previous && !next) return false;
  return html`<nav aria-label=${label} class="pages">
    ${first && html`<a href=${first.href}>${first.text}</a>`}
    ${previous && html`<a href=${previous.href} rel="prev">${previous.text}</a>`}
    ${next && html`<a href=${next.href} rel="next">${next.text}</a>`}
  </nav>`;
}
