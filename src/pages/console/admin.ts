import type { Response } from 'express';
import type { Caller } from '../../auth/caller.ts';
import { type PageContext, pageContextOf } from '../shared/page-context.ts';
import { contextOf } from '../../http/request-context.ts';

/** An admin who asks for a page of `/console`. */
export interface Admin extends PageContext {
  /** Runs operations of the contract: may what a key of the company without scopes may. */
  caller: Caller;
}

/** Who has asked for the page. Only pages behind the sign-in may call this. */
export function adminOf(res: Response): Admin {
  return { ...pageContextOf(res), caller: contextOf(res).caller! };
}
