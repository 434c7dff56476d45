import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { type ApiRequest, apiCalls } from '../../shared/parts/api-calls.ts';
import {
  checkField,
  choicesField,
  type Faults,
  formFault,
  hiddenFields,
  type SelectItem,
  selectField,
  textAreaField,
  textField,
} from '../../shared/parts/fields.ts';
import type { FormFaults } from '../form-faults.ts';
import { figureMessages } from '../overview/figure-messages.ts';
import type { CampaignChoices } from './campaign-choices.ts';
import { type CampaignFormMessages, campaignFormMessages } from './campaign-form-messages.ts';
import type { CampaignForm } from './campaign-form-values.ts';

export interface CampaignFormView {
  language: Language;
  formToken: string;
  /** One-time id of the form of a new campaign, so that submitting it twice creates only one. */
  once?: string;
  action: string;
  /** Path of the page that cancelling leads to. */
  cancelHref: string;
  form: CampaignForm;
  choices: CampaignChoices;
  faults: FormFaults;
  /** Whether the campaign has started, so that its start cannot change. */
  hasStarted: boolean;
  /** Whether the campaign has an audience that the form cannot show. */
  keepsAudience: boolean;
  /** Whether the preview follows the saved draft; otherwise the changes are previewed before they are saved. */
  leadsToPreview: boolean;
  call: ApiRequest;
}

const LEVELS = ['low', 'moderate', 'high', 'critical'] as const;
const NUMBER = { inputmode: 'numeric', autocomplete: 'off' };
const OFF = { autocomplete: 'off' };

/** Renders the form of a campaign: five fields, and everything else folded away. */
export function campaignFormContent(view: CampaignFormView): Html {
  const { language, form, faults, choices } = view;
  const messages = campaignFormMessages[language];
  const { typed } = form;
  const { fields } = faults;
  const start = { name: 'startAt', label: messages.start, hint: messages.startHint };
  return html`
    <form method="post" action=${view.action}>
      ${hiddenFields(view.formToken, view.once)}
      <input type="hidden" name="version" value=${typed.version ?? ''} />
      ${formFault(faults.whole)}
      ${textField({ name: 'name', label: messages.name, hint: messages.nameHint, also: { ...OFF, required: true } }, typed, fields)}
      ${selectField({ name: 'items', label: messages.content, options: contentOptions(choices, messages), also: { required: true } }, typed, fields)}
      ${selectField({ name: 'audience', label: messages.audience, hint: messages.audienceHint, options: audienceOptions(view, messages) }, typed, fields)}
      ${
        view.hasStarted
          ? textField({ ...start, hint: messages.startedHint, also: { type: 'date', disabled: true } }, typed, fields)
          : textField({ ...start, also: { type: 'date' } }, typed, fields)
      }
      ${textField({ name: 'due', label: messages.due, hint: messages.dueHint, also: NUMBER }, typed, fields)}
      ${contentFold(view, messages)} ${audienceFolds(view, messages)} ${timeFolds(typed, fields, messages)}
      ${messageFold(typed, fields, messages)}
      ${
        view.leadsToPreview
          ? html`<button type="submit">${messages.preview}</button>`
          : html`<button type="submit" name="step" value="preview">${messages.previewChange}</button>`
      }
    </form>
    <p><a href=${view.cancelHref}>${messages.cancel}</a></p>
    ${apiCalls([view.call], language)}
  `;
}

/** Renders fields that are folded away unless one of them has a fault or a value. */
function fold(summary: string, isOpen: boolean, content: unknown): Html {
  return html`<details class="fold" open=${isOpen}>
    <summary>${summary}</summary>
    ${content}
  </details>`;
}

function contentOptions(choices: CampaignChoices, messages: CampaignFormMessages): SelectItem[] {
  return [['', messages.choose], ...namedChoices(choices, messages)];
}

/** Returns all items that a campaign can assign, each labelled with its kind and name. */
function namedChoices({ courses, policies, templates }: CampaignChoices, messages: CampaignFormMessages): SelectItem[] {
  const named = (options: readonly SelectItem[], kind: string) =>
    options.map(([value, name]): SelectItem => [value, `${kind}: ${name}`]);
  return [
    ...named(courses, messages.courses),
    ...named(policies, messages.policies),
    ...named(templates, messages.templates),
  ];
}

function audienceOptions({ choices, keepsAudience }: CampaignFormView, messages: CampaignFormMessages): SelectItem[] {
  return [
    ...(keepsAudience ? [['keep', messages.keepAudience] as const] : []),
    ['everyone', messages.everyone],
    ...choices.groups.map(([id, name]): SelectItem => [`group:${id}`, name]),
  ];
}

function contentFold({ choices, form, faults }: CampaignFormView, messages: CampaignFormMessages): Html {
  const options = namedChoices(choices, messages).filter(([value]) => value !== form.typed.items);
  const field = { name: 'moreItems', label: messages.moreContent, options };
  return fold(
    messages.moreContent,
    form.moreItems.length > 0,
    html`
      ${
        options.length === 0
          ? html`<p>${messages.noContent}</p>`
          : choicesField(field, form.moreItems, { moreItems: faults.fields.items ?? '' })
      }
      <p class="hint">${messages.validityHint} ${messages.simulationHint}</p>
    `,
  );
}

function audienceFolds({ choices, form, faults, language }: CampaignFormView, messages: CampaignFormMessages): Html {
  const { typed, riskLevels, excludedGroups } = form;
  const { fields } = faults;
  const levels = LEVELS.map((level): SelectItem => [level, figureMessages[language].levels[level]]);
  const has = (...names: string[]) => names.some((name) => typed[name]);
  const isAtFault = fields.audience !== undefined;
  const onePerLine = (name: 'departments' | 'locations' | 'excludedDepartments') =>
    textAreaField({ name, label: messages[name], hint: messages.onePerLine }, typed, {});
  return html`
    ${fold(
      messages.narrower,
      isAtFault || riskLevels.length > 0 || has('departments', 'locations', 'countries'),
      html`
        ${onePerLine('departments')} ${onePerLine('locations')}
        ${textField({ name: 'countries', label: messages.countries, hint: messages.countriesHint, also: OFF }, typed, {})}
        ${choicesField({ name: 'riskLevels', label: messages.riskLevels, options: levels }, riskLevels, {})}
      `,
    )}
    ${fold(
      messages.exclusions,
      excludedGroups.length > 0 || has('excludedDepartments'),
      html`
        ${choices.groups.length > 0 && choicesField({ name: 'excludedGroups', label: messages.excludedGroups, options: choices.groups }, excludedGroups, {})}
        ${onePerLine('excludedDepartments')}
      `,
    )}
  `;
}

function timeFolds(typed: CampaignForm['typed'], faults: Faults, messages: CampaignFormMessages): Html {
  const options: SelectItem[] = [
    ['', messages.once],
    ['yearly', messages.yearly],
    ['afterCompletion', messages.afterCompletion],
    ['beforeExpiry', messages.beforeExpiry],
  ];
  const { reminders } = faults;
  return html`
    ${fold(
      messages.rounds,
      typed.recurrence !== undefined && typed.recurrence !== '',
      html`
        ${selectField({ name: 'recurrence', label: messages.recurrence, options }, typed, faults)}
        ${textField({ name: 'months', label: messages.months, also: NUMBER }, typed, {})}
      `,
    )}
    ${fold(
      messages.reminders,
      reminders !== undefined || faults.escalation !== undefined,
      html`
        ${textField({ name: 'before', label: messages.before, hint: messages.daysHint, also: OFF }, typed, reminders === undefined ? {} : { before: reminders })}
        ${textField({ name: 'after', label: messages.after, hint: messages.daysHint, also: OFF }, typed, {})}
        ${textField({ name: 'escalation', label: messages.escalation, hint: messages.escalationHint, also: NUMBER }, typed, faults)}
        <p class="hint">${messages.quietHint}</p>
      `,
    )}
    ${fold(
      messages.rules,
      Boolean(typed.dueDate),
      html`
        ${textField({ name: 'dueDate', label: messages.dueDate, hint: messages.dueDateHint, also: { type: 'date' } }, typed, {})}
        ${checkField({ name: 'includeNewcomers', label: messages.includeNewcomers, hint: messages.leaveHint }, typed)}
        ${checkField({ name: 'keepOpenAfterLeaving', label: messages.keepOpenAfterLeaving }, typed)}
      `,
    )}
  `;
}

function messageFold(typed: CampaignForm['typed'], faults: Faults, messages: CampaignFormMessages): Html {
  return fold(
    messages.text,
    Boolean(typed.message) || Boolean(typed.replyName),
    html`
      ${textAreaField({ name: 'message', label: messages.message, hint: messages.messageHint, also: { maxlength: '500' } }, typed, faults)}
      ${textField({ name: 'replyName', label: messages.replyName, hint: messages.replyNameHint, also: OFF }, typed, faults)}
    `,
  );
}
