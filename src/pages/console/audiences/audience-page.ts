import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import { emptyState } from '../../shared/parts/empty-state.ts';
import { formFault, hiddenFields, type SelectItem, selectField, textField } from '../../shared/parts/fields.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { actionMessages } from './action-messages.ts';
import { audienceMessages } from './audience-messages.ts';
import { type Audience, listAudienceFields, OPERATIONS, type Outcome, type Task } from './people-of-item.ts';

export interface AudienceView {
  language: Language;
  task: Task;
  /** Path of the pages of this action. */
  path: string;
  /** Path of the page of the policy or the course. */
  back: string;
  fault?: string | undefined;
}

const hidden = ([name, value]: [string, string]) => html`<input type="hidden" name=${name} value=${value} />`;

/** Renders the page that asks who the action is for. */
export function audienceContent(view: AudienceView, groups: readonly SelectItem[]): Html {
  const { language, path, back } = view;
  const messages = audienceMessages[language];
  const options: SelectItem[] = [['', messages.everybody], ...groups];
  const { department: label, departmentHint: hint } = messages;
  return html`
    ${formFault(view.fault)}
    <p>${messages.about}</p>
    <form method="get" action=${path}>
      ${hidden(['who', 'matching'])} ${selectField({ name: 'groupId', label: messages.group, options }, {}, {})}
      ${textField({ name: 'department', label, hint, also: { maxlength: '200', autocomplete: 'off' } }, {}, {})}
      <button type="submit">${messages.preview}</button>
    </form>
    <p><a href=${back}>${messages.keep}</a></p>
    ${calls(view)}
  `;
}

export interface PreviewView extends AudienceView {
  formToken: string;
  audience: Audience;
  /** Name of the audience's group. */
  groupName: string | undefined;
  /** Number of people in the audience. */
  people: number;
  /** The outcome of a dry run; undefined for more people than a page checks. */
  outcome: Outcome | undefined;
}

/** Renders what an action will do, and the form that does it. */
export function previewContent(view: PreviewView): Html {
  const { language, task, path, back, audience, outcome, people } = view;
  const messages = audienceMessages[language];
  const { number } = getFormats(language);
  const texts = actionMessages[language][task.kind][task.action];
  const changed = outcome ? outcome.changed : people;
  const who = audience.chosenIds
    ? messages.chosen
    : [view.groupName, audience.department].filter((one) => one !== undefined).join(', ') || messages.everybody;
  if (changed === 0)
    return html`${emptyState(people === 0 ? messages.nobodyMatches : messages.nobodyAffected)}
      ${outcome && leftOutTable(outcome, language)}
      <p><a href=${back}>${messages.keep}</a></p>
      ${calls(view)}`;
  return html`${confirmation({
    about: html`${formFault(view.fault)}
      <p>
        <strong><bdi>${who}</bdi></strong>
      </p>
      <p>${outcome ? texts.affected(changed, number(changed)) : messages.many(number(people))}</p>
      ${outcome && leftOutTable(outcome, language)}`,
    action: path,
    hidden: html`${hiddenFields(view.formToken)} ${listAudienceFields(audience).map(hidden)}`,
    button: texts.button,
    keep: { href: back, text: messages.keep },
  })}
  ${calls(view)}`;
}

function calls({ task: { kind, action }, language }: AudienceView): Html {
  return apiCalls([{ operationId: OPERATIONS[kind][action], query: { dryRun: 'true' } }], language);
}

function leftOutTable({ leftOut }: Outcome, language: Language): Html | false {
  const messages = audienceMessages[language];
  const { number } = getFormats(language);
  const [reason, people] = messages.leftOutHead;
  return (
    leftOut.size > 0 &&
    dataTable({
      caption: messages.leftOut,
      hasCaption: true,
      columns: [reason, { name: people, isNumber: true }],
      rows: [...leftOut].map(([code, count]) => [messages.reasons[code] ?? code, number(count)]),
    })
  );
}
