import { formatBrowserName } from '../../identity/browser-names.ts';
import type { ListedSession } from '../../identity/session-repository.ts';
import type { Language } from '../../contract/languages.ts';
import { type Html, html } from '../../http/html/html.ts';
import { dataTable } from './parts/table.ts';
import { type SessionsMessages, sessionsMessages } from './sessions-messages.ts';

export interface SessionsView {
  /** Path of the page that lists the sessions. */
  path: string;
  language: Language;
  sessions: readonly ListedSession[];
  /** The hidden field with the token of the forms; undefined if the viewer cannot end sessions. */
  token?: Html | undefined;
  /** Session that requested the page; undefined on a page about somebody else. */
  currentId?: string;
}

/** Renders a table of sessions, each with a button that ends it. */
export function sessionsTable({ path, language, sessions, token, currentId }: SessionsView): Html {
  const messages = sessionsMessages[language];
  if (sessions.length === 0) return html`<p>${messages.none}</p>`;
  const { since, used, way, device, address } = messages;
  const toRow = (session: ListedSession) => [
    html`${formatBrowser(session.userAgent) ?? messages.unknown}${session.id === currentId && ` (${messages.current})`}`,
    session.address ?? messages.unknown,
    formatWay(session.method, messages),
    renderTime(session.createdAt, language),
    renderTime(session.lastUsedAt, language),
    token && endForm(session, { path, language, token }, messages),
  ];
  const columns = [device, address, way, since, used];
  return dataTable({ caption: messages.title, columns, rows: sessions.map(toRow) });
}

function endForm(
  { id, userAgent, createdAt }: ListedSession,
  { path, language, token }: { path: string; language: Language; token: Html },
  messages: SessionsMessages,
): Html {
  const label = messages.endLabel(formatBrowser(userAgent) ?? messages.unknown, formatTime(createdAt, language));
  return html`<form method="post" action=${`${path}/${id}/end`}>
    ${token}
    <button class="plain" type="submit" aria-label=${label}>${messages.end}</button>
  </form>`;
}

export function formatWay(method: string, { ways }: Pick<SessionsMessages, 'ways'>): string {
  return (ways as Record<string, string>)[method] ?? method;
}

/** Returns the name of a user agent's browser; an unknown user agent is returned unchanged. */
export function formatBrowser(userAgent: string | null): string | undefined {
  return userAgent === null ? undefined : formatBrowserName(userAgent) || userAgent;
}

const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE', fr: 'fr-FR' };

function formatTime(time: string, language: Language): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(LOCALES[language], format).format(new Date(time));
}

export function renderTime(time: string, language: Language): Html {
  return html`<time datetime=${time}>${formatTime(time, language)}</time>`;
}
