import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { childrenMessages } from './children-messages.ts';

/** Renders the banner that names the managed company whose pages an admin is reading, with a link back. */
export function childBanner(company: string, language: Language): Html {
  const { banner, bannerAbout, back } = childrenMessages[language];
  const [before, after] = banner('\n').split('\n');
  return html`<section class="note" aria-label=${banner(company)}>
    <p>
      <strong>${before}<bdi>${company}</bdi>${after}</strong>
    </p>
    <p>${bannerAbout}</p>
    <p><a class="button quiet" href="/console">${back}</a></p>
  </section>`;
}
