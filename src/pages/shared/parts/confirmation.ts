import { type Html, html } from '../../../http/html/html.ts';

/** Confirmation of an action on a separate page, so that it needs no script and the back button cancels it. */
export interface Confirmation {
  /** The consequences, as a string or as paragraphs. */
  about: string | Html;
  /** Path that the form is submitted to. */
  action: string;
  /** The hidden fields of the form, with its token. */
  hidden: Html;
  /** Further fields of the form. */
  fields?: Html;
  /** The text of the button, which names the action. */
  button: string;
  /** The link that cancels the action. */
  keep: { href: string; text: string };
}

/** Renders the page that asks a person to confirm an action. */
export function confirmation({ about, action, hidden, fields, button, keep }: Confirmation): Html {
  return html`
    ${typeof about === 'string' ? html`<p>${about}</p>` : about}
    <form method="post" action=${action}>
      ${hidden} ${fields}
      <button type="submit">${button}</button>
    </form>
    <p><a href=${keep.href}>${keep.text}</a></p>
  `;
}
