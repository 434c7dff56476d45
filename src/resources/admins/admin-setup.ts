import type { AdminSetup } from '../../auth/setup-links.ts';
import { activateAdmin } from './admin-repository.ts';
import type { SetupNames } from './admin-rules.ts';

/** Finishes the setup that a link is for, which uses the link up. False when another request was faster. */
export function finishSetup({ tenant, adminId, tokenHash }: AdminSetup, names: SetupNames): Promise<boolean> {
  return activateAdmin(tenant, { adminId, tokenHash, ...names });
}
