import type { Response } from 'express';
import { type PageContext, getPageContext } from '../shared/page-context.ts';

/** An admin who asks for a page of `/console`. Its caller may what a key of the company without scopes may. */
export type Admin = PageContext;

/** Who has asked for the page. Only pages behind the sign-in may call this. */
export const getAdmin: (res: Response) => Admin = getPageContext;
