import type { Schemas } from '../../../contract/contract.ts';
import { LANGUAGES } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { emptyState } from '../../shared/parts/empty-state.ts';
import {
  type FieldValues,
  formFault,
  hiddenFields,
  renderDay,
  type SelectItem,
  selectField,
  textAreaField,
  textField,
} from '../../shared/parts/fields.ts';
import { cursorLinks } from '../../shared/parts/page-links.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { facts } from '../../shared/parts/tiles.ts';
import { type Admin, canCall } from '../admin.ts';
import type { FormFaults } from '../form-faults.ts';
import { type BoardSchedulesMessages, boardSchedulesMessages } from './board-schedules-messages.ts';

type Schedule = Schemas['BoardReportSchedule'];
type Delivery = Schemas['BoardReportDelivery'];
type Viewer = Pick<Admin, 'caller' | 'formToken' | 'language'>;

/** Path of the schedules below the site. */
export const SCHEDULES_PATH = '/console/reports/board';

export const toSchedulePath = (id: string) => `${SCHEDULES_PATH}/${id}`;

/** Returns the name of a value. A value that is unknown to this release is shown unchanged. */
const getName = (names: Readonly<Record<string, string>>, value: string) => names[value] ?? value;

interface ListView extends Viewer {
  notice: Html | undefined;
  schedules: readonly Schedule[];
  cursor: string | undefined;
  nextCursor: string | null;
}

/** Renders the schedules of the company. */
export function schedulesContent({ caller, language, notice, schedules, cursor, nextCursor }: ListView): Html {
  const messages = boardSchedulesMessages[language];
  const create = canCall(caller, 'createBoardReportSchedule') && {
    href: `${SCHEDULES_PATH}/new`,
    text: messages.create,
  };
  const rows = schedules.map((schedule) => [
    html`<a href=${toSchedulePath(schedule.id)}><bdi>${schedule.name}</bdi></a>`,
    getName(messages.periods, schedule.period),
    renderDay(schedule.nextOn, language, messages.paused),
    renderDay(schedule.lastMadeAt, language, messages.never),
    String(schedule.recipients.filter(({ unsubscribedAt }) => unsubscribedAt === null).length),
  ]);
  const columns = [messages.name, messages.period, messages.next, messages.last];
  const table = () =>
    html`${dataTable({
      caption: messages.title,
      columns: [...columns, { name: messages.recipients, isNumber: true }],
      rows,
    })}
    ${create && html`<p><a class="button" href=${create.href}>${create.text}</a></p>`}`;
  return html`
    ${notice}
    <p>${messages.about}</p>
    ${schedules.length === 0 ? emptyState(messages.none, create) : table()}
    ${cursorLinks({ label: messages.title, path: SCHEDULES_PATH, values: {}, cursor, nextCursor }, language)}
    ${apiCalls([{ operationId: 'listBoardReportSchedules' }], language)}
  `;
}

interface FormView extends Viewer {
  /** Path that the form is submitted to, and the page to return to. */
  action: string;
  back: string;
  /** One-time id of the form for a new schedule, or the version of the schedule that the form changes. */
  once?: string;
  version?: string;
  typed: FieldValues;
  faults: FormFaults;
  operationId: 'createBoardReportSchedule' | 'updateBoardReportSchedule';
}

/** Renders the form of a schedule. */
export function scheduleForm({ language, formToken, typed, faults: { fields, whole }, ...view }: FormView): Html {
  const messages = boardSchedulesMessages[language];
  const months = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  const monthItems = Array.from({ length: 12 }, (_, month): SelectItem => {
    return [String(month + 1), months.format(Date.UTC(2026, month, 1))];
  });
  const { name, period, recipients } = messages;
  const day = { type: 'number', min: '1', max: '28', required: true };
  return html`<form method="post" action=${view.action}>
      ${hiddenFields(formToken, view.once)}
      ${view.version !== undefined && html`<input type="hidden" name="version" value=${view.version} />`}
      ${formFault(whole)}
      ${textField({ name: 'name', label: name, hint: messages.nameHint, also: { required: true, maxlength: '200', autocomplete: 'off' } }, typed, fields)}
      ${textAreaField({ name: 'recipients', label: recipients, hint: messages.recipientsHint, also: { required: true } }, typed, fields)}
      ${selectField({ name: 'period', label: period, options: Object.entries(messages.periods) }, typed, fields)}
      ${textField({ name: 'day', label: messages.day, hint: messages.dayHint, also: day }, typed, fields)}
      ${selectField({ name: 'month', label: messages.month, hint: messages.monthHint, options: monthItems }, typed, fields)}
      ${selectField({ name: 'language', label: messages.language, options: LANGUAGES.map((one) => [one, messages.languages[one]]) }, typed, fields)}
      <button type="submit">${messages.save}</button>
    </form>
    <p><a href=${view.back}>${messages.cancel}</a></p>
    ${apiCalls([{ operationId: view.operationId }], language)}`;
}

interface ScheduleView extends Viewer {
  notice: Html | undefined;
  schedule: Schedule;
  version: string;
  /** One-time id of the form that sends the report. */
  once: string;
  deliveries: readonly Delivery[];
  cursor: string | undefined;
  nextCursor: string | null;
}

/** Renders a schedule with its recipients, its actions, and the record of its emails. */
export function scheduleContent(view: ScheduleView): Html {
  const { language, schedule, notice, cursor, nextCursor } = view;
  const messages = boardSchedulesMessages[language];
  const path = toSchedulePath(schedule.id);
  const { periods, languages } = messages;
  return html`
    ${notice}
    ${facts([
      [messages.period, getName(periods, schedule.period)],
      [messages.next, renderDay(schedule.nextOn, language, messages.paused)],
      [messages.last, renderDay(schedule.lastMadeAt, language, messages.never)],
      [messages.language, getName(languages, schedule.language)],
    ])}
    ${actions(view, messages)}
    <h2>${messages.recipients}</h2>
    ${dataTable({
      caption: messages.recipients,
      columns: [messages.name, messages.address, messages.state],
      rows: schedule.recipients.map(({ name, email, unsubscribedAt }) => [
        html`<bdi>${name}</bdi>`,
        email,
        unsubscribedAt === null
          ? messages.receives
          : html`${messages.unsubscribed}, ${renderDay(unsubscribedAt, language, '')}`,
      ]),
    })}
    <h2>${messages.deliveries}</h2>
    ${deliveriesTable(view, messages)}
    ${cursorLinks({ label: messages.deliveries, path, values: {}, cursor, nextCursor }, language)}
    <p><a href=${SCHEDULES_PATH}>${messages.back}</a></p>
    ${apiCalls(
      (['getBoardReportSchedule', 'listBoardReportDeliveries'] as const).map((operationId) => {
        return { operationId, path: { boardScheduleId: schedule.id } };
      }),
      language,
    )}
  `;
}

function actions({ caller, formToken, schedule, version, once }: ScheduleView, messages: BoardSchedulesMessages): Html {
  const path = toSchedulePath(schedule.id);
  const { paused } = schedule;
  return html`
    ${
      canCall(caller, 'sendBoardReport') &&
      html`<form method="post" action=${`${path}/send`}>
        ${hiddenFields(formToken, once)}
        <button type="submit">${messages.sendNow}</button>
        <p class="hint">${messages.sendHint}</p>
      </form>`
    }
    ${
      canCall(caller, 'updateBoardReportSchedule') &&
      html`<form method="post" action=${`${path}/pause`}>
          ${hiddenFields(formToken)}
          <input type="hidden" name="version" value=${version} />
          <input type="hidden" name="paused" value=${paused ? 'no' : 'yes'} />
          <button type="submit" class="quiet">${paused ? messages.resume : messages.pause}</button>
        </form>
        <p><a href=${`${path}/edit`}>${messages.edit}</a></p>`
    }
    ${canCall(caller, 'deleteBoardReportSchedule') && html`<p><a href=${`${path}/delete`}>${messages.remove}</a></p>`}
  `;
}

function deliveriesTable({ deliveries, language }: ScheduleView, messages: BoardSchedulesMessages): Html {
  if (deliveries.length === 0) return emptyState(messages.noDeliveries);
  const rows = deliveries.map(({ name, email, periodFrom, periodTo, requested, status, createdAt }) => [
    html`<bdi>${name}</bdi>`,
    email,
    html`${renderDay(periodFrom, language, '')} – ${renderDay(periodTo, language, '')}`,
    renderDay(createdAt, language, ''),
    `${getName(messages.statuses, status)}${requested ? ` (${messages.requested})` : ''}`,
  ]);
  return dataTable({
    caption: messages.deliveries,
    columns: [messages.name, messages.address, messages.reportPeriod, messages.queuedOn, messages.state],
    rows,
  });
}
