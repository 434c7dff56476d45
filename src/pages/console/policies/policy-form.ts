import { publicError } from '../../../http/response/public-error.ts';
import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import {
  checkField,
  fileField,
  type FieldValues,
  formFault,
  hiddenFields,
  type SelectItem,
  selectField,
  textField,
} from '../../shared/parts/fields.ts';
import { type FormFaults, toFormFaults } from '../form-faults.ts';
import { policiesMessages } from './policies-messages.ts';
import { POLICIES_PATH, toPolicyPath } from './policies-page.ts';
import { policyFormMessages } from './policy-form-messages.ts';
import { policyMessages } from './policy-messages.ts';
import type { Policy } from './policy-page.ts';

const FIELDS = ['name', 'category', 'ownerName', 'ownerEmail', 'isPublic'] as const;

export interface PolicyFormView {
  language: Language;
  formToken: string;
  once: string;
  typed: FieldValues;
  faults: FormFaults;
}

/** Renders the form of a new policy; with a policy, the form of its draft. */
export function policyForm(view: PolicyFormView, policy?: { id: string; version: string; fileName: string }): Html {
  const { language, formToken, once, typed, faults } = view;
  const messages = policyFormMessages[language];
  const text = (name: string, label: string, also: Record<string, string | boolean>, hint?: string) =>
    textField({ name, label, also, ...(hint !== undefined && { hint }) }, typed, faults.fields);
  const fileHint = policy ? `${messages.keptFile(policy.fileName)} ${messages.fileHint}` : messages.fileHint;
  const accept = { accept: 'application/pdf,.pdf', ...(!policy && { required: true }) };
  return html`
    <p>${policy ? messages.draftAbout : messages.newAbout}</p>
    ${formFault(faults.whole)}
    <form
      method="post"
      action=${policy ? toPolicyPath(policy.id, '/draft') : `${POLICIES_PATH}/new`}
      enctype="multipart/form-data"
    >
      ${hiddenFields(formToken, once)} ${policy && html`<input type="hidden" name="version" value=${policy.version} />`}
      ${text('name', messages.name, { required: true, maxlength: '200' })}
      ${fileField({ name: 'file', label: messages.file, hint: fileHint, also: accept }, faults.fields)}
      ${text('category', messages.category, { maxlength: '200' }, messages.categoryHint)}
      ${text('ownerName', messages.ownerName, { maxlength: '200', autocomplete: 'off' })}
      ${text('ownerEmail', messages.ownerEmail, { type: 'email', maxlength: '254', autocomplete: 'off' })}
      ${checkField({ name: 'isPublic', label: messages.isPublic }, typed)}
      <button type="submit">${messages.save}</button>
    </form>
    ${backLink(language, policy?.id)}
    ${apiCalls(
      policy
        ? [{ operationId: 'uploadPolicyFile' }, { operationId: 'updatePolicy', path: { policyId: policy.id } }]
        : [{ operationId: 'uploadPolicyFile' }, { operationId: 'createPolicy' }],
      language,
    )}
  `;
}

/** Renders the form that creates a policy from a template. */
export function templateForm(view: PolicyFormView, templates: readonly SelectItem[]): Html {
  const { language, formToken, once, typed, faults } = view;
  const messages = policyFormMessages[language];
  const { template: label, templateName, templateNameHint: hint } = messages;
  const select = { name: 'policyTemplateId', label, options: templates };
  return html`
    <p>${templates.length === 0 ? messages.noTemplates : messages.templateAbout}</p>
    ${formFault(faults.whole)}
    ${
      templates.length > 0 &&
      html`<form method="post" action=${`${POLICIES_PATH}/from-template`}>
        ${hiddenFields(formToken, once)} ${selectField(select, typed, faults.fields)}
        ${textField({ name: 'name', label: templateName, hint, also: { maxlength: '200' } }, typed, faults.fields)}
        <button type="submit">${messages.save}</button>
      </form>`
    }
    ${backLink(language)}
    ${apiCalls([{ operationId: 'listPolicyTemplates' }, { operationId: 'createPolicyFromTemplate' }], language)}
  `;
}

function backLink(language: Language, policyId?: string): Html {
  return policyId === undefined
    ? html`<p><a href=${POLICIES_PATH}>${policiesMessages[language].back}</a></p>`
    : html`<p><a href=${toPolicyPath(policyId)}>${policyMessages[language].keep}</a></p>`;
}

/** Reads what was entered in the form. */
export function readPolicyForm(form: URLSearchParams): FieldValues {
  return Object.fromEntries(FIELDS.map((name) => [name, form.get(name) ?? '']));
}

/** Returns the content of the draft, or of the published version, in the form's shape. */
export function toTyped(policy: Policy): FieldValues {
  const { name, category, ownerName, ownerEmail, isPublic } = policy.draft ?? policy;
  const texts = { name, category: category ?? '', ownerName: ownerName ?? '', ownerEmail: ownerEmail ?? '' };
  return { ...texts, isPublic: isPublic ? 'yes' : '' };
}

/** Converts the form to the fields of a new policy. */
export function toNewPolicy(typed: FieldValues): Omit<Schemas['CreatePolicyInput'], 'pdfFile' | 'action'> {
  const { name = '', isPublic, ...optional } = typed;
  const given = Object.entries(optional).filter(([, value]) => value.trim() !== '');
  return { name, isPublic: isPublic === 'yes', ...(Object.fromEntries(given) as Record<string, string>) };
}

/** Converts the form to the update of a draft. An empty field clears the value. */
export function toDraft(typed: FieldValues): Omit<Schemas['UpdatePolicyInput'], 'pdfFile' | 'action'> {
  const { name = '', isPublic, ...optional } = typed;
  const clearable = Object.entries(optional).map(([field, value]) => [field, value.trim() === '' ? null : value]);
  return { name, isPublic: isPublic === 'yes', ...(Object.fromEntries(clearable) as Record<string, string | null>) };
}

/** Messages of the API about the faults that the check of a PDF finds. */
const FAULTS: readonly (readonly [RegExp, 'encrypted' | 'unreadable' | 'tooLong' | 'tooComplex'])[] = [
  [/ is encrypted\.$/, 'encrypted'],
  [/ (is not a PDF|is damaged|cannot be read|has no pages)\.$/, 'unreadable'],
  [/ has more than \d+ pages\.$/, 'tooLong'],
  [/ (takes too long|needs too much memory) to read\.$/, 'tooComplex'],
];

/**
 * Converts the error of an operation to faults of the form.
 * @throws {unknown} the given error, if the form cannot show it
 */
export function toPolicyFaults(thrown: unknown, language: Language): FormFaults {
  const messages = policyFormMessages[language];
  const { code, message, details } = publicError(thrown);
  const ofFile = (file: string): FormFaults => ({ fields: { file }, whole: undefined });
  if (code === 'changed_meanwhile') return { fields: {}, whole: messages.changed };
  if (code === 'payload_too_large') return ofFile(messages.faults.tooLarge);
  if (code === 'invalid_file') {
    const kind = FAULTS.find(([pattern]) => pattern.test(message))?.[1];
    return ofFile(kind ? messages.faults[kind] : messages.active(message));
  }
  if (details.some(({ field }) => field === 'body/file' || field === 'body/pdfFile'))
    return ofFile(messages.faults.fileMissing);
  return toFormFaults(thrown, FIELDS, language);
}
