import type { ErrorCode, FieldError } from './generated/schemas.ts';

/** The codes of the contract, and `unexpected_response` for an answer that is not the service's. */
export type KnownErrorCode = ErrorCode | 'unexpected_response';

/** An answer that is a failure. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Stable, to branch on. The service may have codes that this version of the package does not know. */
  readonly code: KnownErrorCode | (string & {});
  /** The HTTP status. */
  readonly status: number;
  /** The fields at fault; empty when the fault lies in none. */
  readonly details: readonly FieldError[];
  /** The id of the request in the service's log. */
  readonly requestId: string | null;
  /** The seconds that the service asks to wait. */
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

/** There was no answer, or it broke off; `cause` says why. Whether the service has acted is unknown. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** The answer was not there in time. Whether the service has acted is unknown. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** Whether an error is an answer of the service; with codes, whether it has one of them. */
export function isApiError(error: unknown): error is ApiError;
export function isApiError<Code extends KnownErrorCode>(
  error: unknown,
  ...codes: [Code, ...Code[]]
): error is ApiError & { readonly code: Code };
export function isApiError(error: unknown, ...codes: string[]): boolean {
  return error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));
}
