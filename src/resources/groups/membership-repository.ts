import { statement } from '../../db/statement.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';

export interface Membership {
  groupId: string;
  learnerId: string;
}

const insertPairs = statement<{ groupIds: string[]; learnerIds: string[] }, object>('membership_insert', (sql, param) =>
  sql.raw(
    `insert into group_learners (company_id, group_id, learner_id)
     select ?, group_id, learner_id from unnest(?::uuid[], ?::uuid[]) as new (group_id, learner_id)
     on conflict do nothing`,
    [param('companyId'), param('groupIds'), param('learnerIds')],
  ),
);

/** Adds memberships of learners and groups that exist; those that are there already stay. */
export async function addMemberships(tenant: TenantWriter, memberships: readonly Membership[]): Promise<void> {
  if (memberships.length === 0) return;
  await tenant.run(insertPairs, {
    groupIds: memberships.map(({ groupId }) => groupId),
    learnerIds: memberships.map(({ learnerId }) => learnerId),
  });
}

const removeAllOfLearner = statement<{ learnerId: string }, object>('membership_remove_all', (sql, param) =>
  sql('group_learners')
    .where({ company_id: param('companyId'), learner_id: param('learnerId') })
    .delete(),
);

/** Makes the groups the only ones of the learner. */
export async function replaceGroupsOfLearner(
  tenant: TenantWriter,
  learnerId: string,
  groupIds: readonly string[],
): Promise<void> {
  await tenant.run(removeAllOfLearner, { learnerId });
  await addMemberships(
    tenant,
    groupIds.map((groupId) => ({ groupId, learnerId })),
  );
}

interface GroupAndLearners {
  groupId: string;
  learnerIds: string[];
}

const add = statement<GroupAndLearners, { learner_id: string }>('membership_add', (sql, param) =>
  sql.raw(
    `insert into group_learners (company_id, group_id, learner_id)
     select ?, ?, learner_id from unnest(?::uuid[]) as new (learner_id)
     on conflict do nothing returning learner_id`,
    [param('companyId'), param('groupId'), param('learnerIds')],
  ),
);

/** Puts learners of the company into the group; returns the ids of those that were not in it before. */
export async function addLearners(tenant: TenantWriter, groupId: string, learnerIds: string[]): Promise<string[]> {
  return (await tenant.run(add, { groupId, learnerIds })).map((row) => row.learner_id);
}

const remove = statement<GroupAndLearners, { learner_id: string }>('membership_remove', (sql, param) =>
  sql('group_learners')
    .where({ company_id: param('companyId'), group_id: param('groupId') })
    .where(sql.raw('learner_id = any(?::uuid[])', [param('learnerIds')]))
    .delete()
    .returning('learner_id'),
);

/** Returns the ids of the learners that were in the group. */
export async function removeLearners(tenant: TenantWriter, groupId: string, learnerIds: string[]): Promise<string[]> {
  return (await tenant.run(remove, { groupId, learnerIds })).map((row) => row.learner_id);
}

const members = statement<{ groupId: string }, { learner_id: string }>('membership_of_group', (sql, param) =>
  sql('group_learners')
    .select('learner_id')
    .where({ company_id: param('companyId'), group_id: param('groupId') })
    .orderBy('learner_id'),
);

/** The ids of all members, ordered. */
export function listMemberIds(tenant: TenantReader, groupId: string): Rows<string> {
  return tenant.rows(members, { groupId }).map((row) => row.learner_id);
}

/** The same at once, to act on. */
export async function findMemberIds(tenant: TenantReader, groupId: string): Promise<string[]> {
  return (await tenant.all(members, { groupId })).map((row) => row.learner_id);
}

const keepManagers = statement<GroupAndLearners, { learner_id: string }>('manager_keep_only', (sql, param) =>
  sql('group_managers')
    .where({ company_id: param('companyId'), group_id: param('groupId') })
    .where(sql.raw('learner_id <> all(?::uuid[])', [param('learnerIds')]))
    .delete()
    .returning('learner_id'),
);

const insertManagers = statement<GroupAndLearners, { learner_id: string }>('manager_insert', (sql, param) =>
  sql.raw(
    `insert into group_managers (company_id, group_id, learner_id)
     select ?, ?, learner_id from unnest(?::uuid[]) as new (learner_id)
     on conflict do nothing returning learner_id`,
    [param('companyId'), param('groupId'), param('learnerIds')],
  ),
);

/** Makes the learners, all of the company, the only managers of the group. Returns whether that changed anything. */
export async function replaceManagers(tenant: TenantWriter, groupId: string, learnerIds: string[]): Promise<boolean> {
  const removed = await tenant.run(keepManagers, { groupId, learnerIds });
  const added = await tenant.run(insertManagers, { groupId, learnerIds });
  return removed.length + added.length > 0;
}

const removeManagersAmong = statement<GroupAndLearners, { learner_id: string }>('manager_remove', (sql, param) =>
  sql('group_managers')
    .where({ company_id: param('companyId'), group_id: param('groupId') })
    .where(sql.raw('learner_id = any(?::uuid[])', [param('learnerIds')]))
    .delete()
    .returning('learner_id'),
);

/** Takes the manager role of one group from the learners, and gives it to them in the other when it is named. */
export async function moveManagerRole(
  tenant: TenantWriter,
  learnerIds: string[],
  fromGroupId: string,
  toGroupId: string | undefined,
): Promise<void> {
  const managers = await tenant.run(removeManagersAmong, { groupId: fromGroupId, learnerIds });
  if (toGroupId === undefined || managers.length === 0) return;
  await tenant.run(insertManagers, { groupId: toGroupId, learnerIds: managers.map((row) => row.learner_id) });
}
