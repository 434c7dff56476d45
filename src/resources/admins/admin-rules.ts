import { type Schemas, visibleText } from '../../contract/contract.ts';
import { ApiError } from '../../contract/errors.ts';
import type { NameFault, NameFaults } from '../../contract/person-operations.ts';
import { holdsWebAddress } from '../learners/shared/person-rules.ts';

/** How long a setup link works. */
export const SETUP_LINK_DAYS = 7;

export type RemovableAdmin = Pick<Schemas['Admin'], 'id' | 'status'>;

/**
 * Splits ids into those of admins and unknown ones, both in the order of the request.
 * @throws last_admin when the company would lose its last active admin
 */
export function judgeRemoval(
  targetIds: readonly string[],
  admins: readonly RemovableAdmin[],
): { deletedIds: string[]; skippedIds: string[] } {
  const requestedIds = new Set(targetIds);
  const active = admins.filter(({ status }) => status === 'active');
  if (active.length > 0 && active.every(({ id }) => requestedIds.has(id))) {
    throw new ApiError('last_admin', 'The company must keep an active admin.');
  }
  const existingIds = new Set(admins.map(({ id }) => id));
  return {
    deletedIds: targetIds.filter((id) => existingIds.has(id)),
    skippedIds: targetIds.filter((id) => !existingIds.has(id)),
  };
}

/** Whether a new address needs a new invite: the owner of the old mailbox must not be able to finish the setup. */
export function needsNewInvite(admin: Pick<Schemas['Admin'], 'status' | 'email'>, email: string | undefined): boolean {
  return admin.status === 'invited' && email !== undefined && email.toLowerCase() !== admin.email.toLowerCase();
}

export interface SetupNames {
  firstName: string;
  lastName: string;
}

const MAX_NAME_LENGTH = 200;

/** What is wrong with the names that an admin has typed. The rules are those of the contract. */
export function judgeNames({ firstName, lastName }: SetupNames): NameFaults {
  const faults: NameFaults = {};
  const [first, last] = [nameFault(firstName), nameFault(lastName)];
  if (first) faults.firstName = first;
  if (last) faults.lastName = last;
  return faults;
}

const VISIBLE = new RegExp(visibleText, 'u');

/** A form that is not UTF-8 is decoded with replacement characters, which no name has. */
function nameFault(name: string): NameFault | undefined {
  if (!/\S/.test(name)) return 'empty';
  // JSON Schema counts code points, so we do too.
  if ([...name].length > MAX_NAME_LENGTH) return 'too_long';
  if (!VISIBLE.test(name) || name.includes('\uFFFD') || !name.isWellFormed()) return 'not_text';
  return holdsWebAddress(name) ? 'web_address' : undefined;
}
