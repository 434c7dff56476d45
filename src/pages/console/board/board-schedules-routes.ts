import type { Request, Response, Router } from 'express';
import type { Input, Schemas } from '../../../contract/contract.ts';
import { getForm } from '../../../http/body/form.ts';
import { publicError } from '../../../http/response/public-error.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import { type FieldValues, hiddenFields, newFormName } from '../../shared/parts/fields.ts';
import { redirectWithNotice, renderNotice } from '../../shared/parts/notice.ts';
import { getAdmin, requireCall } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS, toFormFaults } from '../form-faults.ts';
import { toIfMatch, toVersion } from '../form-version.ts';
import { boardSchedulesMessages } from './board-schedules-messages.ts';
import {
  scheduleContent,
  scheduleForm,
  schedulesContent,
  SCHEDULES_PATH,
  toSchedulePath,
} from './board-schedules-page.ts';
import { formatRecipients, parseRecipients } from './recipient-lines.ts';

type Schedule = Schemas['BoardReportSchedule'];
type Body = Input<'createBoardReportSchedule'>['body'];

const FIELDS = ['name', 'recipients', 'period', 'day', 'month', 'language'] as const;
const LIST = '/reports/board';
const ITEM = `${LIST}/:boardScheduleId`;

/** A form that was not saved. */
interface Rejected {
  form: URLSearchParams;
  faults: FormFaults;
  status: number;
}

/** Adds the pages on which an admin schedules the report for the board. */
export function addBoardSchedulesPages(pages: Router, runs: ConsoleRuns): void {
  pages.get(LIST, async (req, res) => {
    const admin = getAdmin(res);
    const cursor = readCursor(req);
    const { items: schedules, nextCursor } = await runs.page('listBoardReportSchedules', admin.caller, {}, cursor);
    const { title, notices } = boardSchedulesMessages[admin.language];
    const notice = renderNotice(req, notices);
    sendConsolePage(res, { title, content: schedulesContent({ ...admin, notice, schedules, cursor, nextCursor }) });
  });
  pages.get(`${LIST}/new`, (_req, res) => showNew(res));
  pages.post(`${LIST}/new`, async (req, res) => {
    const form = getForm(req);
    try {
      const body = toBody(form);
      const { id } = await runs.run(
        'createBoardReportSchedule',
        getAdmin(res).caller,
        { body },
        form.get('once') ?? '',
      );
      redirectWithNotice(res, toSchedulePath(id), 'created');
    } catch (thrown) {
      showNew(res, toRejected(res, form, thrown));
    }
  });
  pages.get(ITEM, (req, res) => showSchedule(runs, req, res));
  pages.get(`${ITEM}/edit`, (req, res) => showEdit(runs, req, res));
  pages.post(`${ITEM}/edit`, async (req, res) => {
    const form = getForm(req);
    try {
      await change(runs, req, res, toBody(form), 'saved');
    } catch (thrown) {
      await showEdit(runs, req, res, toRejected(res, form, thrown));
    }
  });
  pages.post(`${ITEM}/pause`, async (req, res) => {
    const paused = getForm(req).get('paused') === 'yes';
    await change(runs, req, res, { paused }, paused ? 'paused' : 'resumed');
  });
  pages.post(`${ITEM}/send`, async (req, res) => {
    const boardScheduleId = toId(req);
    const once = getForm(req).get('once') ?? '';
    await runs.run('sendBoardReport', getAdmin(res).caller, { boardScheduleId, body: {} }, once);
    redirectWithNotice(res, toSchedulePath(boardScheduleId), 'requested');
  });
  addRemoval(pages, runs);
}

function addRemoval(pages: Router, runs: ConsoleRuns): void {
  pages.get(`${ITEM}/delete`, async (req, res) => {
    const { caller, language, formToken } = getAdmin(res);
    requireCall(caller, 'deleteBoardReportSchedule');
    const schedule = await runs.run('getBoardReportSchedule', caller, { boardScheduleId: toId(req) });
    const messages = boardSchedulesMessages[language];
    const path = toSchedulePath(schedule.id);
    const content = confirmation({
      ...{ about: messages.removeAbout(schedule.name), action: `${path}/delete`, hidden: hiddenFields(formToken) },
      ...{ button: messages.remove, keep: { href: path, text: messages.cancel } },
    });
    sendConsolePage(res, { title: messages.removeTitle, content });
  });
  pages.post(`${ITEM}/delete`, async (req, res) => {
    await runs.run('deleteBoardReportSchedule', getAdmin(res).caller, { boardScheduleId: toId(req) });
    redirectWithNotice(res, SCHEDULES_PATH, 'removed');
  });
}

const toId = ({ params }: Request) => params.boardScheduleId as string;

function readCursor({ query }: Request): string | undefined {
  return typeof query.cursor === 'string' ? query.cursor : undefined;
}

/** Converts a form to the body of an operation, which validates the values. */
function toBody(form: URLSearchParams): Body {
  const { day, month, recipients, ...texts } = toTyped(form);
  return {
    ...texts,
    ...{ day: Number(day), month: Number(month) },
    recipients: parseRecipients(recipients ?? ''),
  } as unknown as Body;
}

function toTyped(form: URLSearchParams): FieldValues {
  return Object.fromEntries(FIELDS.map((name) => [name, form.get(name) ?? '']));
}

function toRejected(res: Response, form: URLSearchParams, thrown: unknown): Rejected {
  const { language } = getAdmin(res);
  const { recipientsFault, dayFault } = boardSchedulesMessages[language];
  const { fields, whole } = toFormFaults(thrown, FIELDS, language);
  const own = { ...(fields.recipients && { recipients: recipientsFault }), ...(fields.day && { day: dayFault }) };
  return { form, faults: { fields: { ...fields, ...own }, whole }, status: getFailureStatus(thrown) };
}

/** Changes a schedule unless somebody else has changed it since the form was shown. */
async function change(
  runs: ConsoleRuns,
  req: Request,
  res: Response,
  body: Input<'updateBoardReportSchedule'>['body'],
  notice: string,
): Promise<void> {
  const boardScheduleId = toId(req);
  const condition = { boardScheduleId, ifMatch: toIfMatch(getForm(req).get('version') ?? '') };
  try {
    await runs.run('updateBoardReportSchedule', getAdmin(res).caller, { ...condition, body });
  } catch (thrown) {
    if (publicError(thrown).code !== 'changed_meanwhile') throw thrown;
    return redirectWithNotice(res, toSchedulePath(boardScheduleId), 'conflict');
  }
  redirectWithNotice(res, toSchedulePath(boardScheduleId), notice);
}

/** @param rejected the form that was not saved; omitted if there is none */
function showNew(res: Response, rejected?: Rejected): void {
  const admin = getAdmin(res);
  requireCall(admin.caller, 'createBoardReportSchedule');
  const content = scheduleForm({
    ...{ ...admin, action: `${SCHEDULES_PATH}/new`, back: SCHEDULES_PATH, once: newFormName() },
    typed: rejected ? toTyped(rejected.form) : { period: 'quarter', day: '1', month: '1', language: admin.language },
    faults: rejected?.faults ?? NO_FAULTS,
    operationId: 'createBoardReportSchedule',
  });
  const { createTitle: title } = boardSchedulesMessages[admin.language];
  sendConsolePage(res, { status: rejected?.status ?? 200, title, content });
}

async function showEdit(runs: ConsoleRuns, req: Request, res: Response, rejected?: Rejected): Promise<void> {
  const admin = getAdmin(res);
  requireCall(admin.caller, 'updateBoardReportSchedule');
  const schedule = await runs.run('getBoardReportSchedule', admin.caller, { boardScheduleId: toId(req) });
  const back = toSchedulePath(schedule.id);
  const content = scheduleForm({
    ...{ ...admin, action: `${back}/edit`, back },
    version: rejected?.form.get('version') ?? toVersion(schedule),
    typed: rejected ? toTyped(rejected.form) : toValues(schedule),
    faults: rejected?.faults ?? NO_FAULTS,
    operationId: 'updateBoardReportSchedule',
  });
  const { editTitle: title } = boardSchedulesMessages[admin.language];
  sendConsolePage(res, { status: rejected?.status ?? 200, title, content });
}

function toValues({ name, recipients, period, day, month, language }: Schedule): FieldValues {
  return { name, period, language, day: String(day), month: String(month), recipients: formatRecipients(recipients) };
}

async function showSchedule(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const admin = getAdmin(res);
  const boardScheduleId = toId(req);
  const schedule = await runs.run('getBoardReportSchedule', admin.caller, { boardScheduleId });
  const cursor = readCursor(req);
  const { items: deliveries, nextCursor } = await runs.page(
    ...(['listBoardReportDeliveries', admin.caller, { boardScheduleId }, cursor] as const),
  );
  const content = scheduleContent({
    ...{ ...admin, schedule, version: toVersion(schedule), once: newFormName(), deliveries, cursor, nextCursor },
    notice: renderNotice(req, boardSchedulesMessages[admin.language].notices),
  });
  sendConsolePage(res, { title: schedule.name, content, width: 'wide' });
}
