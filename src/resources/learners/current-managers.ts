import type { TenantReader } from '../../db/tenant.ts';
import { findCurrentLearnerIds } from './shared/merged-learners.ts';
import { listManagerIds, type ManagerChange } from './learner-rules.ts';

/** Replaces managers who were merged into other learners with those learners. */
export async function withCurrentManagers<Change extends ManagerChange>(
  tenant: TenantReader,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const managerIds = listManagerIds(changes);
  if (managerIds.length === 0) return changes;
  const currentIds = await findCurrentLearnerIds(tenant, managerIds);
  if (currentIds.size === 0) return changes;
  return changes.map((change) => {
    const managerId = currentIds.get(change.managerId ?? '');
    return managerId === undefined ? change : { ...change, managerId };
  });
}
