import type { Caller } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { ApiError } from '../../../contract/errors.ts';

/** An admin who may say yes. */
export interface Approver {
  id: string;
  /** Since when nobody else can be behind the name. ISO 8601 in UTC with milliseconds, so that texts sort as times do. */
  knownSince: string;
  /** Whether an admin who has said yes already reads the same mailbox. */
  sharesMailbox: boolean;
}

/** How long nobody else can have been behind the name before the simulation is scheduled. */
export const KNOWN_HOURS = 24;

/** What decides whether there is something to say yes to. */
export interface Approvable {
  status: string;
  plan: Pick<Schemas['SimulationPlan'], 'needsApproval' | 'approvedBy' | 'scheduledAt'>;
}

/** Who says yes in the console. @throws admin_required for everybody else */
export function getApproverId({ actor }: Pick<Caller, 'actor'>): string {
  if (actor?.type === 'admin') return actor.id;
  throw adminRequired();
}

function adminRequired(): ApiError {
  return new ApiError('admin_required', 'Only an admin who is signed in to the console can approve a simulation.');
}

/**
 * Whether the yes is a new one.
 * @param admin undefined for one who is no active admin any more
 * @throws admin_required, approval_not_needed, admin_too_new for an admin whom the one who scheduled it could have made for this, or
 * admin_same_mailbox
 */
export function isNewApproval({ status, plan }: Approvable, admin: Approver | undefined): boolean {
  if (!admin) throw adminRequired();
  if (status !== 'scheduled') throw new ApiError('approval_not_needed', `The simulation is ${status}.`);
  if (!plan.needsApproval) throw new ApiError('approval_not_needed', 'The simulation needs no approval.');
  if (plan.approvedBy.includes(admin.id)) return false;
  const knownBefore = new Date(Date.parse(plan.scheduledAt!) - KNOWN_HOURS * 3_600_000).toISOString();
  if (admin.knownSince > knownBefore) {
    const message = `The admin was made, invited, activated or given another address less than ${KNOWN_HOURS} hours before it was scheduled.`;
    throw new ApiError('admin_too_new', message);
  }
  if (admin.sharesMailbox)
    throw new ApiError('admin_same_mailbox', 'An admin with the same mailbox has approved the simulation.');
  return true;
}
