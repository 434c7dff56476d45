import type { Request, Response, Router } from 'express';
import { publicError } from '../../../../http/response/public-error.ts';
import { getForm } from '../../../../http/body/form.ts';
import type { ActOnUpload } from '../../../../http/html/form-upload.ts';
import type { Caller } from '../../../../auth/caller.ts';
import { ApiError } from '../../../../contract/errors.ts';
import type { Schemas } from '../../../../contract/contract.ts';
import { newFormName } from '../../../shared/parts/fields.ts';
import { redirectWithNotice, renderNotice } from '../../../shared/parts/notice.ts';
import { html } from '../../../../http/html/html.ts';
import { canCall, getAdmin, requireCall } from '../../admin.ts';
import { sendConsolePage } from '../../console-page.ts';
import type { ConsoleRuns } from '../../console-runs.ts';
import type { AddUpload } from '../../uploads.ts';
import { getFailureStatus, toFormFaults } from '../../form-faults.ts';
import { readGroups } from '../people-list-routes.ts';
import { type ImportField, importMessages } from './import-messages.ts';
import { FATES, importContent, type ImportView } from './import-page.ts';
import { type ImportRow, type RowNames } from './import-rows-table.ts';
import { importsMessages } from './imports-messages.ts';
import { importsContent, toImportPath } from './imports-page.ts';
import { readTable } from './read-table.ts';
import type { FaultName } from './table-limits.ts';

/** Maximum size of a file or pasted table, in bytes. */
const MAX_TABLE_BYTES = 10 * 1024 * 1024;
/** Maximum length of a pasted table that a rejected form shows again. Rendering 10 MiB took 0.3 s (2026-11-30). */
const MAX_REPEATED_LENGTH = 256 * 1024;

/** Adds the form with which an admin uploads or pastes a table. */
export function addImportUpload(addUpload: AddUpload, runs: ConsoleRuns): void {
  addUpload('/people/imports', (req, res, form) => upload(runs, req, res, form));
}

/** Adds the pages on which an admin imports people: upload, check, columns, import and undo. */
export function addImportPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/people/imports', async (req, res) => {
    requireCall(getAdmin(res).caller, 'listLearnerImports');
    await showImports(runs, req, res);
  });
  pages.get('/people/imports/:importId', (req, res) => showImport(runs, req, res));
  pages.post('/people/imports/:importId/mapping', (req, res) => setMapping(runs, req, res));
  pages.post('/people/imports/:importId/apply', (req, res) => act(runs, req, res, 'applyLearnerImport'));
  pages.post('/people/imports/:importId/undo', (req, res) => act(runs, req, res, 'undoLearnerImport'));
}

type Rejected = { field: 'file' | 'text'; text: string; fault: string; status: number };

async function showImports(runs: ConsoleRuns, req: Request, res: Response, rejected?: Rejected): Promise<void> {
  const { caller, language, formToken } = getAdmin(res);
  const cursor = readCursor(req);
  const { items, nextCursor } = await runs.page('listLearnerImports', caller, {}, cursor);
  const { field = 'file', text = '', fault } = rejected ?? {};
  const form = canCall(caller, 'createLearnerImport') && {
    ...{ formToken, once: newFormName(), whole: undefined },
    text: text.length > MAX_REPEATED_LENGTH ? '' : text,
    faults: fault === undefined ? {} : { [field]: fault },
  };
  sendConsolePage(res, {
    title: importsMessages[language].title,
    content: importsContent({ language, imports: items, cursor, nextCursor, form: form || undefined }),
    width: 'wide',
    ...(rejected && { status: rejected.status }),
  });
}

const readCursor = ({ query: { cursor } }: Request) =>
  typeof cursor === 'string' && cursor !== '' ? cursor : undefined;

async function upload(runs: ConsoleRuns, ...[req, res, form]: Parameters<ActOnUpload>): Promise<void> {
  const { caller, language } = getAdmin(res);
  requireCall(caller, 'createLearnerImport');
  const messages = importsMessages[language];
  const { file, fields } = form instanceof ApiError ? { fields: new URLSearchParams() } : form;
  const text = file ? '' : (fields.get('text') ?? '');
  const reject = (fault: FaultName, { row, status = 400 }: { row?: number | undefined; status?: number } = {}) => {
    const texts = [...(row === undefined ? [] : [messages.inRow(String(row))]), messages.faults[fault]];
    const field = text === '' ? 'file' : 'text';
    return showImports(runs, req, res, { field, text, fault: texts.join(' '), status });
  };
  const bytes = file?.bytes ?? Buffer.from(text);
  if (form instanceof ApiError || bytes.length > MAX_TABLE_BYTES) return reject('tooLarge', { status: 413 });
  if (!file && text.trim() === '') return reject('noFile');
  const reading = await readTable(bytes, caller.companyId);
  if ('fault' in reading) return reject(reading.fault, { row: reading.row });
  const name = file?.fileName?.trim();
  const body = { ...(name && { name }), ...reading.table };
  const { id } = await createImport(runs, caller, body, fields.get('once') ?? '');
  res.redirect(303, toImportPath(id));
}

/** Creates an import. A file name that the API does not accept is left out. */
async function createImport(
  runs: ConsoleRuns,
  caller: Caller,
  body: Schemas['CreateLearnerImportInput'],
  once: string,
): Promise<Schemas['LearnerImport']> {
  try {
    return await runs.run('createLearnerImport', caller, { body }, once);
  } catch (thrown) {
    if (body.name === undefined || !publicError(thrown).details.some(({ field }) => field === 'body/name'))
      throw thrown;
    const { columns, rows } = body;
    return runs.run('createLearnerImport', caller, { body: { columns, rows } }, once);
  }
}

async function showImport(
  runs: ConsoleRuns,
  req: Request<{ importId: string }>,
  res: Response,
  more: Pick<ImportView, 'rejected'> & { status?: number } = {},
): Promise<void> {
  const { caller, language, formToken } = getAdmin(res);
  const learnerImportId = req.params.importId;
  const fate = FATES.find((one) => one === req.query.fate);
  const cursor = readCursor(req as Request);
  const shown = await runs.run('getLearnerImport', caller, { learnerImportId });
  const input = { learnerImportId, ...(fate && { fate }) };
  const { items: rows, nextCursor } = await runs.page('listLearnerImportRows', caller, input, cursor);
  const names = await readRowNames(runs, caller, rows);
  const may = { change: canCall(caller, 'applyLearnerImport'), undo: canCall(caller, 'undoLearnerImport') };
  const view = { language, formToken, once: newFormName(), import: shown, rows, names, fate, cursor, nextCursor, may };
  sendConsolePage(res, {
    title: shown.name ?? importsMessages[language].unnamed,
    content: html`${renderNotice(req as Request, importMessages[language].notices)}
    ${importContent({ ...view, now: new Date(), ...(more.rejected && { rejected: more.rejected }) })}`,
    width: 'wide',
    ...(more.status !== undefined && { status: more.status }),
  });
}

/** Reads the names of the managers and groups that rows refer to. */
async function readRowNames(runs: ConsoleRuns, caller: Caller, rows: readonly ImportRow[]): Promise<RowNames> {
  const changes = rows.flatMap((row) => row.changes);
  const managers = changes
    .filter(({ field }) => field === 'managerId')
    .flatMap(({ from, to }) => [from ?? [], to ?? []]);
  const names = new Map<string, string>();
  const ids = [...new Set(managers.flat())];
  if (ids.length > 0) for await (const { id, name } of runs.items('listLearners', caller, { ids })) names.set(id, name);
  if (changes.some(({ field }) => field === 'groupIds'))
    for (const { id, name } of await readGroups(runs, caller)) names.set(id, name);
  return names;
}

async function setMapping(runs: ConsoleRuns, req: Request<{ importId: string }>, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  requireCall(caller, 'setLearnerImportMapping');
  const { importId: learnerImportId } = req.params;
  const values = Object.fromEntries(getForm(req as Request));
  const mapping = Object.entries(values).flatMap(([name, field]) => {
    const column = /^column-(\d{1,2})$/.exec(name)?.[1];
    return column === undefined || field === '' ? [] : [{ column: Number(column), field: field as ImportField }];
  });
  const faults = findMappingFaults(mapping, importMessages[language].duplicate);
  try {
    if (Object.keys(faults).length > 0)
      return await showImport(runs, req, res, { rejected: { values, faults, whole: undefined }, status: 400 });
    await runs.run('setLearnerImportMapping', caller, { learnerImportId, body: { mapping } });
    redirectWithNotice(res, toImportPath(learnerImportId), 'checked');
  } catch (thrown) {
    const { unidentified, ended } = importMessages[language];
    const own = { invalid_request: unidentified, learner_import_applied: ended };
    const { whole } = toFormFaults(thrown, [], language, own);
    await showImport(runs, req, res, { rejected: { values, faults, whole }, status: getFailureStatus(thrown) });
  }
}

/** Finds fields to which two columns are mapped. */
function findMappingFaults(
  mapping: readonly { column: number; field: string }[],
  text: string,
): Record<string, string> {
  const repeated = mapping.filter(({ field }, index) => mapping.findIndex((one) => one.field === field) < index);
  return Object.fromEntries(repeated.map(({ column }) => [`column-${column}`, text]));
}

const NOTICES = { applyLearnerImport: 'applied', undoLearnerImport: 'undone' } as const;

/** Applies or undoes an import. Sending the form again changes nothing. */
async function act(
  runs: ConsoleRuns,
  req: Request<{ importId: string }>,
  res: Response,
  operationId: keyof typeof NOTICES,
): Promise<void> {
  const { caller, language } = getAdmin(res);
  requireCall(caller, operationId);
  const { importId: learnerImportId } = req.params;
  try {
    await runs.run(operationId, caller, { learnerImportId }, getForm(req as Request).get('once') ?? '');
    redirectWithNotice(res, toImportPath(learnerImportId), NOTICES[operationId]);
  } catch (thrown) {
    const { ended, undoOver } = importMessages[language];
    const own = { learner_import_applied: ended, learner_import_not_undoable: undoOver };
    const { whole } = toFormFaults(thrown, [], language, own);
    const rejected = { values: {}, faults: {}, whole };
    await showImport(runs, req, res, { rejected, status: getFailureStatus(thrown) });
  }
}
