import type { ApiError, ErrorCode } from '../../contract/errors.ts';
import type { Language } from '../../contract/languages.ts';
import { publicError } from '../../http/response/public-error.ts';
import { type FaultMessages, faultMessages } from './fault-messages.ts';
import type { Faults } from '../shared/parts/fields.ts';

/** The faults of a form that an operation rejected. */
export interface FormFaults {
  fields: Faults;
  /** The fault of the form as a whole; undefined if the faults are about fields. */
  whole: string | undefined;
}

/**
 * Converts the error of an operation to faults of the form, if the form can show it.
 * @param names the fields of the form
 * @param ownCodes the page's own texts for some codes
 * @throws {unknown} the given error, if the form cannot show it
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
  const atFault = new Set([FIELD_OF_CODE[code], ...details.flatMap(({ field }) => field.split('/').slice(1))]);
  const fieldNames = names.filter((name) => atFault.has(name));
  if (fieldNames.length === 0) return { fields: {}, whole: ofCode ?? messages.refused };
  const fields = fieldNames.map((name) => [name, ofCode ?? messages.fields[name] ?? messages.refused]);
  return { fields: Object.fromEntries(fields) as Faults, whole: undefined };
}

/** Field at which an error is shown if its code names no field. */
const FIELD_OF_CODE: Partial<Record<ErrorCode, string>> = { email_taken: 'email', email_domain_not_allowed: 'email' };

/**
 * Reports whether a form shows the error. Errors about sessions, paths, outages and confirmations are handled
 * elsewhere.
 */
function isForTheForm({ code, status }: ApiError): boolean {
  if (code === 'recent_sign_in_required') return false;
  return code === 'secrets_key_missing' || [400, 403, 429].includes(status);
}

/** Returns the status of the page that shows the form again. */
export function getFailureStatus(thrown: unknown): number {
  return publicError(thrown).status;
}

export const NO_FAULTS: FormFaults = { fields: {}, whole: undefined };
