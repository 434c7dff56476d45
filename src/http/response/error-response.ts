import type { ErrorRequestHandler, Request, Response } from 'express';
import { ApiError, type ErrorCode, type FieldError, formatFieldError } from '../../contract/errors.ts';
import type { Logger } from '../../observability/logger.ts';
import { publicError } from './public-error.ts';
import { formatValidationError } from '../../contract/validation-messages.ts';
import { getRequestContext, releaseBody } from '../request-context.ts';
import { ResponseAborted } from './response-aborted.ts';
import { sendJson } from './respond.ts';

const MAX_DETAILS = 100;
/** Codes with a 5xx status that are not logged, because the operator learns nothing new from them. */
const EXPECTED: ErrorCode[] = ['not_ready'];

/** Sends an error in a format other than JSON. Returns false, and sends nothing, if the client needs JSON. */
export type SendFailure = (req: Request, res: Response, error: ApiError) => boolean;

/**
 * Sends an error response for any thrown value, in the contract's format or as `sendOtherwise` does. If the response
 * has begun, breaks the connection.
 */
export function errorResponse(logger: Logger, sendOtherwise: SendFailure = () => false): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return (thrown: unknown, req, res, _next) => {
    releaseBody(req, res);
    const error = toApiError(logger, res, thrown);
    if (!error) return void res.destroy();
    if (sendOtherwise(req, res, error)) return;
    const { code, message, details } = error;
    sendJson(res, error.status, JSON.stringify({ error: { code, message, details: details.slice(0, MAX_DETAILS) } }));
  };
}

/**
 * Translates any thrown value to the error for the client. Logs it if the operator must know, and sets its headers.
 * Returns undefined if the response has begun or the client has disconnected: the caller must break the connection.
 */
export function toApiError(logger: Logger, res: Response, thrown: unknown): ApiError | undefined {
  const { requestId, operationId } = getRequestContext(res);
  if (thrown instanceof ResponseAborted || res.headersSent) {
    logger.info({ requestId, operationId, reason: String((thrown as Error).cause ?? thrown) }, 'response aborted');
    return undefined;
  }
  const error = translateValidationError(thrown) ?? publicError(thrown);
  for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
  return logFailure(logger, { requestId, operationId }, error);
}

/**
 * Logs an error that the operator does not know about yet, and returns it.
 * @param about log fields that identify the request or call
 */
export function logFailure(logger: Logger, about: object, error: ApiError): ApiError {
  if (error.status >= 500 && !EXPECTED.includes(error.code)) {
    logger.error({ ...about, err: error.cause ?? error }, error.code);
  }
  return error;
}

/**
 * Translates an error of express-openapi-validator, which names fields as `/body/email`. Keeps the first error per
 * field.
 */
function translateValidationError(thrown: unknown): ApiError | undefined {
  const { status, errors } = thrown as { status?: unknown; errors?: unknown };
  if (status !== 400 || !Array.isArray(errors)) return undefined;
  const byField = new Map<string, FieldError>();
  for (const { path, message } of errors as { path: string; message: string }[]) {
    const field = path.replace(/^\//, '');
    if (!byField.has(field)) byField.set(field, { field, message: formatValidationError(field, message) });
  }
  const details = [...byField.values()];
  const message = details[0] ? formatFieldError(details[0]) : 'The request is invalid.';
  return new ApiError('invalid_request', message, { details });
}
