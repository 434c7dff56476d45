import type { Request, RequestHandler } from 'express';
import { ApiError } from '../../contract/errors.ts';
import { readText } from './body-text.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const MAX_FORM_BYTES = 8 * 1024;

/**
 * Creates a request handler that reads a form of at most `maxBytes`.
 * @throws {ApiError} `unsupported_media_type` for any other content type, and the errors of `readText`
 */
export function readFormUpTo(maxBytes: number): RequestHandler {
  return async (req, _res, next) => {
    if (!req.is(FORM_TYPE))
      throw new ApiError('unsupported_media_type', `The Content-Type of a form must be ${FORM_TYPE}.`);
    const text = await readText(req, maxBytes);
    if (text === undefined) return;
    req.body = new URLSearchParams(text);
    next();
  };
}

/** Reads a form that one of the service's pages sends. */
export const readForm = readFormUpTo(MAX_FORM_BYTES);

/** Returns the fields of a form that was read; empty if the body was left unread. */
export function getForm(req: Request): URLSearchParams {
  return (req.body as URLSearchParams | undefined) ?? new URLSearchParams();
}
