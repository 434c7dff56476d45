import { operations, type Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import type { ListQuery } from '../../shared/list-query.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { emptyState } from '../../shared/parts/empty-state.ts';
import { filterBar } from '../../shared/parts/filter-bar.ts';
import { cursorLinks } from '../../shared/parts/page-links.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { renderTime } from '../../shared/sessions-page.ts';
import { type AuditLogMessages, auditLogMessages } from './audit-log-messages.ts';

type Entry = Schemas['AuditEntry'];

export const AUDIT_LOG_PATH = '/console/audit-log';

export interface AuditLogView extends ListQuery {
  language: Language;
  entries: readonly Entry[];
  nextCursor: string | null;
  /** The names of admins, keys and sources, by id. */
  names: ReadonlyMap<string, string>;
}

/** Renders a page of the audit log with its filters. */
export function auditLogContent({ language, entries, nextCursor, names, values, cursor }: AuditLogView): Html {
  const messages = auditLogMessages[language];
  const columns = [messages.time, messages.actor, messages.what, messages.affected, messages.outcome, messages.address];
  const toRow = (entry: Entry) => [
    renderTime(entry.occurredAt, language),
    renderActor(entry, names, messages),
    renderOperation(entry.operation),
    entry.targets.map(({ field, count }) => messages.targets(field, count)).join(', '),
    formatOutcome(entry, messages),
    entry.address ?? '–',
  ];
  return html`
    <p>${messages.about}</p>
    ${filters(values, messages)}
    ${entries.length === 0 ? emptyState(messages.none) : dataTable({ caption: messages.title, columns, rows: entries.map(toRow) })}
    ${cursorLinks({ label: messages.title, path: AUDIT_LOG_PATH, values, cursor, nextCursor }, language)}
    ${apiCalls([{ operationId: 'listAuditLog' }], language)}
  `;
}

function filters(values: ListQuery['values'], messages: AuditLogMessages): Html {
  return filterBar({
    action: AUDIT_LOG_PATH,
    label: messages.filters,
    filters: [
      { name: 'since', label: messages.since, type: 'date' },
      { name: 'until', label: messages.until, type: 'date' },
      { name: 'operation', label: messages.operation },
      { name: 'actorId', label: messages.actorId },
      { name: 'outcome', label: messages.outcome, options: Object.entries(messages.outcomes) },
    ],
    values,
    apply: messages.apply,
    reset: messages.reset,
  });
}

/** Renders the name of an actor, with a link to the actor's entries. */
function renderActor({ actorType, actorId }: Entry, names: AuditLogView['names'], messages: AuditLogMessages): Html {
  const kind = (messages.kinds as Record<string, string>)[actorType] ?? actorType;
  const name = names.get(actorId) ?? actorId;
  return html`<a href=${`${AUDIT_LOG_PATH}?actorId=${encodeURIComponent(actorId)}`}><bdi>${name}</bdi></a> (${kind})`;
}

/** Renders an operation with a link to its documentation, unless it is not part of the API. */
function renderOperation(operation: string): Html {
  const isDocumented = Object.hasOwn(operations, operation);
  return isDocumented
    ? html`<a href=${`/docs/operations/${operation}`}><code>${operation}</code></a>`
    : html`<code>${operation}</code>`;
}

function formatOutcome({ outcome, code }: Entry, { outcomes }: AuditLogMessages): Html | string {
  const text = (outcomes as Record<string, string>)[outcome] ?? outcome;
  return code === null ? text : html`${text} (<code>${code}</code>)`;
}
