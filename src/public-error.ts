import { translateDatabaseError } from './db/database-errors.ts';
import { ApiError } from './errors.ts';

/** What a client is told of whatever was thrown, through whichever door it came. */
export function publicError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return (
    translateDatabaseError(thrown) ??
    new ApiError('internal_error', 'Something went wrong on our side.', { cause: thrown })
  );
}
