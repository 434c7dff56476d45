import type { ErrorRequestHandler } from 'express';
import type { ApiError } from '../../contract/errors.ts';
import type { Language } from '../../contract/languages.ts';
import type { Logger } from '../../observability/logger.ts';
import { toApiError } from '../../http/response/error-response.ts';
import { html } from '../../http/html/html.ts';
import type { SignInMessages } from './sign-in-messages.ts';
import type { SignInConfig } from './sign-in-config.ts';
import { sendPlainPage } from './person-page.ts';
import { languageAsked, currentUser } from './page-context.ts';

/** Converts any error to a page that says what to do. */
export function createPageErrorHandler(
  { home, messages }: Pick<SignInConfig, 'home' | 'messages'>,
  logger: Logger,
): ErrorRequestHandler {
  return (thrown: unknown, req, res, _next) => {
    const error = toApiError(logger, res, thrown);
    if (!error) return void res.destroy();
    const page = currentUser(res);
    const language: Language = page?.language ?? languageAsked(req);
    const { back, signIn } = messages[language];
    const [title, text] = messagesFor(error, messages[language], page !== undefined);
    const content = html`
      <p>${text}</p>
      <p><a class="button" href=${home}>${page ? back : signIn}</a></p>
    `;
    sendPlainPage(res, { status: error.status, language, title, content });
  };
}

function messagesFor({ code, status }: ApiError, messages: SignInMessages, isIn: boolean): [string, string] {
  if (code === 'insufficient_scope') return [messages.refusedTitle, messages.notPermitted];
  if (status === 401) return [messages.signedOutTitle, messages.signedOut];
  if (status === 403) return [messages.staleTitle, messages.stale];
  if (status === 404) return isIn ? [messages.missingTitle, messages.missing] : [messages.linkTitle, messages.link];
  if (status === 429) return [messages.tooManyTitle, messages.tooMany];
  return status >= 500 ? [messages.unavailableTitle, messages.unavailable] : [messages.refusedTitle, messages.refused];
}
