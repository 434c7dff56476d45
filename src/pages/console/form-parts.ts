import { randomBytes } from 'node:crypto';
import type { Language } from '../../contract/languages.ts';
import { type Html, html } from '../../http/html/html.ts';

/** Texts of the faults of a form, by field. */
export type Faults = Readonly<Record<string, string>>;

/** Values that a person entered in a form, by field. */
export type Typed = Readonly<Record<string, string>>;

interface Field {
  name: string;
  label: string;
  hint?: string;
  /** Further attributes of the input. */
  also?: Record<string, string | boolean>;
}

/** Renders an input with its label, hint and fault. */
export function textField({ name, label, hint, also = {} }: Field, typed: Typed, faults: Faults): Html {
  const fault = faults[name];
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  return html`
    <label for=${name}>${label}</label>
    <input
      id=${name}
      name=${name}
      value=${typed[name] ?? ''}
      aria-describedby=${described || undefined}
      aria-invalid=${fault ? 'true' : undefined}
      ...${also}
    />
    ${hint && html`<p class="hint" id=${`${name}-hint`}>${hint}</p>`}
    ${fault && html`<p class="fault" id=${`${name}-fault`} role="alert">${fault}</p>`}
  `;
}

/** Renders the fault of a form as a whole. */
export function formFault(fault: string | undefined): Html | undefined {
  return fault === undefined ? undefined : html`<p class="warning" role="alert">${fault}</p>`;
}

/** Renders the hidden fields of a form: its token, and its name if it must act only once. */
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

/** Renders a hint that the list is cut off. */
export function cutHint(isCut: boolean, language: Language): Html | false {
  return isCut && html`<p class="hint">${CUT[language]}</p>`;
}

/** Generates a unique name for a form. */
export function newFormName(): string {
  return randomBytes(24).toString('base64url');
}
