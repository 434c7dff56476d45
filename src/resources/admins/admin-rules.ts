import { type Schemas, visibleText } from '../../contract/contract.ts';
import { ApiError } from '../../contract/errors.ts';
import type { NameFault, NameFaults } from '../../contract/person-operations.ts';
import { holdsWebAddress } from '../learners/shared/person-rules.ts';

export const SETUP_LINK_DAYS = 7;

export type RemovableAdmin = Pick<Schemas['Admin'], 'id' | 'status'>;

/**
 * Splits ids into those of existing admins and unknown ones, both in the order of the request.
 * @throws last_admin if the company would lose its last active admin
 */
export function judgeRemoval(
  targetIds: readonly string[],
  admins: readonly RemovableAdmin[],
): { deletedIds: string[]; skippedIds: string[] } {
  const requestedIds = new Set(targetIds);
  const active = admins.filter(({ status }) => status === 'active');
  if (active.length > 0 && active.every(({ id }) => requestedIds.has(id))) {
    throw new ApiError('last_admin', 'The company must keep at least one active admin; remove fewer admins.');
  }
  const existingIds = new Set(admins.map(({ id }) => id));
  return {
    deletedIds: targetIds.filter((id) => existingIds.has(id)),
    skippedIds: targetIds.filter((id) => !existingIds.has(id)),
  };
}

/** Reports whether a new address needs a new invite, so that the owner of the old mailbox cannot finish the setup. */
export function needsNewInvite(admin: Pick<Schemas['Admin'], 'status' | 'email'>, email: string | undefined): boolean {
  return admin.status === 'invited' && email !== undefined && email.toLowerCase() !== admin.email.toLowerCase();
}

export interface SetupNames {
  firstName: string;
  lastName: string;
}

const MAX_NAME_LENGTH = 200;

/** Returns the faults of the entered names, by the rules of the contract. */
export function judgeNames({ firstName, lastName }: SetupNames): NameFaults {
  const faults: NameFaults = {};
  const [first, last] = [nameFault(firstName), nameFault(lastName)];
  if (first) faults.firstName = first;
  if (last) faults.lastName = last;
  return faults;
}

const VISIBLE = new RegExp(visibleText, 'u');

/** Returns the fault of a name. Rejects replacement characters, to which a form that is not UTF-8 decodes. */
function nameFault(name: string): NameFault | undefined {
  if (!/\S/.test(name)) return 'empty';
  // Counts code points, as JSON Schema does.
  if ([...name].length > MAX_NAME_LENGTH) return 'too_long';
  if (!VISIBLE.test(name) || name.includes('\uFFFD') || !name.isWellFormed()) return 'not_text';
  return holdsWebAddress(name) ? 'web_address' : undefined;
}
