import type { Schemas } from '../../../../contract/contract.ts';
import type { Language } from '../../../../contract/languages.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { apiCalls } from '../../../shared/parts/api-calls.ts';
import { formFault, hiddenFields, type SelectItem, selectField } from '../../../shared/parts/fields.ts';
import { pageLinks } from '../../../shared/parts/page-links.ts';
import { dataTable } from '../../../shared/parts/table.ts';
import { facts, tiles } from '../../../shared/parts/tiles.ts';
import { getFormats } from '../../overview/figure-formats.ts';
import { type PlansMessages, plansMessages } from './plans-messages.ts';
import { verdictMessages } from './verdict-messages.ts';

export const SIMULATION_LIST_PATH = '/console/simulations/all';
export const toSimulationPath = (id: string) => `/console/simulations/${id}`;

type Simulation = Omit<Schemas['Simulation'], 'recipients'>;
type Names = ReadonlyMap<string, string>;

export interface SimulationView {
  language: Language;
  formToken: string;
  once: string;
  simulation: Simulation;
  /** Names of the templates that the plan uses, by id. */
  templateNames: Names;
  calendar: Schemas['SimulationCalendar'] | undefined;
  recipients: readonly Schemas['SimulationRecipient'][];
  nextRecipients: string | undefined;
  /** Minutes to the first report; null without a report. */
  firstReportMinutes: number | null;
  email: string;
  can: Record<'edit' | 'test' | 'schedule' | 'cancel' | 'remove' | 'interactions', boolean>;
  notice: Html | undefined;
  fault: string | undefined;
}

/** Renders a simulation: the plan and the actions of a draft, or the results of a simulation that was sent. */
export function simulationContent(view: SimulationView): Html {
  const { language, simulation, calendar, notice, fault, can } = view;
  const messages = plansMessages[language];
  const { id, status, plan } = simulation;
  const isOpen = status === 'scheduled' || status === 'running';
  return html`
    ${notice} ${formFault(fault)}
    <p><a href=${SIMULATION_LIST_PATH}>${messages.all}</a></p>
    ${planFacts(view, messages)} ${status === 'draft' && plan !== null && draftActions(view, messages)}
    ${isOpen && plan !== null && can.cancel && html`<p><a class="button quiet" href=${`${toSimulationPath(id)}/cancel`}>${messages.stop}</a></p>`}
    ${status !== 'draft' && results(view, messages)} ${calendar && calendarSection(calendar, view, messages)}
    ${apiCalls(
      [
        { operationId: 'getSimulation', path: { simulationId: id } },
        ...(plan ? [{ operationId: 'getSimulationCalendar', path: { simulationId: id } } as const] : []),
      ],
      language,
    )}
  `;
}

function planFacts({ simulation, templateNames }: SimulationView, messages: PlansMessages): Html {
  const { status, plan, startDate, endDate } = simulation;
  const names = plan?.templateIds.map((id) => templateNames.get(id) ?? id).join(', ');
  return facts([
    [messages.head[1], messages.statuses[status] ?? status],
    startDate !== null && [
      messages.window,
      html`${formatTime(startDate)} – ${endDate === null ? '…' : formatTime(endDate)} (UTC)`,
    ],
    plan !== null && [
      messages.hours,
      `${plan.workingHours.from}–${plan.workingHours.to}, ${plan.workingHours.days.map((day) => messages.weekdays[day - 1]).join(', ')} (${plan.timeZone})`,
    ],
    names !== undefined && [messages.messagesHead[1], names],
    plan !== null && [messages.senderDomain, plan.senderDomain],
  ]);
}

function draftActions(
  { simulation, templateNames, formToken, once, email, calendar, can, language }: SimulationView,
  messages: PlansMessages,
): Html {
  const path = toSimulationPath(simulation.id);
  const options = simulation.plan!.templateIds.map((id): SelectItem => [id, templateNames.get(id) ?? id]);
  const count = getFormats(language).number(calendar?.recipientCount ?? 0);
  return html`
    ${
      can.test &&
      html`<form method="post" action=${`${path}/test`}>
        ${hiddenFields(formToken, once)}
        ${options.length > 1 && selectField({ name: 'templateId', label: messages.messagesHead[1], options }, {}, {})}
        <p class="hint">${messages.testAbout(email)}</p>
        <button class="quiet" type="submit">${messages.test}</button>
      </form>`
    }
    ${
      can.schedule &&
      calendar?.failure === null &&
      html`<form method="post" action=${`${path}/schedule`}>
        ${hiddenFields(formToken)}
        <p>${messages.scheduleAbout(count)}</p>
        <button type="submit">${messages.schedule}</button>
      </form>`
    }
    <div class="actions">
      ${can.edit && html`<a class="button quiet" href=${`${path}/edit`}>${messages.edit}</a>`}
      ${
        can.remove &&
        html`<form method="post" action=${`${path}/delete`}>
          ${hiddenFields(formToken)}
          <button class="quiet" type="submit">${messages.remove}</button>
        </form>`
      }
    </div>
  `;
}

/** Renders the results: reports before clicks. The figures are a region that a script replaces. */
function results(view: SimulationView, messages: PlansMessages): Html {
  const { language, simulation, recipients, nextRecipients, firstReportMinutes, can } = view;
  const { number, percent } = getFormats(language);
  const { sentCount, reportCount, visitCount, openCount, scheduledCount, status, id } = simulation;
  const share = (part: number) => (sentCount === 0 ? '–' : `${percent(part, sentCount)} (${number(part)})`);
  const time = (value: string | null) => (value === null ? '–' : formatTime(value));
  return html`
    <h2>${messages.results}</h2>
    <div
      data-live=${status === 'running' || status === 'scheduled' ? '' : undefined}
      role="group"
      aria-label=${messages.results}
    >
      ${tiles([
        { name: messages.reported, value: share(reportCount) },
        {
          name: messages.firstReport,
          value: firstReportMinutes === null ? messages.nobodyYet : messages.minutes(number(firstReportMinutes)),
        },
        { name: messages.clicked, value: share(visitCount) },
        { name: messages.opened, value: share(openCount) },
        { name: messages.head[2], value: number(sentCount) },
        { name: messages.waiting, value: number(scheduledCount) },
      ])}
    </div>
    ${status === 'running' && html`<p class="hint">${messages.refreshed}</p>`}
    ${
      recipients.length > 0 &&
      dataTable({
        hasCaption: true,
        caption: messages.recipients,
        columns: messages.recipientsHead,
        rows: recipients.map(({ learner, sent, report, visit, settledAt }) => [
          ...[html`<bdi>${learner.name}</bdi>`, time(sent), time(report)],
          ...[time(visit), settledAt !== null && Date.parse(settledAt) <= Date.now() ? messages.yes : messages.no],
        ]),
      })
    }
    ${pageLinks({ label: messages.recipients, next: nextRecipients !== undefined && { href: nextRecipients, text: messages.next } })}
    ${can.interactions && html`<p><a href=${`${toSimulationPath(id)}/interactions`}>${verdictMessages[language].interactions}</a></p>`}
  `;
}

function calendarSection(
  calendar: Schemas['SimulationCalendar'],
  { language, templateNames }: SimulationView,
  messages: PlansMessages,
): Html {
  const { number, day } = getFormats(language);
  const { recipientCount, days, firstMessages, failure } = calendar;
  const name = (id: string) => templateNames.get(id) ?? id;
  return html`
    <h2>${messages.calendar}</h2>
    ${failure !== null && html`<p class="warning">${messages.cannotSchedule(failure)}</p>`}
    ${failure === null && html`<p>${messages.calendarAbout(number(recipientCount))}</p>`}
    ${
      days.length > 0 &&
      dataTable({
        caption: messages.calendar,
        columns: [
          messages.calendarHead[0],
          { name: messages.calendarHead[1], isNumber: true },
          messages.calendarHead[2],
        ],
        rows: days.map((one) => [
          ...[day(one.day), number(one.messages)],
          one.templates.map(({ templateId, messages: count }) => `${name(templateId)} (${number(count)})`).join(', '),
        ]),
      })
    }
    ${
      firstMessages.length > 0 &&
      dataTable({
        hasCaption: true,
        caption: messages.messages,
        columns: messages.messagesHead,
        rows: firstMessages.map(({ learner, templateId, locale, scheduledAt }) => [
          ...[html`<bdi>${learner.name}</bdi>`, name(templateId), locale, formatTime(scheduledAt)],
        ]),
      })
    }
  `;
}

/** Renders a time in UTC to the minute. */
export function formatTime(time: string): Html {
  return html`<time datetime=${time}>${time.slice(0, 16).replace('T', ' ')}</time>`;
}
