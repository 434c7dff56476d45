import type { ErrorRequestHandler, Response } from 'express';
import { errors } from 'oidc-provider';
import type { ApiError } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import { publicError } from '../../web/public-error.ts';
import { failurePage, type Page } from './approval-page.ts';
import { approvalWords as words } from './approval-words.ts';

/** What ends a visit of the approval page with a page that says why. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

/** Answers a person: whatever was thrown becomes a page. */
export function failWithPage(logger: Logger): ErrorRequestHandler {
  // Express tells an error handler by its four parameters.
  return (thrown: unknown, _req, res, _next) => {
    if (res.headersSent) return void res.destroy();
    if (thrown instanceof Refusal) return sendPage(res, thrown.status, failurePage(thrown.status, thrown.message));
    // The library finds no approval, or no client any more.
    if (thrown instanceof errors.OIDCProviderError) return sendPage(res, 400, failurePage(400, words.over));
    const error = loggedError(logger, thrown);
    const sentence = error.code === 'rate_limited' ? words.tooMany : error.message;
    sendPage(res.set(error.headers), error.status, failurePage(error.status, sentence));
  };
}

/** Answers a program, in the shape of OAuth. */
export function failInOAuth(logger: Logger): ErrorRequestHandler {
  return (thrown: unknown, _req, res, _next) => {
    if (res.headersSent) return void res.destroy();
    const { code, message, status, headers } = loggedError(logger, thrown);
    res.status(status).set(headers).json({ error: code, error_description: message });
  };
}

function loggedError(logger: Logger, thrown: unknown): ApiError {
  const error = publicError(thrown);
  if (error.status >= 500) logger.error({ err: error.cause ?? error }, 'the authorization server failed');
  return error;
}

export function sendPage(res: Response, status: number, { headers, html }: Page): void {
  res.status(status).set(headers).send(html);
}
