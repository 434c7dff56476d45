import type { Request, RequestHandler, Response } from 'express';
import { isFormToken, type Session } from '../../identity/person-sessions.ts';
import { ApiError } from '../../contract/errors.ts';
import { getForm, readForm } from '../body/form.ts';

/** A browser says where a request comes from: one that another site has begun is refused. */
export const requireOurSite: RequestHandler = (req, _res, next) => {
  next(isForeign(req) ? new ApiError('forbidden', 'The form did not come from this page.') : undefined);
};

function isForeign({ headers, host }: Request): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site !== 'same-origin';
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host);
}

/**
 * Lets a POST of somebody who is signed in through when it has the token of their session: in the field `form_token` of a
 * form, which is then read, or in the header `X-Form-Token` of what a script of ours sends, whose body is left unread.
 */
export function guardForms(getSession: (res: Response) => Session): RequestHandler {
  return (req, res, next) => {
    if (req.method !== 'POST') return next();
    const refuse = () => next(new ApiError('forbidden', 'The form is out of date.'));
    if (isForeign(req)) return refuse();
    const header = req.get('x-form-token');
    if (header !== undefined) return isFormToken(header, getSession(res)) ? next() : refuse();
    return readForm(req, res, (error?: unknown) => {
      if (error !== undefined) return next(error);
      return isFormToken(getForm(req).get('form_token') ?? '', getSession(res)) ? next() : refuse();
    });
  };
}
