import type { ErrorRequestHandler, Response } from 'express';
import type { ApiError } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import { failureOf } from '../../web/error-response.ts';
import { html } from '../../web/html.ts';
import { type AdminVisit, adminOf, languageAsked } from './admin.ts';
import { sendPlainPage } from './console-page.ts';
import { type ConsoleWords, consoleWords } from './console-words.ts';

/** Answers whatever was thrown with a page that says what to do. */
export function answerWithPage(logger: Logger): ErrorRequestHandler {
  return (thrown: unknown, req, res: Response, _next) => {
    const error = failureOf(logger, res, thrown);
    if (!error) return void res.destroy();
    const visit = adminOf(res) as AdminVisit | undefined;
    const language = visit?.language ?? languageAsked(req);
    const words = consoleWords[language];
    const [title, text] = wordsOf(error, words, visit !== undefined);
    const content = html`
      <p>${text}</p>
      <p><a class="button" href="/console">${visit ? words.back : words.signIn}</a></p>
    `;
    sendPlainPage(res, { status: error.status, language, title, content });
  };
}

function wordsOf({ status }: ApiError, words: ConsoleWords, isIn: boolean): [string, string] {
  if (status === 401) return [words.signedOutTitle, words.signedOut];
  if (status === 403) return [words.staleTitle, words.stale];
  if (status === 404) return isIn ? [words.missingTitle, words.missing] : [words.linkTitle, words.link];
  if (status === 429) return [words.tooManyTitle, words.tooMany];
  return status >= 500 ? [words.unavailableTitle, words.unavailable] : [words.refusedTitle, words.refused];
}
