import type { Response } from 'express';
import { type Caller, isPermitted } from '../../auth/caller.ts';
import { insufficientScope } from '../../contract/errors.ts';
import { type KeyedOperationId, operations } from '../../contract/contract.ts';
import { type PageContext, getPageContext } from '../shared/page-context.ts';

/** The signed-in admin of a console page. Its caller has the permissions of the admin's role. */
export type Admin = PageContext;

/** Returns the signed-in admin. Call it only in pages that require a sign-in. */
export const getAdmin: (res: Response) => Admin = getPageContext;

/** The part of a caller that decides which operations a page offers. */
type Permitted = Pick<Caller, 'scopes' | 'isManager' | 'childId'>;

/**
 * Reports whether the role of an admin permits an operation, so that a page offers it. An admin who is viewing a
 * managed company can only read it.
 */
export function canCall(caller: Permitted, operationId: KeyedOperationId): boolean {
  const isOpen = caller.childId === undefined || isReadOfChild(operationId);
  return isOpen && isPermitted(caller, operations[operationId]);
}

/** Reports whether an operation reads a company that the caller's company manages. */
export function isReadOfChild(operationId: KeyedOperationId): boolean {
  const { cluster, companyId } = operations[operationId];
  return cluster === 'read' && companyId;
}

/** Reports whether the role of an admin, and the modules and the kind of the company, permit an operation. */
export function isOffered(
  { caller, modules }: Pick<Admin, 'caller' | 'modules'>,
  operationId: KeyedOperationId,
): boolean {
  const { module, accountKinds } = operations[operationId];
  const isOfKind = !accountKinds || (accountKinds as readonly string[]).includes(caller.accountType);
  return isOfKind && canCall(caller, operationId) && (module === null || modules.includes(module));
}

/** Requires that the role of an admin permits the operation of a form. @throws {ApiError} `insufficient_scope` */
export function requireCall(caller: Permitted, operationId: KeyedOperationId): void {
  if (!canCall(caller, operationId)) throw insufficientScope(operations[operationId].scope!);
}
