import type { components } from '../../generated/api-types.ts';
import { type ErrorCode, errorCodes } from './error-codes.ts';

export type { ErrorCode };
export type FieldError = components['schemas']['FieldError'];

/** Maximum lengths in characters. Fields and messages can contain names that clients choose, as long as a body. */
const MAX_FIELD_LENGTH = 200;
const MAX_MESSAGE_LENGTH = 1000;

/** An error for the client. Its message is safe to send; its cause is only for the log. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  /** The fields at fault; empty if the error concerns no field. */
  readonly details: FieldError[];
  readonly headers: Record<string, string>;
  /** Advice for an AI client; undefined if the code needs no advice. */
  readonly advice: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: FieldError[]; headers?: Record<string, string>; advice?: string; cause?: unknown } = {},
  ) {
    super(cut(message, MAX_MESSAGE_LENGTH), { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.details = (options.details ?? []).map((detail) => {
      return { field: cut(detail.field, MAX_FIELD_LENGTH), message: cut(detail.message, MAX_MESSAGE_LENGTH) };
    });
    this.headers = options.headers ?? {};
    this.advice = options.advice;
  }

  get status(): number {
    return errorCodes[this.code].status;
  }
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}

/** Reason why a body is rejected. */
export interface Refusal {
  code: ErrorCode;
  message: string;
  /** The fields at fault, such as `email` or `groupIds/1`. */
  fields: readonly string[];
}

export function refusalError({ code, message, fields }: Refusal, cause?: unknown): ApiError {
  return new ApiError(code, message, { cause, details: fields.map((field) => ({ field: `body/${field}`, message })) });
}

/** An error for an invalid form on a page, with its faults by field. */
export class RefusedForm extends ApiError {
  readonly faults: object;

  constructor(faults: object) {
    const details = Object.entries(faults).map(([field, fault]) => ({
      field: `body/${field}`,
      message: String(fault),
    }));
    super('invalid_request', 'The form has missing or invalid fields.', { details });
    this.faults = faults;
  }
}

/** Creates the error for an id in the path that names no row of the company. */
export function notFound(thing: string): ApiError {
  return new ApiError('not_found', `${capitalize(thing)} not found.`);
}

/** Returns the row. @throws {ApiError} `not_found` if it is undefined */
export function requireFound<T>(row: T | undefined, thing: string): T {
  if (row === undefined) throw notFound(thing);
  return row;
}

/** Creates the error for ids in a body that name no row of the company. @param fields the paths of the ids */
export function unknownReferences(thing: string, fields: string[]): ApiError {
  const details = fields.map((field) => ({ field, message: `${capitalize(thing)} not found.` }));
  const named = fields.slice(0, 3).map((field) => `\`${field}\``);
  return new ApiError('not_found', `${capitalize(thing)} not found: ${named.join(', ')}.`, { details });
}

/** @throws {ApiError} `not_found` naming the paths of ids that do not exist, such as `body/groupIds/2` */
export function requireExisting(
  thing: string,
  ids: readonly string[],
  existing: ReadonlySet<string>,
  field: string,
): void {
  const unknown = [...ids.keys()].filter((position) => !existing.has(ids[position]!));
  if (unknown.length > 0)
    throw unknownReferences(
      thing,
      unknown.map((position) => `${field}/${position}`),
    );
}

/**
 * Creates the error for a missing scope, in the terms of RFC 6750.
 * @param field the part of the request that needs the scope
 */
export function insufficientScope(scope: string, field = 'header/authorization'): ApiError {
  return new ApiError('insufficient_scope', `This call needs a key with the scope ${scope}.`, {
    details: [{ field, message: `requires the scope ${scope}` }],
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}

/** Requires that a company has enabled modules. Null stands for none. @throws {ApiError} `module_not_enabled` */
export function requireModules(needed: readonly (string | null)[], enabled: readonly string[]): void {
  const module = needed.find((name) => name !== null && !enabled.includes(name));
  if (module === undefined) return;
  throw new ApiError(
    'module_not_enabled',
    `The company does not have the module ${module}; ask the operator to enable it.`,
  );
}

/** Creates the error for a field that breaks a rule which the schema cannot express. */
export function invalidField(field: string, message: string): ApiError {
  return new ApiError('invalid_request', formatFieldError({ field: cut(field, MAX_FIELD_LENGTH), message }), {
    details: [{ field, message }],
  });
}

/** Returns the fault of a field as a sentence: the field is the subject unless the message is already a sentence. */
export function formatFieldError({ field, message }: FieldError): string {
  return message.endsWith('.') ? message : `\`${field}\` ${message}.`;
}

function capitalize(thing: string): string {
  return `${thing.charAt(0).toUpperCase()}${thing.slice(1)}`;
}
