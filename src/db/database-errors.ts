import { ApiError, type ErrorCode } from '../errors.ts';

/** What the client is told when a constraint refuses a row; repositories rely on these instead of asking first. */
const constraintErrors: Record<string, [ErrorCode, string]> = {
  learners_email: ['email_taken', 'Another learner of the company has this e-mail address.'],
  learners_external_learner_id: [
    'external_learner_id_taken',
    'Another learner of the company has this externalLearnerId.',
  ],
  learner_limit: ['learner_limit_reached', 'The plan has no room for more active learners.'],
  groups_name: ['group_name_taken', 'Another group of the company has this name.'],
};

const AWAY = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN', 'EHOSTUNREACH']);
/** Messages that node-postgres gives to errors of its own, which have no code. */
const AWAY_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered|was closed))/;
/** Classes of SQLSTATE: connection exception, operator intervention, insufficient resources, and rolled back to retry. */
const AWAY_STATE = /^(08|57P|53|40)/;

/** Turns what the database or its driver throws into what the client may know, or returns undefined. */
export function translateDatabaseError(error: unknown): ApiError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, constraint } = error as { code?: string; constraint?: string };
  const known = constraint === undefined ? undefined : constraintErrors[constraint];
  if (known) return new ApiError(known[0], known[1], { cause: error });
  // 57014: a statement that ran too long was cancelled.
  if (code === '57014') {
    return new ApiError('service_timeout', 'The service took too long to answer.', { cause: error });
  }
  if ((code && (AWAY.has(code) || AWAY_STATE.test(code))) || AWAY_MESSAGE.test(error.message)) {
    return new ApiError('service_unavailable', 'The service is temporarily unavailable.', { cause: error });
  }
  return undefined;
}
