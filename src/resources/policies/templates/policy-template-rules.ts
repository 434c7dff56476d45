import type { AccountType } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { ApiError } from '../../../contract/errors.ts';

/** The accounts that may share templates and may change their own by PATCH. */
export const MANAGING_ACCOUNT_TYPES: readonly AccountType[] = ['msp', 'distributor'];

export type Sharing = Pick<Schemas['CreatePolicyTemplateInput'], 'global' | 'companies'>;

/**
 * Checks who may share with whom. Sharing with nobody is always allowed.
 * @param managedIds the child tenants of the account
 * @throws forbidden for an account without children, and for a company that is not its child
 */
export function judgeSharing(
  { global = false, companies = [] }: Sharing,
  accountType: AccountType,
  managedIds: ReadonlySet<string>,
): void {
  if (!global && companies.length === 0) return;
  if (!MANAGING_ACCOUNT_TYPES.includes(accountType)) {
    throw new ApiError('forbidden', 'Only an MSP or a distributor can share templates with other companies.');
  }
  const foreign = [...companies.keys()].filter((position) => !managedIds.has(companies[position]!));
  if (foreign.length === 0) return;
  const message = 'This company is none of those that the key manages.';
  const details = foreign.map((position) => ({ field: `body/companies/${position}`, message }));
  throw new ApiError('forbidden', `${details[0]!.field}: ${message}`, { details });
}

/**
 * With whom a call shares a template: with the named companies, which may be none; otherwise with all child tenants or
 * with nobody. Undefined when the call says nothing: the sharing stays as it is.
 */
export function decideSharing({ global, companies }: Sharing): { isGlobal: boolean; companies: string[] } | undefined {
  if (companies) return { isGlobal: false, companies };
  return global === undefined ? undefined : { isGlobal: global, companies: [] };
}
