import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import { choicesField, formFault, hiddenFields, type SelectItem, selectField } from '../../shared/parts/fields.ts';
import { dataTable, type Selection as Boxes } from '../../shared/parts/table.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { actionsMessages } from './actions-messages.ts';
import { type Action, type ActionOutcome, type Change, getOperation, getTarget } from './people-actions.ts';
import { PEOPLE_PATH } from './people-paths.ts';
import { listFields, packIds, type Selection } from './people-selection.ts';

export const ACTIONS_PATH = `${PEOPLE_PATH}/actions`;

const FORM = 'people-actions';

const hidden = ([name, value]: [string, string]) => html`<input type="hidden" name=${name} value=${value} />`;

/** Renders the form with the actions on people, below the list. The check boxes of the rows belong to this form. */
export function actionsForm(actions: readonly Action[], filters: Selection['filters'], language: Language): Html {
  const messages = actionsMessages[language];
  const options = actions.map((action) => [action, messages.actions[action]] as const);
  const who = [
    ['chosen', messages.chosen],
    ['matching', messages.matching],
  ] as const;
  return html`<h2>${messages.formTitle}</h2>
    <form id=${FORM} method="get" action=${ACTIONS_PATH}>
      ${Object.entries(filters).map(hidden)}
      ${choicesField({ name: 'who', label: messages.whoLabel, options: who, type: 'radio' }, ['chosen'], {})}
      ${selectField({ name: 'action', label: messages.actionLabel, options }, {}, {})}
      <button type="submit">${messages.proceed}</button>
    </form>`;
}

/** Returns the check boxes that select people. */
export function actionBoxes(people: readonly Schemas['LearnerListItem'][], language: Language): Boxes {
  const { select } = actionsMessages[language];
  return { form: FORM, field: 'learnerId', boxes: people.map(({ id, name }) => ({ value: id, label: select(name) })) };
}

/** Renders a page that says why there is no preview. */
export function noPreviewContent(reason: 'nobodyChosen' | 'tooMany', back: string, language: Language): Html {
  const messages = actionsMessages[language];
  return html`${formFault(messages[reason])}
    <p><a href=${back}>${messages.keep}</a></p>`;
}

/** Renders the page that asks for the course or the group of an action. */
export function targetContent(
  { action, selection, options }: { action: Action; selection: Selection; options: readonly SelectItem[] },
  back: string,
  language: Language,
): Html {
  const messages = actionsMessages[language];
  const label = messages[getTarget(action) ?? 'course'];
  return html`<form method="get" action=${ACTIONS_PATH}>
      ${[['action', action] as [string, string], ...listFields(selection)].map(hidden)}
      ${selectField({ name: 'target', label, options }, {}, {})}
      <button type="submit">${messages.proceed}</button>
    </form>
    <p><a href=${back}>${messages.keep}</a></p>`;
}

export interface PreviewView {
  language: Language;
  formToken: string;
  once: string;
  action: Change;
  target: string;
  /** The name of the course or the group. */
  targetName: string | undefined;
  learnerIds: readonly string[];
  outcome: ActionOutcome;
  /** The names of the people who are left out, if they were read. */
  names: ReadonlyMap<string, string>;
  fault?: string | undefined;
  back: string;
}

/** Renders what an action will do, and the form that does it. */
export function previewContent(view: PreviewView): Html {
  const { language, action, outcome, back } = view;
  const messages = actionsMessages[language];
  const { number } = getFormats(language);
  const count = outcome.changedIds.length;
  const about = html`${formFault(view.fault)}
    <p>
      <strong
        >${messages.actions[action]}${view.targetName !== undefined && html`: <bdi>${view.targetName}</bdi>`}</strong
      >
    </p>
    <p>
      ${count === 0 ? messages.nobodyAffected : `${messages.affected(count, number(count))} ${messages.about[action]}`}
    </p>
    ${leftOutTable(outcome, view.names, language)}`;
  const path = getTarget(action) === 'group' ? { path: { groupId: view.target } } : {};
  const call = apiCalls([{ operationId: getOperation(action), ...path, query: { dryRun: 'true' } }], language);
  if (count === 0)
    return html`${about}
      <p><a href=${back}>${messages.keep}</a></p>
      ${call}`;
  const fields = Object.entries({ action, target: view.target, people: packIds(view.learnerIds) });
  return html`${confirmation({
    about,
    action: ACTIONS_PATH,
    hidden: html`${hiddenFields(view.formToken, view.once)} ${fields.map(hidden)}`,
    button: messages.confirm[action],
    keep: { href: back, text: messages.keep },
  })}
  ${call}`;
}

/** Renders the outcome of an action, with the people who were left out. */
export function outcomeContent(
  outcome: ActionOutcome,
  names: ReadonlyMap<string, string>,
  back: string,
  language: Language,
): Html {
  const messages = actionsMessages[language];
  const count = outcome.changedIds.length;
  return html`<p class="toast" role="status">${messages.done(count, getFormats(language).number(count))}</p>
    ${leftOutTable(outcome, names, language)}
    <p><a href=${back}>${messages.keep}</a></p>`;
}

/** Renders the people who are left out, by reason. */
function leftOutTable(
  { leftOut }: ActionOutcome,
  names: ReadonlyMap<string, string>,
  language: Language,
): Html | false {
  if (leftOut.length === 0) return false;
  const messages = actionsMessages[language];
  const { number } = getFormats(language);
  const byReason = Map.groupBy(leftOut, ({ code }) => code);
  const rows = [...byReason].map(([code, people]) => {
    const known = people.flatMap(({ learnerId }) => names.get(learnerId) ?? []);
    const who =
      known.length === 0 ? number(people.length) : messages.names(known.join(', '), people.length - known.length);
    return [messages.reasons[code] ?? code, html`<bdi>${who}</bdi>`];
  });
  const caption = messages.leftOut(leftOut.length, number(leftOut.length));
  return dataTable({ caption, hasCaption: true, columns: messages.leftOutHead, rows });
}

/** Renders the link to the file with the selected people. */
export function exportContent(selection: Selection, back: string, language: Language): Html {
  const messages = actionsMessages[language];
  const search = new URLSearchParams(listFields(selection)).toString();
  return html`<p>${messages.exportAbout}</p>
    <p><a class="button" href=${`${PEOPLE_PATH}/export?${search}`}>${messages.exportButton}</a></p>
    <p><a href=${back}>${messages.keep}</a></p>
    ${apiCalls([{ operationId: 'listLearners' }], language)}`;
}
