import type { components } from '../../generated/api-types.ts';

export type AccountType = components['schemas']['AccountType'];

/** Who calls: the company that owns the key, and nothing that the client said of itself. */
export interface Caller {
  readonly companyId: string;
  readonly accountType: AccountType;
  readonly keyId: string;
}
