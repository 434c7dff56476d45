import { translateDatabaseError } from '../../db/database-errors.ts';
import { ApiError } from '../../contract/errors.ts';

/** Translates any thrown value to the error that a client sees, on every transport. */
export function publicError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  // Express rejects a malformed path with a URIError.
  if (thrown instanceof URIError || (thrown instanceof Error && thrown.cause instanceof URIError)) {
    return new ApiError('not_found', 'Path not found; its percent-encoding is invalid.');
  }
  return (
    translateDatabaseError(thrown) ??
    new ApiError('internal_error', 'The service failed to handle the request; report it to the operator.', {
      cause: thrown,
    })
  );
}
