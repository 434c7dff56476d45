import { hash } from 'node:crypto';
import type { Request, Response, Router } from 'express';
import { notFound } from '../../../../contract/errors.ts';
import type { Schemas } from '../../../../contract/contract.ts';
import { getForm } from '../../../../http/body/form.ts';
import { html } from '../../../../http/html/html.ts';
import { publicError } from '../../../../http/response/public-error.ts';
import { newFormName } from '../../../shared/parts/fields.ts';
import { redirectWithNotice, renderNotice } from '../../../shared/parts/notice.ts';
import { canCall, getAdmin, requireCall } from '../../admin.ts';
import { sendConsolePage } from '../../console-page.ts';
import type { ConsoleRuns } from '../../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS, toFormFaults } from '../../form-faults.ts';
import { readSearch } from '../people-query.ts';
import { type CorrectionAction, type CorrectionField, correctionsMessages } from './corrections-messages.ts';
import { correctionContent, recordsContent, toCorrectionsPath } from './corrections-page.ts';
import { type PersonRecord, readPersonRecordList } from './corrections-reading.ts';

type ForPerson = Request<{ learnerId: string }>;

/** Adds the pages on which an admin voids, restores or replaces a record of a person. */
export function addCorrectionPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/people/:learnerId/records', async (req: ForPerson, res) => {
    const { caller, language } = getAdmin(res);
    const { learnerId } = req.params;
    requireCall(caller, 'listCorrections');
    const learner = await runs.run('getLearner', caller, { learnerId });
    const records = await readPersonRecordList({ runs, caller, learnerId, language });
    const canCorrect = canCall(caller, 'correctRecords');
    const messages = correctionsMessages[language];
    const content = html`${renderNotice(req as Request, messages.notices)}
    ${recordsContent({ language, learner, records, canCorrect })}`;
    sendConsolePage(res, { title: messages.title(learner.name), content, width: 'wide' });
  });
  pages.get('/people/:learnerId/records/correct', async (req: ForPerson, res) => {
    const { record, action } = await findRecord(runs, req, res, readSearch(req as Request));
    showForm(res, { learnerId: req.params.learnerId, record, action, typed: record.values, faults: NO_FAULTS });
  });
  pages.post('/people/:learnerId/records/correct', (req: ForPerson, res) => correct(runs, req, res));
}

/**
 * Finds the record that a form corrects, with an action that the record permits. @throws {ApiError} `not_found`,
 * `insufficient_scope`
 */
async function findRecord(
  runs: ConsoleRuns,
  req: ForPerson,
  res: Response,
  form: URLSearchParams,
): Promise<{ record: PersonRecord; action: CorrectionAction }> {
  const { caller, language } = getAdmin(res);
  const { learnerId } = req.params;
  requireCall(caller, 'correctRecords');
  await runs.run('getLearner', caller, { learnerId });
  const records = await readPersonRecordList({ runs, caller, learnerId, language });
  const record = records.find((one) => one.kind === form.get('kind') && one.eventId === form.get('eventId'));
  const action = (Object.keys(correctionsMessages.en.actions) as CorrectionAction[]).find(
    (one) => one === form.get('action'),
  );
  if (!record || !action) throw notFound('record');
  return { record, action };
}

async function correct(runs: ConsoleRuns, req: ForPerson, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const { learnerId } = req.params;
  const messages = correctionsMessages[language];
  const form = getForm(req as Request);
  const once = form.get('once') ?? '';
  const { record, action } = await findRecord(runs, req, res, form);
  const typed = Object.fromEntries(form);
  const reject = (faults: FormFaults, status: number) =>
    showForm(res, { learnerId, record, action, typed, faults, status });
  try {
    const correction = toCorrection({ record, action, typed, once });
    const { failures } = await runs.run('correctRecords', caller, { body: { corrections: [correction] } }, once);
    if (failures.length === 0) return redirectWithNotice(res, toCorrectionsPath(learnerId), 'corrected');
    const isStale = failures[0]!.code === 'record_not_found' || failures[0]!.code === 'already_voided';
    reject({ fields: {}, whole: isStale ? messages.gone : messages.failed }, 400);
  } catch (thrown) {
    reject(toCorrectionFaults(thrown, res), getFailureStatus(thrown));
  }
}

interface Corrected {
  record: PersonRecord;
  action: CorrectionAction;
  typed: Record<string, string>;
  once: string;
}

/**
 * Builds the correction. The id of a replacement is derived from the form, so that submitting the form again adds no
 * second one.
 */
function toCorrection({ record, action, typed, once }: Corrected): Schemas['CorrectionInput'] {
  const { kind, eventId } = record;
  const base = { kind, eventId, action, reason: typed.reason ?? '' };
  if (action !== 'replace') return base;
  const id = `console-${hash('sha256', `${eventId} ${once}`, 'base64url').slice(0, 32)}`;
  const toTime = (day: string | undefined, former: string | undefined) =>
    day === undefined || day === '' ? undefined : day === former ? undefined : `${day}T12:00:00Z`;
  if (kind === 'policy_signature') {
    const { signedOn = '', note = '' } = typed;
    const signedAt = toTime(signedOn, record.values.signedOn) ?? record.at;
    const replacement = { eventId: id, signedAt, offline: record.isOffline === true, ...(note !== '' && { note }) };
    return { ...base, replacement };
  }
  const { startedOn = '', finishedOn = '', score = '' } = typed;
  return {
    ...base,
    replacement: {
      eventId: id,
      ...(startedOn !== '' && { startedAt: `${startedOn}T12:00:00Z` }),
      ...(finishedOn !== '' && { finishedAt: `${finishedOn}T12:00:00Z` }),
      ...(finishedOn !== '' && score !== '' && { score: Number(score.replace(',', '.')) }),
    },
  };
}

const FIELD_OF_INPUT: Readonly<Record<string, CorrectionField>> = {
  startedAt: 'startedOn',
  finishedAt: 'finishedOn',
  signedAt: 'signedOn',
};

/** Converts the error of the operation to faults of the form. @throws {unknown} an error that the form cannot show */
function toCorrectionFaults(thrown: unknown, res: Response): FormFaults {
  const { language } = getAdmin(res);
  const messages = correctionsMessages[language];
  const { code, details } = publicError(thrown);
  const names = details.map(({ field }) => field.split('/').at(-1) ?? '').map((name) => FIELD_OF_INPUT[name] ?? name);
  const faults = names.flatMap((name) => {
    return name in messages.faults ? [[name, messages.faults[name as CorrectionField]] as const] : [];
  });
  if (code === 'invalid_request' && faults.length > 0) return { fields: Object.fromEntries(faults), whole: undefined };
  return toFormFaults(thrown, [], language, { invalid_request: messages.failed });
}

type Shown = Pick<Corrected, 'record' | 'action'> & {
  learnerId: string;
  typed: Readonly<Record<string, string>>;
  faults: FormFaults;
  status?: number;
};

function showForm(res: Response, { status = 200, ...shown }: Shown): void {
  const { language, formToken } = getAdmin(res);
  const messages = correctionsMessages[language];
  const content = correctionContent({ ...shown, language, formToken, once: newFormName() });
  sendConsolePage(res, { status, title: messages.actions[shown.action], content });
}
