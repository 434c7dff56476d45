import type { AccountType } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { ApiError, formatFieldError } from '../../../contract/errors.ts';

/** Accounts that can share templates, and can change their own templates with PATCH. */
export const MANAGING_ACCOUNT_TYPES: readonly AccountType[] = ['msp', 'distributor'];

export type Sharing = Pick<Schemas['CreatePolicyTemplateInput'], 'global' | 'companies'>;

/**
 * Checks whether a template can be shared. Sharing with nobody is always allowed.
 * @param managedIds child tenants of the account
 * @throws forbidden if the account cannot have children, or if a company is not its child
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
  const message = 'is not a company that yours manages';
  const details = foreign.map((position) => ({ field: `body/companies/${position}`, message }));
  throw new ApiError('forbidden', formatFieldError(details[0]!), { details });
}

/**
 * Returns the companies with which a call shares a template: the given companies (possibly none), otherwise all child
 * tenants or nobody. Returns undefined if the call has neither field; the sharing then does not change.
 */
export function decideSharing({ global, companies }: Sharing): { isGlobal: boolean; companies: string[] } | undefined {
  if (companies) return { isGlobal: false, companies };
  return global === undefined ? undefined : { isGlobal: global, companies: [] };
}
