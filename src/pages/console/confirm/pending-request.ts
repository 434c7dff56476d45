import type { Request } from 'express';
import { invalidField } from '../../../contract/errors.ts';
import { getForm } from '../../../http/body/form.ts';

/** A request that must wait until the admin has confirmed who they are. */
export interface PendingRequest {
  method: 'GET' | 'POST';
  /** Path of a console page; for GET, with its query. */
  path: string;
  /** The fields of the form. */
  fields: [string, string][];
}

/** Path of a console page. No other URL can follow a confirmation. */
const PATH = /^\/console(\/[\w-]+)*\/?$/;
/** Prefix of the fields that the confirmation adds to a form. */
const OWN_FIELD = 'confirm_';

/** Returns the request that was rejected because it needs a confirmation. */
export function toPendingRequest(req: Request): PendingRequest {
  // The middleware for managed companies changes `url`, and thereby `path`.
  const { method, originalUrl } = req;
  const query = originalUrl.indexOf('?');
  const path = query === -1 ? originalUrl : originalUrl.slice(0, query);
  if (method === 'POST') return { method, path, fields: listFields(getForm(req)) };
  return { method: 'GET', path: query === -1 ? path : path + originalUrl.slice(query), fields: [] };
}

/** Reads the pending request from the hidden fields of a confirmation page. @throws {ApiError} `invalid_request` */
export function readPendingRequest(req: Request): PendingRequest {
  const form = getForm(req);
  const path = form.get('confirm_path') ?? '';
  const isPage = PATH.test(path.split('?')[0]!);
  if (!isPage) throw invalidField('body/confirm_path', 'must be the path of a page of the console');
  return { method: form.get('confirm_method') === 'GET' ? 'GET' : 'POST', path, fields: listFields(form) };
}

function listFields(form: URLSearchParams): [string, string][] {
  return [...form].filter(([name]) => name !== 'form_token' && !name.startsWith(OWN_FIELD));
}
