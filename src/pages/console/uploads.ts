import type { Router } from 'express';
import type { PackageLimits } from '../../config/package-limits.ts';
import { type ActOnUpload, readUploads } from '../../http/html/form-upload.ts';
import { requirePasskeyProof } from './confirm/confirm-routes.ts';
import { getSession } from '../shared/page-context.ts';

/** Adds a form with a file. The form is received before the usual guard of forms could read its body. */
export type AddUpload = (path: string, act: ActOnUpload) => void;

/** Creates the function that adds forms with a file to the pages of signed-in admins. */
export function createUploads(pages: Router, limits: PackageLimits): AddUpload {
  const toHandler = readUploads(getSession, limits);
  return (path, act) => void pages.post(path, requirePasskeyProof, toHandler(act));
}
