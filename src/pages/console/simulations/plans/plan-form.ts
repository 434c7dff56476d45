import { Temporal } from 'temporal-polyfill';
import type { Schemas } from '../../../../contract/contract.ts';
import type { Language } from '../../../../contract/languages.ts';
import { publicError } from '../../../../http/response/public-error.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { apiCalls } from '../../../shared/parts/api-calls.ts';
import {
  choicesField,
  cutHint,
  formFault,
  hiddenFields,
  type SelectItem,
  selectField,
  textField,
} from '../../../shared/parts/fields.ts';
import { type FormFaults, toFormFaults } from '../../form-faults.ts';
import { plansMessages } from './plans-messages.ts';

/** Values entered in the form of a plan. */
export interface PlanInput {
  typed: Readonly<Record<string, string>>;
  audience: 'everyone' | 'groups';
  groupIds: string[];
  templateIds: string[];
  days: string[];
}

/** Groups, templates, sender domains and courses that a plan can refer to. */
export interface PlanChoices {
  groups: readonly SelectItem[];
  templates: readonly SelectItem[];
  senderDomains: readonly string[];
  courses: readonly SelectItem[];
  /** Whether there are more groups, templates or courses than the form offers. */
  isCut: boolean;
}

export interface PlanFormView {
  language: Language;
  formToken: string;
  /** One-time id of the form that creates a draft; undefined for a change. */
  once: string | undefined;
  /** Version of the draft when it was opened; undefined for a new one. */
  version: string | undefined;
  action: string;
  input: PlanInput;
  choices: PlanChoices;
  faults: FormFaults;
}

/** Renders the form of a draft. */
export function planForm(view: PlanFormView): Html {
  const { language, formToken, once, version, action, input, choices, faults } = view;
  const { typed } = input;
  const { fields } = faults;
  const messages = plansMessages[language];
  const text = (name: string, label: string, also: Record<string, string | boolean> = {}) =>
    textField({ name, label, also: { required: true, ...also } }, typed, fields);
  const audiences: SelectItem[] = [
    ['everyone', messages.everyone],
    ...(choices.groups.length > 0 ? [['groups', messages.chosenGroups] as const] : []),
  ];
  return html`
    ${formFault(faults.whole)}
    <form method="post" action=${action}>
      ${hiddenFields(formToken, once)}
      ${version !== undefined && html`<input type="hidden" name="version" value=${version} />`}
      ${textField({ name: 'name', label: messages.name, hint: messages.nameHint, also: { required: true, maxlength: '200' } }, typed, fields)}
      ${choicesField({ name: 'recipients', label: messages.audience, options: audiences, type: 'radio' }, [input.audience], fields)}
      ${choices.groups.length > 0 && choicesField({ name: 'groupIds', label: messages.chosenGroups, options: choices.groups }, input.groupIds, fields)}
      ${choicesField({ name: 'templateIds', label: messages.templates, options: choices.templates }, input.templateIds, fields)}
      <h2>${messages.window}</h2>
      ${text('startDate', messages.startDate, { type: 'date' })} ${text('endDate', messages.endDate, { type: 'date' })}
      ${choicesField(
        {
          name: 'workingHours',
          label: messages.days,
          options: messages.weekdays.map((day, index): SelectItem => [String(index + 1), day]),
        },
        input.days,
        fields,
      )}
      ${text('from', messages.from, { type: 'time' })} ${text('to', messages.to, { type: 'time' })}
      ${textField({ name: 'timeZone', label: messages.timeZone, hint: messages.timeZoneHint, also: { required: true } }, typed, fields)}
      ${selectField({ name: 'senderDomain', label: messages.senderDomain, options: choices.senderDomains.map((one): SelectItem => [one, one]) }, typed, fields)}
      ${selectField({ name: 'trainingCourseId', label: messages.training, options: [['', messages.noTraining], ...choices.courses] }, typed, fields)}
      ${cutHint(choices.isCut, language)}
      <button type="submit">${messages.save}</button>
    </form>
    ${apiCalls([{ operationId: version === undefined ? 'createSimulation' : 'updateSimulation' }], language)}
  `;
}

const TYPED = ['name', 'startDate', 'endDate', 'from', 'to', 'timeZone', 'senderDomain', 'trainingCourseId'];

/** Reads what was entered in the form. */
export function readPlanForm(form: URLSearchParams): PlanInput {
  return {
    typed: Object.fromEntries(TYPED.map((name) => [name, form.get(name) ?? ''])),
    audience: form.get('recipients') === 'groups' ? 'groups' : 'everyone',
    groupIds: form.getAll('groupIds'),
    templateIds: form.getAll('templateIds'),
    days: form.getAll('workingHours'),
  };
}

/** Returns the defaults of a new draft: two weeks from next Monday, in office hours. */
export function newPlan(now: Date, timeZone: string, templateIds: string[]): PlanInput {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  const monday = today.add({ days: 8 - today.dayOfWeek });
  const days = { startDate: monday.toString(), endDate: monday.add({ days: 11 }).toString() };
  const typed = { name: '', ...days, from: '09:00', to: '16:00', timeZone, senderDomain: '', trainingCourseId: '' };
  return { typed, audience: 'everyone', groupIds: [], templateIds, days: ['1', '2', '3', '4', '5'] };
}

/** Converts a stored draft to the form. */
export function toPlanInput({ name, startDate, endDate, plan }: Schemas['SimulationOverview']): PlanInput {
  const { templateIds, recipients, workingHours, timeZone, senderDomain, trainingCourseId } = plan!;
  const day = (time: string, beforeMs: number) =>
    Temporal.Instant.fromEpochMilliseconds(Date.parse(time) - beforeMs)
      .toZonedDateTimeISO(timeZone)
      .toPlainDate()
      .toString();
  return {
    typed: {
      ...{ name, timeZone, senderDomain, from: workingHours.from, to: workingHours.to },
      ...{ startDate: day(startDate!, 0), endDate: day(endDate!, 1), trainingCourseId: trainingCourseId ?? '' },
    },
    audience: recipients.everyone ? 'everyone' : 'groups',
    groupIds: recipients.groupIds,
    templateIds,
    days: workingHours.days.map(String),
  };
}

/** Converts the form to the body of `createSimulation` and `updateSimulation`. The contract validates it later. */
export function toPlanBody({ typed, audience, groupIds, templateIds, days }: PlanInput) {
  const { name = '', startDate = '', endDate = '', from = '', to = '', timeZone = '', senderDomain = '' } = typed;
  return {
    ...{ name, templateIds, timeZone, senderDomain },
    recipients: audience === 'everyone' ? { everyone: true } : { groupIds },
    startDate: toInstant(startDate, timeZone, 0),
    endDate: toInstant(endDate, timeZone, 1),
    workingHours: { days: days.map(Number), from, to },
    trainingCourseId: typed.trainingCourseId || null,
  };
}

/**
 * Returns the start of a day, or of a later day, in a time zone. Passes on an invalid value, so that the contract
 * rejects it.
 */
function toInstant(day: string, timeZone: string, daysLater: number): string {
  try {
    const date = Temporal.PlainDate.from(day).add({ days: daysLater });
    return date.toZonedDateTime(timeZone).toInstant().toString();
  } catch {
    return day === '' ? day : `${day}T00:00:00Z`;
  }
}

const FIELDS = [...TYPED, 'recipients', 'groupIds', 'templateIds', 'workingHours'];

/**
 * Converts the error of an operation to faults of the form, with the reasons that the API states.
 * @throws {unknown} the given error, if the form cannot show it
 */
export function toPlanFaults(thrown: unknown, language: Language): FormFaults {
  const messages = plansMessages[language];
  const error = publicError(thrown);
  if (error.code === 'changed_meanwhile') return { fields: {}, whole: messages.changed };
  const faults = toFormFaults(thrown, FIELDS, language);
  const reasons = error.details.map(({ field, message }): [string, string] => {
    const [, name = '', part] = field.split('/');
    return [name === 'workingHours' && (part === 'from' || part === 'to') ? part : name, messages.fault(message)];
  });
  const known = reasons.filter(([name]) => FIELDS.includes(name)).toReversed();
  return known.length === 0 ? faults : { fields: Object.fromEntries(known), whole: undefined };
}
