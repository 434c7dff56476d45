import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { sessionsMessages } from '../../shared/sessions-messages.ts';
import { formatBrowser, formatWay, renderTime } from '../../shared/sessions-page.ts';
import { signInsMessages } from './sign-ins-messages.ts';
import type { ListQuery } from '../../shared/list-query.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { emptyState } from '../../shared/parts/empty-state.ts';
import { filterBar } from '../../shared/parts/filter-bar.ts';
import { cursorLinks } from '../../shared/parts/page-links.ts';
import { dataTable } from '../../shared/parts/table.ts';

const SIGN_INS_PATH = '/console/sign-ins';

type Entry = Schemas['SignInEntry'];

export interface SignInsView extends ListQuery {
  language: Language;
  entries: readonly Entry[];
  nextCursor: string | null;
  /** The names of the people that the viewer can read, by id. */
  names: ReadonlyMap<string, string>;
}

/** Renders a page of the sign-in log with its filters. */
export function signInsContent({ values, cursor, nextCursor, ...view }: SignInsView): Html {
  const { language } = view;
  const messages = signInsMessages[language];
  return html`
    <p>${messages.about}</p>
    ${filterBar({
      action: SIGN_INS_PATH,
      label: messages.filters,
      filters: [
        { name: 'since', label: messages.since, type: 'date' },
        { name: 'until', label: messages.until, type: 'date' },
        { name: 'outcome', label: messages.outcome, options: Object.entries(messages.outcomes) },
      ],
      values,
      apply: messages.apply,
      reset: messages.reset,
    })}
    ${view.entries.length === 0 ? emptyState(messages.none) : signInsTable(view)}
    ${cursorLinks({ label: messages.title, path: SIGN_INS_PATH, values, cursor, nextCursor }, language)}
    ${apiCalls([{ operationId: 'listSignIns' }], language)}
  `;
}

function signInsTable({ language, entries, names }: Pick<SignInsView, 'language' | 'entries' | 'names'>): Html {
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
