import type { Request, Response } from 'express';
import { type Html, html } from '../../../http/html/html.ts';

/**
 * Texts that a page shows once after an action, by the name of the notice. The number says how many items were changed.
 */
export type Notices = Readonly<Record<string, string | ((count: number) => string)>>;

/** Redirects the browser to a page, which then shows the notice. */
export function redirectWithNotice(res: Response, path: string, name: string, count?: number): void {
  const query = new URLSearchParams({ notice: name, ...(count !== undefined && { count: String(count) }) });
  res.redirect(303, `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`);
}

/** Renders the notice that a page's URL names; undefined if it names none. */
export function renderNotice({ query }: Pick<Request, 'query'>, notices: Notices): Html | undefined {
  const { notice, count } = query;
  if (typeof notice !== 'string' || !Object.hasOwn(notices, notice)) return undefined;
  const text = notices[notice]!;
  const number = typeof count === 'string' && /^\d{1,7}$/.test(count) ? Number(count) : undefined;
  if (typeof text === 'string') return html`<p class="toast" role="status">${text}</p>`;
  return number === undefined ? undefined : html`<p class="toast" role="status">${text(number)}</p>`;
}
