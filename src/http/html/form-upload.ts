import type { RequestHandler, Response } from 'express';
import { isFormToken, type Session } from '../../identity/person-sessions.ts';
import type { PackageLimits } from '../../config/package-limits.ts';
import { ApiError } from '../../contract/errors.ts';
import { type UploadedForm, withUploadedForm } from '../body/upload-body.ts';
import { isForeign, outdatedForm } from './form-guard.ts';

/** Handles a form with a file. */
export type ActOnUpload = (
  req: Parameters<RequestHandler>[0],
  res: Response,
  form: UploadedForm | ApiError,
) => Promise<void>;

/**
 * Creates a request handler that reads a form with a file, whose token is checked as `guardForms` does. A file that is
 * too large is passed on as an error, so that the page can show its form again.
 */
export function readUploads(
  getSession: (res: Response) => Pick<Session, 'formToken'>,
  limits: PackageLimits,
): (act: ActOnUpload) => RequestHandler {
  return (act) => async (req, res) => {
    if (isForeign(req)) throw outdatedForm();
    let isRead = false;
    try {
      const work = async (form: UploadedForm) => {
        isRead = true;
        if (!isFormToken(form.fields.get('form_token') ?? '', getSession(res))) throw outdatedForm();
        await act(req, res, form);
      };
      await withUploadedForm(req, res, { limits, work });
    } catch (error) {
      if (isRead || !(error instanceof ApiError) || error.code !== 'payload_too_large') throw error;
      await act(req, res, error);
    }
  };
}
