import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { type ApiRequest, apiCalls } from '../../shared/parts/api-calls.ts';
import { type DataTable, dataTable } from '../../shared/parts/table.ts';
import { figureMessages } from './figure-messages.ts';

export interface Figure {
  title: string;
  /** The content of the pictures in a sentence or two. */
  text: string;
  pictures: unknown;
  /** Whether the pictures are side by side, over the whole width. */
  isWide?: boolean;
  table: Pick<DataTable, 'caption' | 'columns' | 'rows'> | null;
  call: ApiRequest;
}

/**
 * Renders a figure of the overview: a picture, its content in words, its data as a table, and the equivalent API call.
 */
export function figure(language: Language, { title, text, pictures, isWide = false, table, call }: Figure): Html {
  return html`<section class=${isWide ? 'figure wide' : 'figure'}>
    <h2>${title}</h2>
    ${pictures}
    <p>${text}</p>
    ${
      table &&
      html`<details>
        <summary>${figureMessages[language].asTable}</summary>
        ${dataTable({ ...table, hasCaption: true })}
      </details>`
    }
    ${apiCalls([call], language)}
  </section>`;
}
