import type { Schemas } from '../../../../contract/contract.ts';
import type { Language } from '../../../../contract/languages.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { apiCalls } from '../../../shared/parts/api-calls.ts';
import { emptyState } from '../../../shared/parts/empty-state.ts';
import { type Faults, formFault, hiddenFields, selectField } from '../../../shared/parts/fields.ts';
import { filterBar } from '../../../shared/parts/filter-bar.ts';
import { cursorLinks } from '../../../shared/parts/page-links.ts';
import { tiles } from '../../../shared/parts/tiles.ts';
import { renderTime } from '../../../shared/sessions-page.ts';
import { getFormats } from '../../overview/figure-formats.ts';
import { importMessages } from './import-messages.ts';
import { type ImportRow, type RowNames, rowsTable } from './import-rows-table.ts';
import { importsMessages } from './imports-messages.ts';
import { IMPORTS_PATH, toImportPath } from './imports-page.ts';

export const FATES = ['new', 'changed', 'unchanged', 'rejected', 'skipped'] as const;

export interface ImportView {
  language: Language;
  formToken: string;
  once: string;
  import: Schemas['LearnerImport'];
  rows: readonly ImportRow[];
  names: RowNames;
  fate: string | undefined;
  cursor: string | undefined;
  nextCursor: string | null;
  /** Forms that the role permits. */
  may: { change: boolean; undo: boolean };
  now: Date;
  /** The column mapping that was submitted, and its faults, if it was rejected. */
  rejected?: { values: Record<string, string>; faults: Faults; whole: string | undefined };
}

/** Renders an import: its counts, its actions, its rows and its columns. */
export function importContent(view: ImportView): Html {
  const { language, import: shown } = view;
  const messages = importMessages[language];
  const { counts, status } = shown;
  const { number } = getFormats(language);
  const path = toImportPath(shown.id);
  const isOpen = status === 'draft' || status === 'checked';
  return html`
    <p><a href=${IMPORTS_PATH}>${importsMessages[language].back}</a></p>
    <p>${(importsMessages[language].statuses as Record<string, string>)[status] ?? status}</p>
    ${formFault(view.rejected?.whole)}
    ${
      status !== 'draft' &&
      tiles([
        { name: messages.counts.rows, value: number(counts.rows), href: path },
        ...FATES.map((fate) => ({
          name: messages.counts[fate],
          value: number(counts[fate]),
          ...(counts[fate] > 0 && { href: `${path}?fate=${fate}` }),
        })),
      ])
    }
    ${status === 'draft' && view.may.change && mappingForm(view)} ${status === 'checked' && applyForm(view)}
    ${status === 'applied' && undoForm(view)}
    ${shown.undo && html`<p>${messages.undone({ ...shown.undo, partly: shown.undo.partlyRestored })}</p>`}
    <h2>${messages.rows}</h2>
    ${isOpen && html`<p class="hint">${messages.rowsAbout}</p>`} ${rowsSection(view, path)}
    ${
      status === 'checked' &&
      view.may.change &&
      html`<details class="fold" open=${view.rejected !== undefined}>
        <summary>${messages.mapping}</summary>
        ${mappingForm(view)}
      </details>`
    }
    ${apiCalls(listCalls(shown.id, isOpen, view.fate), language)}
  `;
}

function rowsSection(view: ImportView, path: string): Html {
  const { language, rows, fate, cursor, nextCursor } = view;
  const messages = importMessages[language];
  const values = { fate: fate ?? '' };
  return html`
    ${filterBar({
      action: path,
      label: messages.filter,
      filters: [
        {
          name: 'fate',
          label: messages.head[2],
          options: [['', messages.all], ...FATES.map((one) => [one, messages.fates[one]] as const)],
        },
      ],
      values,
      apply: messages.show,
    })}
    ${rows.length === 0 ? emptyState(messages.noRows) : rowsTable(view)}
    ${cursorLinks({ label: messages.pages, path, values, cursor, nextCursor }, language)}
  `;
}

function applyForm({ language, formToken, once, import: { id, counts }, may }: ImportView): Html {
  const messages = importMessages[language];
  const doesNothing = counts.new + counts.changed === 0;
  return html`
    ${counts.rejected > 0 && html`<p class="warning">${messages.rejectedAbout(counts.rejected)}</p>`}
    ${
      doesNothing
        ? html`<p>${messages.nothing}</p>`
        : may.change &&
          html`<p>${messages.applyAbout}</p>
            <form method="post" action=${toImportPath(id, '/apply')}>
              ${hiddenFields(formToken, once)}
              <button type="submit">${messages.apply(counts.new, counts.changed)}</button>
            </form>`
    }
  `;
}

function undoForm({ language, formToken, once, import: { id, undoableUntil }, may, now }: ImportView): Html | false {
  const messages = importMessages[language];
  if (undoableUntil === null || !may.undo) return false;
  if (new Date(undoableUntil) <= now) return html`<p class="hint">${messages.undoOver}</p>`;
  const [before, after] = messages.undoAbout('\0').split('\0');
  return html`<p>${before}${renderTime(undoableUntil, language)}${after}</p>
    <form method="post" action=${toImportPath(id, '/undo')}>
      ${hiddenFields(formToken, once)}
      <button type="submit" class="quiet">${messages.undo}</button>
    </form>`;
}

/** Maximum number of characters of a sample value shown in the column mapping form. */
const MAX_EXAMPLE_LENGTH = 60;

function mappingForm({ language, formToken, import: { id, columns, mapping }, rows, rejected }: ImportView): Html {
  const messages = importMessages[language];
  const options = [['', messages.ignore] as const, ...Object.entries(messages.fields)];
  const current = Object.fromEntries(mapping.map(({ column, field }) => [`column-${column}`, field]));
  const number = (column: number) => getFormats(language).number(column + 1);
  return html`<p>${messages.mappingAbout}</p>
    <form method="post" action=${toImportPath(id, '/mapping')}>
      ${hiddenFields(formToken)}
      ${columns.map((name, column) => {
        const example = rows.map(({ cells }) => cells[column] ?? '').find((cell) => cell !== '');
        return selectField(
          {
            name: `column-${column}`,
            label: name || messages.column(number(column)),
            options,
            ...(example !== undefined && { hint: messages.example(cut(example)) }),
          },
          rejected?.values ?? current,
          rejected?.faults ?? {},
        );
      })}
      <button type="submit">${messages.check}</button>
    </form>`;
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length > MAX_EXAMPLE_LENGTH ? `${characters.slice(0, MAX_EXAMPLE_LENGTH).join('')}…` : text;
}

function listCalls(learnerImportId: string, isOpen: boolean, fate: string | undefined) {
  const path = { learnerImportId };
  const change = isOpen
    ? (['setLearnerImportMapping', 'applyLearnerImport'] as const)
    : (['undoLearnerImport'] as const);
  return [
    { operationId: 'getLearnerImport' as const, path },
    { operationId: 'listLearnerImportRows' as const, path, ...(fate !== undefined && { query: { fate } }) },
    ...change.map((operationId) => ({ operationId, path })),
  ];
}
