import type { Caller } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { ApiError } from '../../../contract/errors.ts';

/** An admin who wants to approve a simulation. */
export interface Approver {
  id: string;
  /**
   * Time since when nobody else can have taken over the account, in ISO 8601 and UTC with milliseconds, so that times
   * sort as strings.
   */
  knownSince: string;
  /** Whether the admin has the same mailbox as an admin who has already approved. */
  sharesMailbox: boolean;
}

/** Minimum number of hours before the scheduling for which an approver's account must not have changed. */
export const MIN_KNOWN_HOURS = 24;

/** State of a simulation that decides whether it can be approved. */
export interface Approvable {
  status: string;
  plan: Pick<Schemas['SimulationPlan'], 'needsApproval' | 'approvedBy' | 'scheduledAt'>;
}

/** Returns the id of the calling admin. @throws admin_required for any other caller */
export function getApproverId({ actor }: Pick<Caller, 'actor'>): string {
  if (actor?.type === 'admin') return actor.id;
  throw adminRequired();
}

function adminRequired(): ApiError {
  return new ApiError('admin_required', 'Only an admin who is signed in to the console can approve a simulation.');
}

/**
 * Reports whether the admin's approval would be new.
 * @param admin undefined for an admin who is no longer active
 * @throws admin_required, approval_not_needed, admin_same_mailbox, or admin_too_new for an admin whom the scheduler
 *   could have created for this purpose
 */
export function isNewApproval({ status, plan }: Approvable, admin: Approver | undefined): boolean {
  if (!admin) throw adminRequired();
  if (status !== 'scheduled')
    throw new ApiError('approval_not_needed', `Only a scheduled simulation needs approval, but this one is ${status}.`);
  if (!plan.needsApproval) throw new ApiError('approval_not_needed', 'The simulation does not need approval.');
  if (plan.approvedBy.includes(admin.id)) return false;
  const knownBefore = new Date(Date.parse(plan.scheduledAt!) - MIN_KNOWN_HOURS * 3_600_000).toISOString();
  if (admin.knownSince > knownBefore) {
    const message = `The admin was created, invited, activated or given another address less than ${MIN_KNOWN_HOURS} hours before the simulation was scheduled; ask another admin.`;
    throw new ApiError('admin_too_new', message);
  }
  if (admin.sharesMailbox)
    throw new ApiError(
      'admin_same_mailbox',
      'An admin with the same mailbox has already approved the simulation; ask another admin.',
    );
  return true;
}
