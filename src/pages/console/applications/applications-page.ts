import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { type ApplicationsMessages, applicationsMessages } from './applications-messages.ts';
import { cutHint, renderDay, hiddenFields } from '../form-parts.ts';

type Connection = Schemas['Connection'];

export const APPLICATIONS_PATH = '/console/applications';

export interface ApplicationsView {
  language: Language;
  /** Whether the admin can end the access of an application. */
  canEnd: boolean;
  connections: readonly Connection[];
  /** Whether there are more applications than the page shows. */
  isCut: boolean;
  /** The names of the keys, by id. */
  keyNames: ReadonlyMap<string, string>;
}

/** Renders the applications that read with keys of the company. */
export function applicationsContent({ language, canEnd, connections, isCut, keyNames }: ApplicationsView): Html {
  const messages = applicationsMessages[language];
  if (connections.length === 0)
    return html`<p>${messages.about}</p>
      <p>${messages.none}</p>`;
  const heads = [
    messages.name,
    messages.goesTo,
    messages.key,
    messages.may,
    messages.made,
    messages.used,
    messages.until,
  ];
  return html`
    <p>${messages.about}</p>
    <div class="table" role="region" aria-label=${messages.title} tabindex="0">
      <table>
        <thead>
          <tr>
            ${heads.map((text) => html`<th scope="col">${text}</th>`)}
            <td></td>
          </tr>
        </thead>
        <tbody>
          ${connections.map(
            (one) =>
              html`<tr>
                <th scope="row">${one.name ?? messages.unnamed}</th>
                <td>${one.redirectHost ?? '–'}</td>
                <td>${keyNames.get(one.apiKeyId) ?? '–'}</td>
                <td>${one.scopes === null ? messages.everything : one.scopes.join(', ')}</td>
                <td>${renderDay(one.createdAt, language, '')}</td>
                <td>${renderDay(one.lastUsedAt, language, messages.never)}</td>
                <td>${renderDay(one.expiresAt, language, '')}</td>
                <td>${canEnd && endLink(one, messages)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${cutHint(isCut, language)}
  `;
}

function endLink({ id, name }: Connection, messages: ApplicationsMessages): Html {
  const label = messages.end(name ?? messages.unnamed);
  return html`<a href=${`${APPLICATIONS_PATH}/${id}/end`} aria-label=${label}>${messages.endShort}</a>`;
}

/** Renders the confirmation before the access of an application is ended. */
export function endContent(one: Connection, formToken: string, language: Language): Html {
  const messages = applicationsMessages[language];
  return html`
    <p>${messages.endAbout(one.name ?? messages.unnamed)}</p>
    <form method="post" action=${`${APPLICATIONS_PATH}/${one.id}/end`}>
      ${hiddenFields(formToken)}
      <button type="submit">${messages.endButton}</button>
    </form>
    <p><a href=${APPLICATIONS_PATH}>${messages.keep}</a></p>
  `;
}
