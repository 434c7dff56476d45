import { sql } from '../../db/sql.ts';
import { mutation, query } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';

interface LearnerId {
  learnerId: string;
}

interface GroupAndLearners {
  groupId: string;
  learnerIds: string[];
}

const add = mutation<GroupAndLearners, LearnerId>(
  'membership_add',
  (p) => sql`
    insert into group_learners (company_id, group_id, learner_id)
    select ${p.companyId}, ${p.groupId}, learner_id from unnest(${p.learnerIds}::uuid[]) as new (learner_id)
    on conflict do nothing returning learner_id as "learnerId"`,
);

/** Adds learners to the group. Returns the ids of those who were not members. */
export async function addLearners(tenant: TenantWriter, groupId: string, learnerIds: string[]): Promise<string[]> {
  return (await tenant.mutate(add, { groupId, learnerIds })).map((row) => row.learnerId);
}

const remove = mutation<GroupAndLearners, LearnerId>(
  'membership_remove',
  (p) => sql`
    delete from group_learners
     where company_id = ${p.companyId} and group_id = ${p.groupId} and learner_id = any(${p.learnerIds}::uuid[])
    returning learner_id as "learnerId"`,
);

/** Removes learners from the group. Returns the ids of those who were members. */
export async function removeLearners(tenant: TenantWriter, groupId: string, learnerIds: string[]): Promise<string[]> {
  return (await tenant.mutate(remove, { groupId, learnerIds })).map((row) => row.learnerId);
}

/** Lists the ids of all members of a group, in ascending order. */
export const listMemberIds = query<{ groupId: string }, LearnerId>('membership_of_group', (p, knex) =>
  knex('group_learners')
    .select({ learnerId: 'learner_id' })
    .where({ company_id: p.companyId, group_id: p.groupId })
    .orderBy('learner_id'),
);

const keepManagers = mutation<GroupAndLearners, LearnerId>(
  'manager_keep_only',
  (p) => sql`
    delete from group_managers
     where company_id = ${p.companyId} and group_id = ${p.groupId} and learner_id <> all(${p.learnerIds}::uuid[])
    returning learner_id as "learnerId"`,
);

const insertManagers = mutation<GroupAndLearners, LearnerId>(
  'manager_insert',
  (p) => sql`
    insert into group_managers (company_id, group_id, learner_id)
    select ${p.companyId}, ${p.groupId}, learner_id from unnest(${p.learnerIds}::uuid[]) as new (learner_id)
    on conflict do nothing returning learner_id as "learnerId"`,
);

/** Makes the learners the only managers of the group. Reports whether anything changed. */
export async function replaceManagers(tenant: TenantWriter, groupId: string, learnerIds: string[]): Promise<boolean> {
  const removed = await tenant.mutate(keepManagers, { groupId, learnerIds });
  const added = await tenant.mutate(insertManagers, { groupId, learnerIds });
  return removed.length + added.length > 0;
}

const removeManagersAmong = mutation<GroupAndLearners, LearnerId>(
  'manager_remove',
  (p) => sql`
    delete from group_managers
     where company_id = ${p.companyId} and group_id = ${p.groupId} and learner_id = any(${p.learnerIds}::uuid[])
    returning learner_id as "learnerId"`,
);

/** Removes managers from a group. With `toGroupId`, makes them managers of that group instead. */
export async function moveManagerRole(
  tenant: TenantWriter,
  learnerIds: string[],
  fromGroupId: string,
  toGroupId: string | undefined,
): Promise<void> {
  const managers = await tenant.mutate(removeManagersAmong, { groupId: fromGroupId, learnerIds });
  if (toGroupId === undefined || managers.length === 0) return;
  await tenant.mutate(insertManagers, { groupId: toGroupId, learnerIds: managers.map((row) => row.learnerId) });
}
