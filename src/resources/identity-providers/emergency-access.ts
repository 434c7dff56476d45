import type { Caller } from '../../auth/caller.ts';
import type { ChangeHandler } from '../../contract/contract.ts';
import { ApiError } from '../../contract/errors.ts';
import { sql } from '../../db/sql.ts';
import { mutation } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { lockProviders } from './identity-provider-repository.ts';

interface EmergencyAccess {
  id: string;
  /** Whether admins can sign in only with an identity provider. */
  isNeeded: boolean;
  /** Whether an active owner can sign in without an identity provider. */
  exists: boolean;
}

const find = mutation<object, EmergencyAccess>(
  'emergency_access_find',
  (p) => sql`
    select c.id,
           exists (select from identity_providers i where i.company_id = ${p.companyId} and i.admins = 'required') as "isNeeded",
           exists (select from admins a join passkeys k on k.company_id = ${p.companyId} and k.admin_id = a.id and k.expires_at is null
                    where a.company_id = ${p.companyId} and a.status = 'active' and a.role = 'owner'
                      and a.emergency_access) as exists
      from companies c where c.id = ${p.companyId}`,
);

/** Finds the emergency access of a company. No other transaction can change it until this one ends. */
async function lockEmergencyAccess(tx: TenantWriter): Promise<EmergencyAccess> {
  await lockProviders(tx);
  return (await tx.mutate(find, {}))[0]!;
}

/** Requires that an active owner can sign in without an identity provider. @throws emergency_access_missing */
export async function requireEmergencyAccess(tx: TenantWriter): Promise<void> {
  if (!(await lockEmergencyAccess(tx)).exists) throw emergencyAccessMissing();
}

/**
 * Wraps an operation on admins or their passkeys. Rejects it if it would end the last emergency access that the company
 * needs. A company that has already lost it is not restricted.
 * @throws emergency_access_missing
 */
export function keepsEmergencyAccess<Input, Result>(handler: ChangeHandler<Input, Result>) {
  return (input: Input, tenant: TenantWriter, caller: Caller): Promise<Result> =>
    tenant.transaction(async (tx) => {
      const before = await lockEmergencyAccess(tx);
      const result = await handler(input, tx, caller);
      if (before.isNeeded && before.exists && !(await tx.mutate(find, {}))[0]!.exists) throw emergencyAccessMissing();
      return result;
    });
}

function emergencyAccessMissing(): ApiError {
  return new ApiError(
    'emergency_access_missing',
    'Nobody could sign in without the identity provider; set `emergencyAccess` for an active owner with a passkey first.',
  );
}
