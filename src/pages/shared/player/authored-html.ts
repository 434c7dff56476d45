import { type Html, html } from '../../../http/html/html.ts';

/** Inserts HTML that `src/resources/courses/authored/` rendered. It contains no HTML from the course's author. */
export function block(text: string): Html {
  return html`<div class="lesson" dangerouslySetInnerHTML=${{ __html: text }}></div>`;
}

/** Inserts one line of such HTML. */
export function inline(text: string): Html {
  return html`<span dangerouslySetInnerHTML=${{ __html: text }}></span>`;
}
