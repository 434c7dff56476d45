import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { type ApplicationsMessages, applicationsMessages } from './applications-messages.ts';
import { cutHint, renderDay, hiddenFields } from '../../shared/parts/fields.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import { dataTable } from '../../shared/parts/table.ts';

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
  const toRow = (one: Connection) => [
    one.name ?? messages.unnamed,
    one.redirectHost ?? '–',
    keyNames.get(one.apiKeyId) ?? '–',
    one.scopes === null ? messages.everything : one.scopes.join(', '),
    renderDay(one.createdAt, language, ''),
    renderDay(one.lastUsedAt, language, messages.never),
    renderDay(one.expiresAt, language, ''),
    canEnd && endLink(one, messages),
  ];
  return html`
    <p>${messages.about}</p>
    ${dataTable({ caption: messages.title, columns: heads, rows: connections.map(toRow) })} ${cutHint(isCut, language)}
  `;
}

function endLink({ id, name }: Connection, messages: ApplicationsMessages): Html {
  const label = messages.end(name ?? messages.unnamed);
  return html`<a href=${`${APPLICATIONS_PATH}/${id}/end`} aria-label=${label}>${messages.endShort}</a>`;
}

/** Renders the page that asks an admin to confirm that an application loses its access. */
export function endContent(one: Connection, formToken: string, language: Language): Html {
  const messages = applicationsMessages[language];
  return confirmation({
    about: messages.endAbout(one.name ?? messages.unnamed),
    action: `${APPLICATIONS_PATH}/${one.id}/end`,
    hidden: hiddenFields(formToken),
    button: messages.endButton,
    keep: { href: APPLICATIONS_PATH, text: messages.keep },
  });
}
