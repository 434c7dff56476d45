import type { Schemas } from '../../../../contract/contract.ts';
import type { Language } from '../../../../contract/languages.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { dataTable } from '../../../shared/parts/table.ts';
import { getFormats } from '../../overview/figure-formats.ts';
import { toPersonPath } from '../people-paths.ts';
import { type ImportField, importMessages } from './import-messages.ts';
import { rowFaultMessages } from './row-fault-messages.ts';

export type ImportRow = Schemas['LearnerImportRow'];

/** The names of managers and groups that the changes of rows refer to, by id. */
export type RowNames = ReadonlyMap<string, string>;

interface Rows {
  language: Language;
  import: Schemas['LearnerImport'];
  rows: readonly ImportRow[];
  names: RowNames;
}

/** Renders rows with their people, outcomes and faults or changes. Row numbers count from the header row. */
export function rowsTable({ language, import: { mapping }, rows, names }: Rows): Html {
  const messages = importMessages[language];
  const { number } = getFormats(language);
  const [row, person, fate, details] = messages.head;
  return dataTable({
    caption: messages.rows,
    columns: [row, person, fate, details],
    rows: rows.map((one) => [
      number(one.number + 1),
      toPerson(one, mapping),
      (messages.fates as Record<string, string>)[one.fate] ?? one.fate,
      toDetails(one, names, language),
    ]),
  });
}

function toPerson({ cells, learnerId }: ImportRow, mapping: Schemas['LearnerImport']['mapping']): Html {
  const read = (field: ImportField) => cells[mapping.find((one) => one.field === field)?.column ?? -1]?.trim() ?? '';
  const name = [read('firstName'), read('lastName')].filter(Boolean).join(' ');
  const [first = cells.find(Boolean) ?? '–', ...others] = [name, read('email'), read('externalLearnerId')].filter(
    Boolean,
  );
  const text = html`<bdi>${first}</bdi>`;
  return html`${learnerId === null ? text : html`<a href=${toPersonPath(learnerId)}>${text}</a>`}${
    others.length > 0 && html`<br /><bdi>${others[0]}</bdi>`
  }`;
}

/** Lists the faults, the changes and the effects of undoing the import, each on its own line. */
function toDetails({ faults, changes, undo }: ImportRow, names: RowNames, language: Language): Html {
  const messages = importMessages[language];
  const lines = [
    ...faults.map(
      ({ field, code }) => html`<strong>${toFieldName(field, language)}</strong> ${toFaultText(field, code, language)}`,
    ),
    ...changes.map(({ field, from, to }) => {
      const value = (id: string | null) => (id === null ? messages.empty : (names.get(id) ?? id));
      const name = toFieldName(field, language);
      return html`<bdi
        >${field === 'groupIds' ? messages.added(name, value(to)) : messages.change(name, value(from), value(to))}</bdi
      >`;
    }),
    ...(undo ? [html`${(messages.outcomes as Record<string, string>)[undo.outcome] ?? undo.outcome}`] : []),
    ...(undo?.outcome === 'kept' && undo.keptFields.length === 0 ? [messages.keptPerson] : []),
    ...(undo && undo.keptFields.length > 0
      ? [html`${messages.keptFields(undo.keptFields.map((field) => toFieldName(field, language)).join(', '))}`]
      : []),
  ];
  return html`${lines.length === 0 ? '–' : lines.map((line, index) => html`${index > 0 && html`<br />`}${line}`)}`;
}

function toFieldName(field: string, language: Language): string {
  const { fields, otherFields } = importMessages[language];
  return ({ ...fields, ...otherFields } as Record<string, string>)[field] ?? field;
}

function toFaultText(field: string, code: string, language: Language): string {
  const texts = rowFaultMessages[language];
  return texts[code] ?? texts[field] ?? texts.other!;
}
