import type { Caller } from './auth/caller.ts';
import type { TenantAccess } from './auth/tenant-access.ts';
import { type KeyedOperationId, operations } from './contract.ts';
import type { TenantReader, TenantWriter } from './db/tenant.ts';
import { ApiError, notFound } from './errors.ts';
import { isId } from './ids.ts';
import type { Handlers } from './operations.ts';

/** Runs an operation for a caller with validated input. Every door to the service goes through this. */
export type Invoke = (
  operationId: KeyedOperationId,
  caller: Caller,
  input: Record<string, unknown>,
) => Promise<unknown>;

type AnyHandler = (input: never, tenant: TenantReader | TenantWriter, caller: Caller) => unknown;

/**
 * Enforces what the contract says of an operation beyond its schemas: the account kinds that have it, ids in the path,
 * the company it acts for and its modules.
 * @throws {ApiError} `forbidden` or `not_found`, and whatever the handler throws.
 */
export function createInvoke(access: TenantAccess, handlers: Handlers): Invoke {
  return async function invoke(operationId, caller, input) {
    const { accountKinds, pathIds, cluster, module } = operations[operationId];
    const handler = handlers[operationId] as AnyHandler;
    if (accountKinds && !(accountKinds as readonly string[]).includes(caller.accountType)) {
      throw new ApiError('forbidden', `This operation needs a key of kind ${accountKinds.join(' or ')}.`);
    }
    for (const name of pathIds) {
      if (!isId(input[name] as string)) throw notFound(thingOf(name));
    }
    const companyId = input.companyId as string | undefined;
    const tenant = cluster === 'read' ? await access.reader(caller, companyId, module) : access.writer(caller, module);
    return handler(input as never, tenant, caller);
  };
}

/** `policyTemplateId` -> `policy template` */
function thingOf(idName: string): string {
  return idName.slice(0, -'Id'.length).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
