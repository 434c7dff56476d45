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

/** Names that clients choose stand in fields and messages, and may be as long as a body. */
const MAX_FIELD_LENGTH = 200;
const MAX_MESSAGE_LENGTH = 1000;

/** A failure that the client is told about. Its message is client-safe; the cause is for the log alone. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  /** The fields at fault; empty when the fault lies in none. */
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

/** Why a body is refused. */
export interface Refusal {
  code: ErrorCode;
  message: string;
  /** The fields at fault, such as `email` or `groupIds/1`. */
  fields: readonly string[];
}

export function refusalError({ code, message, fields }: Refusal, cause?: unknown): ApiError {
  return new ApiError(code, message, { cause, details: fields.map((field) => ({ field: `body/${field}`, message })) });
}

/** A form of a page that is refused: what is wrong, by its field. */
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

/** A path id that names no row of the company. */
export function notFound(thing: string): ApiError {
  return new ApiError('not_found', `There is no such ${thing}.`);
}

/** The row that was looked for. @throws not_found when there is none. */
export function requireFound<T>(row: T | undefined, thing: string): T {
  if (row === undefined) throw notFound(thing);
  return row;
}

/** Ids in a body that name no row of the company, each with the place where it stands. */
export function unknownReferences(thing: string, fields: string[]): ApiError {
  const details = fields.map((field) => ({ field, message: `There is no such ${thing}.` }));
  return new ApiError('not_found', `There is no such ${thing}: ${fields.slice(0, 3).join(', ')}.`, { details });
}

/** @throws not_found naming the places of the ids that are not known, such as `body/groupIds/2`. */
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

/** What a key without a scope is told, in the words of RFC 6750. @param field where the request asks for it */
export function insufficientScope(scope: string, field = 'header/authorization'): ApiError {
  return new ApiError('insufficient_scope', `This needs a key with the scope ${scope}.`, {
    details: [{ field, message: `needs the scope ${scope}` }],
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}

/** A rule on one field that the schema cannot say. */
export function invalidField(field: string, message: string): ApiError {
  return new ApiError('invalid_request', `${cut(field, MAX_FIELD_LENGTH)}: ${message}`, {
    details: [{ field, message }],
  });
}
