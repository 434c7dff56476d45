import type { Response } from 'express';
import { type Caller, isPermitted } from '../../auth/caller.ts';
import { insufficientScope } from '../../contract/errors.ts';
import { type KeyedOperationId, operations } from '../../contract/contract.ts';
import { type PageContext, getPageContext } from '../shared/page-context.ts';

/** The signed-in admin of a console page. Its caller has the permissions of the admin's role. */
export type Admin = PageContext;

/** Returns the signed-in admin. Call it only in pages that require a sign-in. */
export const getAdmin: (res: Response) => Admin = getPageContext;

/** Reports whether the role of an admin permits an operation, so that a page offers it. */
export function canCall(caller: Pick<Caller, 'scopes' | 'isManager'>, operationId: KeyedOperationId): boolean {
  return isPermitted(caller, operations[operationId]);
}

/** Reports whether the role of an admin and the modules of the company permit an operation. */
export function isOffered(
  { caller, modules }: Pick<Admin, 'caller' | 'modules'>,
  operationId: KeyedOperationId,
): boolean {
  const { module } = operations[operationId];
  return canCall(caller, operationId) && (module === null || modules.includes(module));
}

/** Requires that the role of an admin permits the operation of a form. @throws {ApiError} `insufficient_scope` */
export function requireCall(caller: Pick<Caller, 'scopes' | 'isManager'>, operationId: KeyedOperationId): void {
  if (!canCall(caller, operationId)) throw insufficientScope(operations[operationId].scope!);
}
