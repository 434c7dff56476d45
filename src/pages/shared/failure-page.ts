import type { ErrorRequestHandler } from 'express';
import type { ApiError } from '../../contract/errors.ts';
import type { Language } from '../../contract/languages.ts';
import type { Logger } from '../../observability/logger.ts';
import { failureOf } from '../../http/response/error-response.ts';
import { html } from '../../http/html/html.ts';
import type { SignInMessages } from './sign-in-messages.ts';
import type { SignInConfig } from './sign-in-config.ts';
import { sendPlainPage } from './person-page.ts';
import { languageAsked, currentUser } from './page-context.ts';

/** Answers whatever was thrown with a page that says what to do. */
export function answerWithPage(
  { home, words }: Pick<SignInConfig, 'home' | 'words'>,
  logger: Logger,
): ErrorRequestHandler {
  return (thrown: unknown, req, res, _next) => {
    const error = failureOf(logger, res, thrown);
    if (!error) return void res.destroy();
    const page = currentUser(res);
    const language: Language = page?.language ?? languageAsked(req);
    const { back, signIn } = words[language];
    const [title, text] = wordsOf(error, words[language], page !== undefined);
    const content = html`
      <p>${text}</p>
      <p><a class="button" href=${home}>${page ? back : signIn}</a></p>
    `;
    sendPlainPage(res, { status: error.status, language, title, content });
  };
}

function wordsOf({ status }: ApiError, words: SignInMessages, isIn: boolean): [string, string] {
  if (status === 401) return [words.signedOutTitle, words.signedOut];
  if (status === 403) return [words.staleTitle, words.stale];
  if (status === 404) return isIn ? [words.missingTitle, words.missing] : [words.linkTitle, words.link];
  if (status === 429) return [words.tooManyTitle, words.tooMany];
  return status >= 500 ? [words.unavailableTitle, words.unavailable] : [words.refusedTitle, words.refused];
}
