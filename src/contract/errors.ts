import type { components } from '../../generated/api-types.ts';

export type ErrorCode = components['schemas']['ErrorCode'];
export type FieldError = components['schemas']['FieldError'];

/** The status of every code of the contract. */
export const statusByCode = {
  invalid_request: 400,
  unsupported_media_type: 400,
  unauthorized: 401,
  forbidden: 403,
  insufficient_scope: 403,
  module_not_enabled: 403,
  not_found: 404,
  method_not_allowed: 405,
  length_required: 411,
  payload_too_large: 413,
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 502,
  breach_data_unavailable: 503,
  not_ready: 503,
  secrets_key_missing: 503,
  service_timeout: 504,
  webhook_endpoint_limit_reached: 400,
  webhook_redelivery_running: 400,
  email_taken: 400,
  email_provider_not_allowed: 400,
  email_domain_not_allowed: 400,
  domain_not_locked: 400,
  external_learner_id_taken: 400,
  learner_limit_reached: 403,
  group_name_taken: 400,
  external_course_id_taken: 400,
  course_in_use: 400,
  simulation_template_in_use: 400,
  admin_already_active: 400,
  last_admin: 400,
  no_draft: 400,
  invalid_file: 400,
  template_not_published: 400,
  api_key_not_active: 400,
  api_key_rotated: 400,
  api_key_limit_reached: 403,
  cursor_expired: 400,
  changed_meanwhile: 412,
  idempotency_key_reused: 400,
  simulations_off: 403,
  domain_not_proved: 403,
  simulation_not_draft: 400,
  simulation_ended: 400,
  approval_not_needed: 400,
  admin_required: 403,
  admin_too_new: 403,
  admin_same_mailbox: 403,
} as const satisfies Record<ErrorCode, number>;

/** Maximum lengths. Fields and messages can contain names that clients choose, as long as a body. */
const MAX_FIELD_LENGTH = 200;
const MAX_MESSAGE_LENGTH = 1000;

/** An error for the client. Its message is safe to send; its cause is only for the log. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  /** The fields at fault; empty if no field is. */
  readonly details: FieldError[];
  readonly headers: Record<string, string>;
  /** Advice for an AI client; undefined if the code says enough. */
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
    return statusByCode[this.code];
  }
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}

/** The reason why a body is rejected. */
export interface Refusal {
  code: ErrorCode;
  message: string;
  /** The fields at fault, such as `email` or `groupIds/1`. */
  fields: readonly string[];
}

export function refusalError({ code, message, fields }: Refusal, cause?: unknown): ApiError {
  return new ApiError(code, message, { cause, details: fields.map((field) => ({ field: `body/${field}`, message })) });
}

/** An error for an invalid form of a page, with its faults by field. */
export class RefusedForm extends ApiError {
  readonly faults: object;

  constructor(faults: object) {
    const details = Object.entries(faults).map(([field, fault]) => ({
      field: `body/${field}`,
      message: String(fault),
    }));
    super('invalid_request', 'The form is not complete.', { details });
    this.faults = faults;
  }
}

/** Creates the error for an id in the path that names no row of the company. */
export function notFound(thing: string): ApiError {
  return new ApiError('not_found', `There is no such ${thing}.`);
}

/** Returns the row. @throws {ApiError} `not_found` if it is undefined */
export function requireFound<T>(row: T | undefined, thing: string): T {
  if (row === undefined) throw notFound(thing);
  return row;
}

/** Creates the error for ids in a body that name no row of the company. @param fields the paths of the ids */
export function unknownReferences(thing: string, fields: string[]): ApiError {
  const details = fields.map((field) => ({ field, message: `There is no such ${thing}.` }));
  return new ApiError('not_found', `There is no such ${thing}: ${fields.slice(0, 3).join(', ')}.`, { details });
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
 * @param field the part of the request that needs it
 */
export function insufficientScope(scope: string, field = 'header/authorization'): ApiError {
  return new ApiError('insufficient_scope', `This needs a key with the scope ${scope}.`, {
    details: [{ field, message: `needs the scope ${scope}` }],
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}

/** Creates the error for a field that breaks a rule which the schema cannot express. */
export function invalidField(field: string, message: string): ApiError {
  return new ApiError('invalid_request', `${cut(field, MAX_FIELD_LENGTH)}: ${message}`, {
    details: [{ field, message }],
  });
}
