import { randomBytes } from 'node:crypto';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';

/** Messages about a form's faults, by field. */
export type Faults = Readonly<Record<string, string>>;

/** Values that a person entered in a form, by field. */
export type FieldValues = Readonly<Record<string, string>>;

interface Field {
  name: string;
  label: string;
  hint?: string;
  /** Further attributes of the input. */
  also?: Record<string, string | boolean>;
}

/** Renders an input with its label, hint and fault. */
export function textField(field: Field, typed: FieldValues, faults: Faults): Html {
  const { name, also = {} } = field;
  return labelled(
    field,
    faults,
    (aria) => html`<input id=${name} name=${name} value=${typed[name] ?? ''} ...${aria} ...${also} />`,
  );
}

/**
 * Renders a field for a file, whose form must be sent as `multipart/form-data`. If the form is rejected, the person
 * must choose the file again.
 */
export function fileField(field: Field, faults: Faults): Html {
  const { name, also = {} } = field;
  return labelled(field, faults, (aria) => html`<input type="file" id=${name} name=${name} ...${aria} ...${also} />`);
}

/** Renders a field for text of several lines. */
export function textAreaField(field: Field, typed: FieldValues, faults: Faults): Html {
  const { name, also = {} } = field;
  return labelled(
    field,
    faults,
    (aria) => html`<textarea id=${name} name=${name} rows="4" ...${aria} ...${also}>${typed[name] ?? ''}</textarea>`,
  );
}

/** A value that a person can choose, with its name. */
export type SelectItem = readonly [value: string, name: string];

/** Renders a field with one choice out of many. An option with the value `''` stands for no choice. */
export function selectField(
  field: Field & { options: readonly SelectItem[] },
  typed: FieldValues,
  faults: Faults,
): Html {
  const { name, options, also = {} } = field;
  const choice = ([value, text]: SelectItem) =>
    html`<option value=${value} selected=${(typed[name] ?? '') === value}>${text}</option>`;
  return labelled(
    field,
    faults,
    (aria) =>
      html`<select id=${name} name=${name} ...${aria} ...${also}>
        ${options.map(choice)}
      </select>`,
  );
}

/** Renders a single check box with its label. It is checked if its entered value is `yes`. */
export function checkField({ name, label, hint, also = {} }: Field, typed: FieldValues): Html {
  const hintId = `${name}-hint`;
  return html`
    <label>
      <input
        type="checkbox"
        name=${name}
        value="yes"
        checked=${typed[name] === 'yes'}
        aria-describedby=${hint && hintId}
        ...${also}
      />${label}
    </label>
    ${hint && html`<p class="hint" id=${hintId}>${hint}</p>`}
  `;
}

/** Renders the check boxes of one field; several can be chosen. */
export function choicesField(
  { name, label, options, type = 'checkbox' }: Field & { options: readonly SelectItem[]; type?: 'checkbox' | 'radio' },
  chosen: readonly string[],
  faults: Faults,
): Html {
  const fault = faults[name];
  const box = ([value, text]: SelectItem) =>
    html`<label><input type=${type} name=${name} value=${value} checked=${chosen.includes(value)} />${text}</label>`;
  return html`<fieldset aria-describedby=${fault ? `${name}-fault` : undefined}>
    <legend>${label}</legend>
    ${fault && html`<p class="fault" id=${`${name}-fault`} role="alert">${fault}</p>`}
    <div class="columns">${options.map(box)}</div>
  </fieldset>`;
}

/** Renders a label, an input, and the hint and fault that describe it. */
function labelled({ name, label, hint }: Field, faults: Faults, input: (aria: Record<string, string>) => Html): Html {
  const fault = faults[name];
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  const aria = { ...(described && { 'aria-describedby': described }), ...(fault && { 'aria-invalid': 'true' }) };
  return html`
    <label for=${name}>${label}</label>
    ${input(aria)} ${hint && html`<p class="hint" id=${`${name}-hint`}>${hint}</p>`}
    ${fault && html`<p class="fault" id=${`${name}-fault`} role="alert">${fault}</p>`}
  `;
}

/** Renders the fault of a form as a whole. */
export function formFault(fault: string | undefined): Html | undefined {
  return fault === undefined ? undefined : html`<p class="warning" role="alert">${fault}</p>`;
}

/** Renders the hidden fields of a form: its token, and its submission id if the form must act only once. */
export function hiddenFields(formToken: string, once?: string): Html {
  return html`
    <input type="hidden" name="form_token" value=${formToken} />
    ${once && html`<input type="hidden" name="once" value=${once} />`}
  `;
}

/** Renders the day of a time, or `none` if there is no time. */
export function renderDay(time: string | null, language: Language, none: string): Html | string {
  if (time === null) return none;
  const messages = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeZone: 'UTC',
  });
  return html`<time datetime=${time}>${messages.format(new Date(time))}</time>`;
}

const CUT: Record<Language, string> = {
  en: 'These are the first two hundred. The API lists all of them.',
  de: 'Das sind die ersten zweihundert. Die API listet alle auf.',
  fr: 'Ce sont les deux cents premiers. L’API les liste tous.',
};

/** Renders a hint that the page does not show the whole list. */
export function cutHint(isCut: boolean, language: Language): Html | false {
  return isCut && html`<p class="hint">${CUT[language]}</p>`;
}

/** Generates a one-time id for a form. */
export function newFormName(): string {
  return randomBytes(24).toString('base64url');
}
