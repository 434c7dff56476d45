import { type Html, html } from '../../../http/html/html.ts';

/** The content of a cell; false for an empty cell. */
export type Cell = Html | string | false | null | undefined;

/** A heading; a column of numbers is aligned to the right, and a column with `sort` has a link that sorts by it. */
export type Column = string | { name: string; isNumber?: boolean; sort?: Sort };

interface Sort {
  href: string;
  /** The table's current order by this column; undefined if the table is in another order. */
  order?: 'ascending' | 'descending' | undefined;
}

export interface DataTable {
  /** The name of the table. */
  caption: string;
  /** Whether the page shows the caption; otherwise only assistive technology reads it. */
  hasCaption?: boolean;
  /** Each row has a cell for each column. */
  columns: readonly Column[];
  /**
   * The first cell of a row is its header. A row can have more cells than there are columns: the cells with its
   * actions.
   */
  rows: readonly (readonly Cell[])[];
  /** A check box in front of each row. */
  selection?: Selection;
}

/** Check boxes that a form elsewhere on the page sends. */
export interface Selection {
  /** The id of the form. */
  form: string;
  /** The name of the boxes in the form. */
  field: string;
  /** The value and the accessible name of the box of each row. */
  boxes: readonly { value: string; label: string; isChecked?: boolean }[];
}

/** Renders a table that scrolls sideways on narrow screens, by touch or by keyboard. */
export function dataTable({ caption, hasCaption = false, columns, rows, selection }: DataTable): Html {
  const actionCount = Math.max(0, ...rows.map((row) => row.length - columns.length));
  return html`<div class="table" role="region" aria-label=${caption} tabindex="0">
    <table>
      ${
        hasCaption &&
        html`<caption>
          ${caption}
        </caption>`
      }
      <thead>
        <tr>
          ${selection && html`<td></td>`} ${columns.map(heading)}
          ${Array.from({ length: actionCount }, () => html`<td></td>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, ...cells], index) =>
            html`<tr>
              ${selection && selectionCell(selection, index)}
              <th scope="row">${name}</th>
              ${cells.map((cell, at) => html`<td class=${isNumber(columns[at + 1]) ? 'number' : undefined}>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function isNumber(column: Column | undefined): boolean {
  return typeof column === 'object' && column.isNumber === true;
}

function heading(column: Column): Html {
  if (typeof column === 'string') return html`<th scope="col">${column}</th>`;
  const { name, sort } = column;
  const text = sort ? html`<a href=${sort.href}>${name}</a>` : name;
  return html`<th scope="col" class=${isNumber(column) ? 'number' : undefined} aria-sort=${sort?.order}>${text}</th>`;
}

function selectionCell({ form, field, boxes }: Selection, index: number): Html {
  const { value, label, isChecked } = boxes[index]!;
  return html`<td>
    <input type="checkbox" form=${form} name=${field} value=${value} checked=${isChecked} aria-label=${label} />
  </td>`;
}
