import type { KeyedOperationId } from '../../../contract/contract.ts';
import { operations } from '../../../contract/contract.ts';
import { type Html, html } from '../../../http/html/html.ts';
import type { FigureMessages } from './figure-messages.ts';

/** The call that answers the same figures. */
export interface SameCall {
  operationId: KeyedOperationId;
  query?: Readonly<Record<string, string>>;
}

export interface Table {
  caption: string;
  head: readonly string[];
  /** The first cell of a row names it. */
  rows: readonly (readonly string[])[];
}

export interface Figure {
  title: string;
  /** What the picture says, in a sentence or two. */
  text: string;
  pictures: unknown;
  /** Whether its pictures stand beside each other, over the whole width. */
  isWide?: boolean;
  table: Table | null;
  call: SameCall;
}

/** A figure of the overview: a picture, what it says, the table behind it, and the call that answers the same. */
export function figure(messages: FigureMessages, { title, text, pictures, isWide = false, table, call }: Figure): Html {
  return html`<section class=${isWide ? 'figure wide' : 'figure'}>
    <h2>${title}</h2>
    ${pictures}
    <p>${text}</p>
    ${
      table &&
      html`<details>
        <summary>${messages.asTable}</summary>
        ${figureTable(table)}
      </details>`
    }
    <p class="hint">
      ${messages.sameByApi}${' '}<a href=${`/docs/operations/${call.operationId}`}><code>GET ${toPath(call)}</code></a>
    </p>
  </section>`;
}

/** A table that a narrow screen scrolls sideways, by keyboard too. */
export function figureTable({ caption, head, rows }: Table): Html {
  return html`<div class="table" role="region" aria-label=${caption} tabindex="0">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${head.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, ...cells]) =>
            html`<tr>
              <th scope="row">${name}</th>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** The path of a call as one sends it, without the server. */
export function toPath({ operationId, query = {} }: SameCall): string {
  const search = new URLSearchParams(query).toString();
  return `/v1${operations[operationId].path}${search && `?${search}`}`;
}
