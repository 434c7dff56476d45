// Reads of admins with the role manager, who see only their own people (resources/learners/shared/managed-learners.ts).
//
// The contract opens an operation to managers with `x-managers`, and the pipeline limits it in one of two ways:
//
// - `filter`: the operation has the filter `managerId`. The pipeline sets it to the manager's own learner, and excludes
//   inactive learners. The statements of the operation then select only these people.
// - `learner`: the operation has a learner in its path. Every statement of the call then also checks that the learner is
//   one of the manager's people (db/guarded-reader.ts).
//
// In every operation, a `learnerId` in the input is checked in the second way. Another admin's cursor does not widen a
// list, because the filter is not taken from the cursor. A call that asks for another company, another manager or
// inactive learners is rejected with 403, because an empty list would look like a correct result.
//
// An admin who is not an active learner manages nobody: lists are empty, and learners are not found.
import type { Caller } from '../auth/caller.ts';
import { ApiError, notFound } from '../contract/errors.ts';
import { isId } from '../db/ids.ts';
import { guardReader } from '../db/guarded-reader.ts';
import type { TenantReader } from '../db/tenant.ts';
import { findManagerId, managedLearner } from '../resources/learners/shared/managed-learners.ts';

type Input = Record<string, unknown>;

export interface LimitedRead {
  tenant: TenantReader;
  input: Input;
}

/**
 * Limits a read of a manager to their own people.
 * @param tenant a reader of the manager's own company
 * @throws {ApiError} `forbidden` for an input that requests other people; `not_found` for somebody else's learner
 */
export async function limitToOwnPeople(
  tenant: TenantReader,
  caller: Caller,
  { limit, input }: { limit: 'filter' | 'learner'; input: Input },
): Promise<LimitedRead> {
  const managerId = await findManagerId(tenant, caller.actor!.id);
  requireOwn(input, { companyId: caller.companyId, managerId });
  const limited = limit === 'filter' ? { ...input, managerId, inactive: false, includeInactive: false } : input;
  const { learnerId } = input;
  if (learnerId === undefined) {
    if (limit === 'learner') throw notFound('learner');
    return { tenant, input: limited };
  }
  if (typeof learnerId !== 'string' || !isId(learnerId)) throw notFound('learner');
  const named = { learnerId, managerId };
  if (!(await tenant.queryOne(managedLearner, named))) throw notFound('learner');
  return { tenant: guardReader(tenant, managedLearner, named), input: limited };
}

function requireOwn(input: Input, own: { companyId: string; managerId: string }): void {
  for (const [name, id] of Object.entries(own)) {
    const requested = input[name];
    if (requested !== undefined && (requested as string).toLowerCase() !== id)
      throw new ApiError('forbidden', `An admin with the role manager cannot choose another ${name}.`);
  }
  if (input.inactive === true || input.includeInactive === true)
    throw new ApiError('forbidden', 'An admin with the role manager reads only active learners.');
}
