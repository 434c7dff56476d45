import type { Schemas } from '../../../../contract/contract.ts';
import type { Language } from '../../../../contract/languages.ts';
import { publicError } from '../../../../http/response/public-error.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { apiCalls } from '../../../shared/parts/api-calls.ts';
import {
  type Faults,
  formFault,
  hiddenFields,
  selectField,
  textAreaField,
  textField,
} from '../../../shared/parts/fields.ts';
import { type FormFaults, toFormFaults } from '../../form-faults.ts';
import { TEMPLATES_PATH } from './templates-page.ts';
import { templatesMessages } from './templates-messages.ts';

/** The values of the form, by field. */
export type TemplateValues = Readonly<Record<string, string>>;

type TextsInput = Schemas['SimulationTemplateWordsInput'];
type Method = Schemas['SimulationTemplateMethod'];

export interface TemplateFormView {
  language: Language;
  formToken: string;
  /** One-time id of the form that creates a template; undefined for a change. */
  once: string | undefined;
  /** Version of the template when it was opened; undefined for a new one. */
  version: string | undefined;
  action: string;
  /** The language of the texts. */
  locale: Language;
  typed: TemplateValues;
  faults: FormFaults;
}

/** Renders the form of a template in one language. */
export function templateForm({
  language,
  formToken,
  once,
  version,
  action,
  locale,
  typed,
  faults,
}: TemplateFormView): Html {
  const messages = templatesMessages[language];
  const { fields } = faults;
  const text = (name: keyof TemplateTyped, label: string, hint?: string) =>
    textField({ name, label, ...(hint !== undefined && { hint }), also: { required: true } }, typed, fields);
  const area = (name: keyof TemplateTyped, label: string, hint: string, rows: string) =>
    textAreaField({ name, label, hint, also: { required: true, rows, spellcheck: 'true' } }, typed, fields);
  return html`
    <p><a href=${TEMPLATES_PATH}>${messages.backToList}</a></p>
    ${formFault(faults.whole)}
    <form method="post" action=${action}>
      ${hiddenFields(formToken, once)}
      ${version !== undefined && html`<input type="hidden" name="version" value=${version} />`}
      <input type="hidden" name="locale" value=${locale} />
      ${text('name', messages.name, messages.nameHint)}
      ${
        version === undefined
          ? selectField(
              { name: 'deliveryMethod', label: messages.method, options: Object.entries(messages.methods) },
              typed,
              fields,
            )
          : html`<input type="hidden" name="deliveryMethod" value=${typed.deliveryMethod} />`
      }
      ${selectField(
        {
          name: 'difficulty',
          label: messages.difficulty,
          options: ['1', '2', '3', '4', '5'].map((one) => [one, one] as const),
        },
        typed,
        fields,
      )}
      <h2>${messages.languageNames[locale]}</h2>
      ${text('senderName', messages.senderName)}
      ${text('senderMailbox', messages.senderMailbox, messages.senderMailboxHint)}
      ${text('subject', messages.subject, messages.subjectHint)} ${area('html', messages.html, messages.htmlHint, '12')}
      ${area('text', messages.text, messages.textHint, '8')} ${area('cues', messages.cues, messages.cuesHint, '5')}
      ${area('lesson', messages.lesson, messages.lessonHint, '6')}
      ${(version === undefined || typed.deliveryMethod === 'attachment') && attachmentFields(typed, fields, language)}
      <button type="submit">${messages.save}</button>
    </form>
    ${apiCalls([{ operationId: version === undefined ? 'createSimulationTemplate' : 'updateSimulationTemplate' }], language)}
  `;
}

function attachmentFields(typed: TemplateValues, faults: Faults, language: Language): Html {
  const messages = templatesMessages[language];
  return html`<fieldset>
    <legend>${messages.methods.attachment}</legend>
    ${textField({ name: 'attachmentName', label: messages.attachmentName }, typed, faults)}
    ${textField({ name: 'attachmentTitle', label: messages.attachmentTitle }, typed, faults)}
    ${textAreaField({ name: 'attachmentText', label: messages.attachmentText }, typed, faults)}
  </fieldset>`;
}

const FIELDS = [
  ...['name', 'deliveryMethod', 'difficulty', 'senderName', 'senderMailbox', 'subject', 'text', 'html', 'cues'],
  ...['lesson', 'attachmentName', 'attachmentTitle', 'attachmentText'],
] as const;
type TemplateTyped = Record<(typeof FIELDS)[number], string>;

/** Reads what was entered in the form. Converts line breaks to line feeds, as the API requires. */
export function readTemplateForm(form: URLSearchParams): TemplateTyped {
  const pairs = FIELDS.map((name) => [name, (form.get(name) ?? '').replaceAll('\r\n', '\n')]);
  return Object.fromEntries(pairs) as TemplateTyped;
}

/** Converts stored texts to the form. */
export function toTyped(
  template: Schemas['SimulationTemplate'],
  texts: Schemas['SimulationTemplateWords'] | undefined,
): TemplateValues {
  const { name, deliveryMethod, difficulty } = template;
  const facts = { name, deliveryMethod, difficulty: String(difficulty) };
  if (!texts) return facts;
  const { cues, attachment, senderName, senderMailbox, subject, text, html: body, lesson } = texts;
  return {
    ...facts,
    ...{ senderName, senderMailbox, subject, text, lesson, html: body, cues: cues.join('\n') },
    ...{
      attachmentName: attachment?.name ?? '',
      attachmentTitle: attachment?.title ?? '',
      attachmentText: attachment?.text ?? '',
    },
  };
}

/** Converts the form to the texts of the API. Leaves out the attachment if the template's delivery method has none. */
export function toTexts(typed: TemplateTyped, locale: Language): TextsInput {
  const { senderName, senderMailbox, subject, text, html: body, lesson } = typed;
  const cues = typed.cues.split('\n').filter((line) => line.trim() !== '');
  const attachment = { name: typed.attachmentName, title: typed.attachmentTitle, text: typed.attachmentText };
  return {
    ...{ locale, senderName, senderMailbox, subject, text, html: body, cues, lesson },
    ...((typed.deliveryMethod as Method) === 'attachment' && { attachment }),
  };
}

/**
 * Converts the error of an operation to faults of the form. The texts of a template have many rules, so each fault
 * shows the reason from the API.
 * @throws {unknown} the given error, if the form cannot show it
 */
export function toTemplateFaults(thrown: unknown, language: Language): FormFaults {
  const messages = templatesMessages[language];
  const error = publicError(thrown);
  if (error.code === 'changed_meanwhile') return { fields: {}, whole: messages.changed };
  const faults = toFormFaults(thrown, FIELDS, language, { simulation_template_in_use: messages.inUse });
  const ofTexts = error.details.flatMap(({ field, message }): [string, string][] => {
    const [, , , name, part] = field.split('/');
    if (!field.startsWith('body/content/') || name === undefined) return [];
    const own =
      name === 'attachment' ? `attachment${(part ?? 'name').replace(/^./, (first) => first.toUpperCase())}` : name;
    return [[own, messages.fault(message)]];
  });
  if (ofTexts.length === 0) return faults;
  return { fields: { ...faults.fields, ...Object.fromEntries(ofTexts.toReversed()) }, whole: undefined };
}
