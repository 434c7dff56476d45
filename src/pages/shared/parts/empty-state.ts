import { type Html, html } from '../../../http/html/html.ts';

/** Renders what a page says in place of an empty list, with the next step if there is one. */
export function emptyState(text: string, next?: { href: string; text: string } | false): Html {
  return html`<div class="note">
    <p>${text}</p>
    ${next && html`<p><a class="button" href=${next.href}>${next.text}</a></p>`}
  </div>`;
}
