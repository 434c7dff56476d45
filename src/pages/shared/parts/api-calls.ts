import { type KeyedOperationId, operations } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';

/** The API call that does the same as a page or a form. */
export interface ApiRequest {
  operationId: KeyedOperationId;
  /** Values of path parameters, such as `learnerId`. A parameter without a value is shown as a placeholder. */
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
}

const SAME_BY_API: Record<Language, string> = {
  en: 'The same with the API:',
  de: 'Dasselbe mit der API:',
  fr: 'La même chose avec l’API :',
};

/** Renders the API calls that do the same as the page, with links to their documentation. */
export function apiCalls(calls: readonly ApiRequest[], language: Language): Html {
  const link = (call: ApiRequest, index: number) =>
    html`${index > 0 && ', '}<a href=${`/docs/operations/${call.operationId}`}><code>${formatCall(call)}</code></a>`;
  return html`<p class="hint">${SAME_BY_API[language]}${' '}${calls.map(link)}</p>`;
}

/** Formats a call as its method, path and query, without the server. */
function formatCall(call: ApiRequest): string {
  return `${operations[call.operationId].method.toUpperCase()} ${toPath(call)}`;
}

/** Returns the path and query of a call, without the server. */
function toPath({ operationId, path = {}, query = {} }: ApiRequest): string {
  const search = new URLSearchParams(query).toString();
  const filled = operations[operationId].path.replace(/\{(\w+)\}/g, (whole, name: string) => path[name] ?? whole);
  return `/v1${filled}${search && `?${search}`}`;
}
