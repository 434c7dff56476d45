import type { Schemas } from '../../../../contract/contract.ts';
import type { Language } from '../../../../contract/languages.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { apiCalls } from '../../../shared/parts/api-calls.ts';
import { emptyState } from '../../../shared/parts/empty-state.ts';
import { type Faults, formFault, hiddenFields, textAreaField, textField } from '../../../shared/parts/fields.ts';
import { cursorLinks } from '../../../shared/parts/page-links.ts';
import { dataTable } from '../../../shared/parts/table.ts';
import { renderTime } from '../../../shared/sessions-page.ts';
import { getFormats } from '../../overview/figure-formats.ts';
import { PEOPLE_PATH } from '../people-paths.ts';
import { importsMessages } from './imports-messages.ts';

export const IMPORTS_PATH = `${PEOPLE_PATH}/imports`;

/** Returns the path of an import's page, or of one of its forms. */
export function toImportPath(importId: string, form = ''): string {
  return `${IMPORTS_PATH}/${importId}${form}`;
}

export interface ImportsView {
  language: Language;
  imports: readonly Schemas['LearnerImport'][];
  cursor: string | undefined;
  nextCursor: string | null;
  /** The form that begins an import; undefined if the role cannot import. */
  form: { formToken: string; once: string; text: string; faults: Faults; whole: string | undefined } | undefined;
}

/** Renders the form that begins an import, and the imports of the last 30 days. */
export function importsContent({ language, imports, cursor, nextCursor, form }: ImportsView): Html {
  const messages = importsMessages[language];
  return html`
    ${form && uploadForm(form, language)}
    <h2>${messages.recent}</h2>
    ${
      imports.length === 0
        ? emptyState(messages.none)
        : dataTable({
            caption: messages.recent,
            columns: [...messages.head.slice(0, 2), { name: messages.head[2], isNumber: true }, messages.head[3]],
            rows: imports.map((one) => toRow(one, language)),
          })
    }
    ${cursorLinks({ label: messages.pages, path: IMPORTS_PATH, values: {}, cursor, nextCursor }, language)}
    ${apiCalls([{ operationId: 'listLearnerImports' }, { operationId: 'createLearnerImport' }], language)}
  `;
}

function uploadForm({ formToken, once, text, faults, whole }: NonNullable<ImportsView['form']>, language: Language) {
  const messages = importsMessages[language];
  const accept = '.csv,.txt,.tsv,.xlsx';
  return html`<p>${messages.about}</p>
    <form method="post" action=${IMPORTS_PATH} enctype="multipart/form-data">
      ${hiddenFields(formToken, once)} ${formFault(whole)}
      ${textField({ name: 'file', label: messages.file, hint: messages.fileHint, also: { type: 'file', accept } }, {}, faults)}
      ${textAreaField({ name: 'text', label: messages.text, hint: messages.textHint, also: { wrap: 'off' } }, { text }, faults)}
      <p class="hint">${messages.limits}</p>
      <button type="submit">${messages.upload}</button>
    </form>`;
}

function toRow({ id, name, status, counts, createdAt }: Schemas['LearnerImport'], language: Language) {
  const messages = importsMessages[language];
  return [
    html`<a href=${toImportPath(id)}><bdi>${name ?? messages.unnamed}</bdi></a>`,
    (messages.statuses as Record<string, string>)[status] ?? status,
    getFormats(language).number(counts.rows),
    renderTime(createdAt, language),
  ];
}
