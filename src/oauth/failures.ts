import type { ErrorRequestHandler, Response } from 'express';
import { errors } from 'oidc-provider';
import type { ErrorCode } from '../contract/errors.ts';
import type { Logger } from '../observability/logger.ts';
import { toApiError } from '../http/response/error-response.ts';
import { failurePage, type Page } from './approval-page.ts';
import { approvalMessages as messages } from './approval-messages.ts';

/** Error that the approval page shows as a page with the reason. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

/** Sentences for people, in place of the API's. */
const SENTENCES: Partial<Record<ErrorCode, string>> = {
  rate_limited: messages.tooMany,
  unsupported_media_type: messages.unreadable,
  payload_too_large: messages.unreadable,
};

/** Responds to a person with a page, for any error. */
export function failWithPage(logger: Logger): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return (thrown: unknown, _req, res, _next) => {
    if (res.headersSent) return void res.destroy();
    if (thrown instanceof Refusal) return sendPage(res, thrown.status, failurePage(thrown.status, thrown.message));
    // The library no longer finds the approval, or the client.
    if (thrown instanceof errors.OIDCProviderError) return sendPage(res, 400, failurePage(400, messages.over));
    const error = toApiError(logger, res, thrown);
    if (error) sendPage(res, error.status, failurePage(error.status, SENTENCES[error.code] ?? error.message));
  };
}

/** Responds to a program with an OAuth error. */
export function failInOAuth(logger: Logger): ErrorRequestHandler {
  return (thrown: unknown, _req, res, _next) => {
    const error = toApiError(logger, res, thrown);
    if (!error) return void res.destroy();
    res.status(error.status).json({ error: error.code, error_description: error.message });
  };
}

export function sendPage(res: Response, status: number, { headers, html }: Page): void {
  res.status(status).set(headers).send(html);
}
