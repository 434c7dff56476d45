import type { Caller } from '../../auth/caller.ts';
import type { Schemas } from '../../contract.ts';
import { ApiError } from '../../errors.ts';

/** An admin who may say yes. */
export interface Approver {
  id: string;
  /** Since when nobody else can be behind the name. ISO 8601 in UTC with milliseconds, so that texts sort as times do. */
  knownSince: string;
}

/** What decides whether there is something to say yes to. */
export interface Approvable {
  status: string;
  plan: Pick<Schemas['SimulationPlan'], 'needsApproval' | 'approvedBy' | 'scheduledAt'>;
}

/** Who says yes in the console. @throws admin_required for everybody else */
export function approverOf({ actor }: Pick<Caller, 'actor'>): string {
  if (actor?.type === 'admin') return actor.id;
  throw adminRequired();
}

function adminRequired(): ApiError {
  return new ApiError('admin_required', 'Only an admin who is signed in to the console can approve a simulation.');
}

/**
 * Whether the yes is a new one.
 * @param admin undefined for one who is no active admin any more
 * @throws admin_required, approval_not_needed, or admin_too_new for an admin whom the one who scheduled it could have made for this
 */
export function isNewApproval({ status, plan }: Approvable, admin: Approver | undefined): boolean {
  if (!admin) throw adminRequired();
  if (status !== 'scheduled') throw new ApiError('approval_not_needed', `The simulation is ${status}.`);
  if (!plan.needsApproval) throw new ApiError('approval_not_needed', 'The simulation needs no approval.');
  if (plan.approvedBy.includes(admin.id)) return false;
  if (admin.knownSince <= plan.scheduledAt!) return true;
  throw new ApiError('admin_too_new', 'The admin was made, invited or given another address after it was scheduled.');
}
