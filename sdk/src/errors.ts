import type { ErrorCode, FieldError } from './generated/schemas.ts';

/** The codes of the contract, and `unexpected_response` for a response that is not from the service. */
export type KnownErrorCode = ErrorCode | 'unexpected_response';

/** An error response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** A stable code to branch on. The service can return codes that this version of the package does not know. */
  readonly code: KnownErrorCode | (string & {});
  /** The HTTP status. */
  readonly status: number;
  /** The invalid fields; empty if the error is not about fields. */
  readonly details: readonly FieldError[];
  /** The id of the request in the service's log. */
  readonly requestId: string | null;
  /** The seconds to wait before a retry, from `Retry-After`; null if the response does not have that header. */
  readonly retryAfter: number | null;

  constructor(failure: Pick<ApiError, 'code' | 'message' | 'status' | 'details' | 'requestId' | 'retryAfter'>) {
    super(failure.message);
    this.code = failure.code;
    this.status = failure.status;
    this.details = failure.details;
    this.requestId = failure.requestId;
    this.retryAfter = failure.retryAfter;
  }
}

/**
 * Thrown if the response was missing or incomplete; `cause` has the reason. Whether the service has acted is unknown.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** Thrown if the response was not complete in time. Whether the service has acted is unknown. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** Reports whether an error is an `ApiError` and, if codes are given, has one of them. */
export function isApiError(error: unknown): error is ApiError;
export function isApiError<Code extends KnownErrorCode>(
  error: unknown,
  ...codes: [Code, ...Code[]]
): error is ApiError & { readonly code: Code };
export function isApiError(error: unknown, ...codes: string[]): boolean {
  return error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));
}
