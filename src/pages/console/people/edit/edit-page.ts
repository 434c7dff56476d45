import type { Schemas } from '../../../../contract/contract.ts';
import type { Language } from '../../../../contract/languages.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { apiCalls } from '../../../shared/parts/api-calls.ts';
import {
  checkField,
  choicesField,
  formFault,
  hiddenFields,
  type SelectItem,
  textField,
} from '../../../shared/parts/fields.ts';
import type { FormFaults } from '../../form-faults.ts';
import { toPersonPath } from '../people-paths.ts';
import { type EditField, editMessages } from './edit-messages.ts';
import type { EditForm } from './edit-values.ts';

export interface EditView {
  language: Language;
  formToken: string;
  learner: Schemas['Learner'];
  form: EditForm;
  faults: FormFaults;
  /** The groups that can be chosen, including the learner's own. */
  groups: readonly SelectItem[];
}

const TYPES: Partial<Record<EditField, Record<string, string | boolean>>> = {
  firstName: { required: true },
  email: { type: 'email', required: true },
  manager: { type: 'email' },
  country: { maxlength: '2', size: '4' },
  absentUntil: { type: 'date' },
};

/** Renders the form of a person: the common fields, and everything else folded away. */
export function editContent({ language, formToken, learner, form, faults, groups }: EditView): Html {
  const messages = editMessages[language];
  const field = (name: EditField) =>
    textField(
      {
        name,
        label: messages.fields[name],
        ...(messages.hints[name] !== undefined && { hint: messages.hints[name] }),
        also: { autocomplete: 'off', ...TYPES[name] },
      },
      form.typed,
      faults.fields,
    );
  const more = ['location', 'country', 'locale', 'timeZone', 'absentUntil'] as const;
  const isOpen = more.some((name) => faults.fields[name] !== undefined);
  return html`
    ${learner.managedBy === 'directory' && html`<p class="warning">${messages.byDirectory}</p>`}
    <form method="post" action=${`${toPersonPath(learner.id)}/edit`}>
      ${hiddenFields(formToken)}
      <input type="hidden" name="version" value=${form.typed.version ?? ''} />
      ${formFault(faults.whole)} ${field('firstName')} ${field('lastName')} ${field('email')}
      ${field('externalLearnerId')} ${field('department')} ${field('jobTitle')} ${field('manager')}
      ${groups.length > 0 && choicesField({ name: 'groups', label: messages.fields.groups, options: groups }, form.groupIds, faults.fields)}
      <details class="fold" open=${isOpen}>
        <summary>${messages.more}</summary>
        ${more.map(field)}
        ${checkField({ name: 'excludedFromAutoEnrol', label: messages.fields.excludedFromAutoEnrol }, form.typed)}
      </details>
      <button type="submit">${messages.save}</button>
    </form>
    <p><a href=${toPersonPath(learner.id)}>${messages.cancel}</a></p>
    ${apiCalls([{ operationId: 'updateLearner', path: { learnerId: learner.id } }], language)}
  `;
}
