import type { Response } from 'express';
import type { Caller } from '../../auth/caller.ts';
import { type Visitor, visitorOf } from '../shared/visitor.ts';
import { contextOf } from '../../http/request-context.ts';

/** An admin who asks for a page of `/console`. */
export interface Admin extends Visitor {
  /** Runs operations of the contract: may what a key of the company without scopes may. */
  caller: Caller;
}

/** Who has asked for the page. Only pages behind the sign-in may call this. */
export function adminOf(res: Response): Admin {
  return { ...visitorOf(res), caller: contextOf(res).caller! };
}
