import type { KeyedOperationId } from '../../../contract/contract.ts';
import { operations } from '../../../contract/contract.ts';
import { type Html, html } from '../../../http/html/html.ts';
import type { FigureMessages } from './figure-messages.ts';

/** The API call that returns the data of a figure. */
export interface SameCall {
  operationId: KeyedOperationId;
  query?: Readonly<Record<string, string>>;
}

export interface Table {
  caption: string;
  head: readonly string[];
  /** The first cell of a row is its header. */
  rows: readonly (readonly (string | Html)[])[];
}

export interface Figure {
  title: string;
  /** The content of the pictures in a sentence or two. */
  text: string;
  pictures: unknown;
  /** Whether the pictures are side by side, over the whole width. */
  isWide?: boolean;
  table: Table | null;
  call: SameCall;
}

/**
 * Renders a figure of the overview: a picture, its content in words, its data as a table, and the equivalent API call.
 */
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

/** Renders a table that scrolls sideways on narrow screens, also by keyboard. */
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

/** Returns the path and query of a call, without the server. */
export function toPath({ operationId, query = {} }: SameCall): string {
  const search = new URLSearchParams(query).toString();
  return `/v1${operations[operationId].path}${search && `?${search}`}`;
}
