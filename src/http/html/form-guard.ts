import type { Request, RequestHandler, Response } from 'express';
import { isFormToken, type Session } from '../../identity/person-sessions.ts';
import { ApiError } from '../../contract/errors.ts';
import { getForm, readForm as readSmallForm } from '../body/form.ts';

/** Rejects a request with 403 `forbidden` if the browser says that another site started it. */
export const requireOurSite: RequestHandler = (req, _res, next) => {
  next(
    isForeign(req)
      ? new ApiError('forbidden', 'The form was not sent from this page; open the page and send it from there.')
      : undefined,
  );
};

/** Reports whether the browser says that another site, or a URL that the user entered, started a request. */
export function isForeign({ headers, host }: Request): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site !== 'same-origin';
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host);
}

export function outdatedForm(): ApiError {
  return new ApiError('forbidden', 'The form is out of date; open the page again.');
}

/**
 * Rejects a POST of a signed-in person with 403 `forbidden` unless it carries the form token of their session. Forms
 * carry the token in the field `form_token`, so the body is read. Our scripts send the token in the header
 * `X-Form-Token`, and the body is left unread.
 */
export function guardForms(
  getSession: (res: Response) => Pick<Session, 'formToken'>,
  readForm = readSmallForm,
): RequestHandler {
  return (req, res, next) => {
    if (req.method !== 'POST') return next();
    const refuse = () => next(outdatedForm());
    if (isForeign(req)) return refuse();
    const header = req.get('x-form-token');
    if (header !== undefined) return isFormToken(header, getSession(res)) ? next() : refuse();
    return readForm(req, res, (error?: unknown) => {
      if (error !== undefined) return next(error);
      return isFormToken(getForm(req).get('form_token') ?? '', getSession(res)) ? next() : refuse();
    });
  };
}
