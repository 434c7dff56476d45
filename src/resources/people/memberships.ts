import { sql } from '../../db/sql.ts';
import { change } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';

interface Membership {
  groupId: string;
  learnerId: string;
}

const insertPairs = change<{ groupIds: string[]; learnerIds: string[] }>(
  'membership_insert',
  (p) => sql`
    insert into group_learners (company_id, group_id, learner_id)
    select ${p.companyId}, group_id, learner_id
      from unnest(${p.groupIds}::uuid[], ${p.learnerIds}::uuid[]) as new (group_id, learner_id)
    on conflict do nothing`,
);

/** Adds memberships. Learners and groups must exist. Memberships that exist already stay. */
export async function addMemberships(tenant: TenantWriter, memberships: readonly Membership[]): Promise<void> {
  if (memberships.length === 0) return;
  await tenant.run(insertPairs, {
    groupIds: memberships.map(({ groupId }) => groupId),
    learnerIds: memberships.map(({ learnerId }) => learnerId),
  });
}

const removeOthersOfLearner = change<{ learnerId: string; groupIds: readonly string[] }>(
  'membership_remove_others',
  (p) => sql`
    delete from group_learners
     where company_id = ${p.companyId} and learner_id = ${p.learnerId} and group_id <> all(${p.groupIds}::uuid[])`,
);

/** Replaces the groups of the learner. */
export async function replaceGroupsOfLearner(
  tenant: TenantWriter,
  learnerId: string,
  groupIds: readonly string[],
): Promise<void> {
  await tenant.run(removeOthersOfLearner, { learnerId, groupIds });
  await addMemberships(
    tenant,
    groupIds.map((groupId) => ({ groupId, learnerId })),
  );
}
