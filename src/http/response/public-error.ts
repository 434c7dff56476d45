import { translateDatabaseError } from '../../db/database-errors.ts';
import { ApiError } from '../../contract/errors.ts';

/** What a client is told of whatever was thrown, over whichever transport it came. */
export function publicError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  // Express's refusal of a malformed path.
  if (thrown instanceof URIError || (thrown instanceof Error && thrown.cause instanceof URIError)) {
    return new ApiError('not_found', 'There is no such path.');
  }
  return (
    translateDatabaseError(thrown) ??
    new ApiError('internal_error', 'Something went wrong on our side.', { cause: thrown })
  );
}
