import type { ApiError, ErrorCode } from '../../contract/errors.ts';
import type { Language } from '../../contract/languages.ts';
import { publicError } from '../../http/response/public-error.ts';
import { type FaultMessages, faultMessages } from './fault-messages.ts';
import type { Faults } from './form-parts.ts';

/** What a form is told that an operation has refused. */
export interface FormFaults {
  fields: Faults;
  /** What is not about one of the fields. */
  whole: string | undefined;
}

/**
 * The refusal of an operation in words for the form that asked for it, as far as the form can do something about it.
 * @param names the fields of the form
 * @param ownCodes what the page itself says of some codes
 * @throws {unknown} what was thrown, when it is no such refusal
 */
export function toFormFaults(
  thrown: unknown,
  names: readonly string[],
  language: Language,
  ownCodes: FaultMessages['codes'] = {},
): FormFaults {
  const error = publicError(thrown);
  if (!isForTheForm(error)) throw thrown;
  const messages = faultMessages[language];
  const { code, details } = error;
  const ofCode = ownCodes[code] ?? messages.codes[code];
  const atFault = new Set([FIELD_OF_CODE[code], ...details.map(({ field }) => field.split('/')[1])]);
  const fieldNames = names.filter((name) => atFault.has(name));
  if (fieldNames.length === 0) return { fields: {}, whole: ofCode ?? messages.refused };
  const fields = fieldNames.map((name) => [name, ofCode ?? messages.fields[name] ?? messages.refused]);
  return { fields: Object.fromEntries(fields) as Faults, whole: undefined };
}

/** What a refusal is about that names no field. */
const FIELD_OF_CODE: Partial<Record<ErrorCode, string>> = { email_taken: 'email', email_domain_not_allowed: 'email' };

/** What a session, an address or an outage is refused is answered by the sign-in. */
function isForTheForm({ code, status }: ApiError): boolean {
  return code === 'secrets_key_missing' || [400, 403, 429].includes(status);
}

/** The status of the page that shows a form again. */
export function getFailureStatus(thrown: unknown): number {
  return publicError(thrown).status;
}

export const NO_FAULTS: FormFaults = { fields: {}, whole: undefined };
