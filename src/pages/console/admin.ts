import type { Response } from 'express';
import { type PageContext, getPageContext } from '../shared/page-context.ts';

/** The signed-in admin of a console page. Its caller has the permissions of a key without scopes. */
export type Admin = PageContext;

/** Returns the signed-in admin. Call it only in pages that require a sign-in. */
export const getAdmin: (res: Response) => Admin = getPageContext;
