import { sql } from '../../../db/sql.ts';
import { mutation, query } from '../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';

export interface Membership {
  groupId: string;
  learnerId: string;
}

// OFFSET 0 makes Postgres look up each learner by index. Otherwise, if it lacks statistics, Postgres would compare the
// list with every row of the company.
const ofLearners = query<{ learnerIds: string[] }, Membership>(
  'membership_of_learners',
  (p) => sql`
    select gl.group_id as "groupId", asked.learner_id as "learnerId"
      from unnest(${p.learnerIds}::uuid[]) as asked (learner_id)
     cross join lateral (
       select group_id from group_learners where company_id = ${p.companyId} and learner_id = asked.learner_id offset 0
     ) as gl`,
);

/** Returns the groups of learners. Leaves out learners without groups. */
export async function findGroupsOfLearners(
  tenant: TenantReader,
  learnerIds: string[],
): Promise<Map<string, Set<string>>> {
  const groups = new Map<string, Set<string>>();
  if (learnerIds.length === 0) return groups;
  for (const { groupId, learnerId } of await tenant.queryAll(ofLearners, { learnerIds })) {
    const existing = groups.get(learnerId);
    if (existing) existing.add(groupId);
    else groups.set(learnerId, new Set([groupId]));
  }
  return groups;
}

const insertPairs = mutation<{ groupIds: string[]; learnerIds: string[] }>(
  'membership_insert',
  (p) => sql`
    insert into group_learners (company_id, group_id, learner_id)
    select ${p.companyId}, group_id, learner_id
      from unnest(${p.groupIds}::uuid[], ${p.learnerIds}::uuid[]) as new (group_id, learner_id)
    on conflict do nothing`,
);

/** Adds memberships of existing learners and groups. Leaves existing memberships unchanged. */
export async function addMemberships(tenant: TenantWriter, memberships: readonly Membership[]): Promise<void> {
  if (memberships.length === 0) return;
  await tenant.mutate(insertPairs, toMembershipColumns(memberships));
}

// Finds each row by its key, as above, and deletes it by its `ctid`, because Postgres could choose a bad plan for a
// join with the table.
const removePairs = mutation<{ groupIds: string[]; learnerIds: string[] }>(
  'membership_remove_pairs',
  (p) => sql`
    delete from group_learners
     where company_id = ${p.companyId} and ctid = any(array(
       select gl.place from unnest(${p.groupIds}::uuid[], ${p.learnerIds}::uuid[]) as asked (group_id, learner_id)
        cross join lateral (
          select ctid as place from group_learners
           where company_id = ${p.companyId} and group_id = asked.group_id and learner_id = asked.learner_id offset 0
        ) as gl))`,
);

/** Removes memberships. Ignores memberships that do not exist. */
export async function removeMemberships(tenant: TenantWriter, memberships: readonly Membership[]): Promise<void> {
  if (memberships.length > 0) await tenant.mutate(removePairs, toMembershipColumns(memberships));
}

function toMembershipColumns(memberships: readonly Membership[]): { groupIds: string[]; learnerIds: string[] } {
  return {
    groupIds: memberships.map(({ groupId }) => groupId),
    learnerIds: memberships.map(({ learnerId }) => learnerId),
  };
}

const removeOthersOfLearner = mutation<{ learnerId: string; groupIds: readonly string[] }>(
  'membership_remove_others',
  (p) => sql`
    delete from group_learners
     where company_id = ${p.companyId} and learner_id = ${p.learnerId} and group_id <> all(${p.groupIds}::uuid[])`,
);

/** Replaces the groups of a learner. */
export async function replaceGroupsOfLearner(
  tenant: TenantWriter,
  learnerId: string,
  groupIds: readonly string[],
): Promise<void> {
  await tenant.mutate(removeOthersOfLearner, { learnerId, groupIds });
  await addMemberships(
    tenant,
    groupIds.map((groupId) => ({ groupId, learnerId })),
  );
}
