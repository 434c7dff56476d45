import type { ErrorRequestHandler, Request, Response } from 'express';
import { ApiError, type ErrorCode, type FieldError } from '../../contract/errors.ts';
import type { Logger } from '../../observability/logger.ts';
import { publicError } from './public-error.ts';
import { formatValidationError } from '../validation-messages.ts';
import { getRequestContext, releaseBody } from '../request-context.ts';
import { ResponseAborted } from './response-aborted.ts';
import { sendJson } from './respond.ts';

const MAX_DETAILS = 100;
/** Failures of the 500s that tell the operator nothing new. */
const EXPECTED: ErrorCode[] = ['not_ready'];

/** Sends a failure in another form than JSON. Returns false, having sent nothing, if the client is not one for that form. */
export type SendFailure = (req: Request, res: Response, error: ApiError) => boolean;

/** Answers whatever was thrown in the shape that the contract gives to errors, or in another form for some clients. */
export function errorResponse(logger: Logger, sendOtherwise: SendFailure = () => false): ErrorRequestHandler {
  // Express tells an error handler by its four parameters.
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
 * The one place where whatever was thrown becomes what the client is told: it is logged where the operator must know,
 * and its headers are set. Undefined when the answer has begun, and the connection can only be broken.
 */
export function toApiError(logger: Logger, res: Response, thrown: unknown): ApiError | undefined {
  const { requestId, operationId } = getRequestContext(res);
  if (thrown instanceof ResponseAborted || res.headersSent) {
    logger.info({ requestId, operationId, reason: String((thrown as Error).cause ?? thrown) }, 'answer broke off');
    return undefined;
  }
  const error = translateValidationError(thrown) ?? publicError(thrown);
  for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
  return logFailure(logger, { requestId, operationId }, error);
}

/** Logs an error if it tells the operator something new. `about` says of which request or call it is. */
export function logFailure(logger: Logger, about: object, error: ApiError): ApiError {
  if (error.status >= 500 && !EXPECTED.includes(error.code)) {
    logger.error({ ...about, err: error.cause ?? error }, error.code);
  }
  return error;
}

/** What express-openapi-validator throws: a 400 with the fields as `/body/email`. The first error of a field is told. */
function translateValidationError(thrown: unknown): ApiError | undefined {
  const { status, errors } = thrown as { status?: unknown; errors?: unknown };
  if (status !== 400 || !Array.isArray(errors)) return undefined;
  const byField = new Map<string, FieldError>();
  for (const { path, message } of errors as { path: string; message: string }[]) {
    const field = path.replace(/^\//, '');
    if (!byField.has(field)) byField.set(field, { field, message: formatValidationError(field, message) });
  }
  const details = [...byField.values()];
  const message = details[0] ? `${details[0].field}: ${details[0].message}` : 'The request is invalid.';
  return new ApiError('invalid_request', message, { details });
}
