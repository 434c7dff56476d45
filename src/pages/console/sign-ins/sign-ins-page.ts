import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { sessionsMessages } from '../../shared/sessions-messages.ts';
import { formatBrowser, formatWay, renderTime } from '../../shared/sessions-page.ts';
import { signInsMessages } from './sign-ins-messages.ts';
import { dataTable } from '../../shared/parts/table.ts';

export const SIGN_INS_PATH = '/console/sign-ins';

type Entry = Schemas['SignInEntry'];

export interface SignInsView {
  language: Language;
  entries: readonly Entry[];
  /** The names of the people that the viewer can read, by id. */
  names: ReadonlyMap<string, string>;
  areFailures: boolean;
}

/** Renders the latest entries of the sign-in log. */
export function signInsContent({ areFailures, ...view }: SignInsView): Html {
  const messages = signInsMessages[view.language];
  const other = areFailures ? SIGN_INS_PATH : `${SIGN_INS_PATH}/failed`;
  return html`
    <p>${messages.about}</p>
    <p><a href=${other}>${areFailures ? messages.all : messages.failed}</a></p>
    ${view.entries.length === 0 ? html`<p>${messages.none}</p>` : signInsTable(view)}
  `;
}

function signInsTable({ language, entries, names }: Omit<SignInsView, 'areFailures'>): Html {
  const messages = signInsMessages[language];
  const { way, device, address, unknown, ways } = sessionsMessages[language];
  const columns = [messages.time, messages.person, messages.outcome, way, device, address];
  const toRow = (entry: Entry) => [
    renderTime(entry.occurredAt, language),
    formatPerson(entry, names, language),
    formatOutcome(entry, language),
    formatWay(entry.method, { ways }),
    formatBrowser(entry.userAgent) ?? unknown,
    entry.address ?? unknown,
  ];
  return dataTable({ caption: messages.title, columns, rows: entries.map(toRow) });
}

function formatPerson({ kind, personId }: Entry, names: SignInsView['names'], language: Language): string {
  const { kinds, nobody } = signInsMessages[language];
  const name = personId === null ? nobody : (names.get(personId) ?? personId);
  return `${name} (${(kinds as Record<string, string>)[kind] ?? kind})`;
}

function formatOutcome({ action, reason }: Entry, language: Language): string {
  const { succeeded, confirmed, reasons } = signInsMessages[language];
  if (reason === null) return action === 'confirmation' ? confirmed : succeeded;
  return (reasons as Record<string, string>)[reason] ?? reason;
}
