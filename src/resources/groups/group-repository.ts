import { v7 as uuidv7 } from 'uuid';
import type { Schemas } from '../../contract/contract.ts';
import { fullName } from '../../db/expressions.ts';
import { BY_ID } from '../../db/keyset.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { mutation, pagedQuery, type Parameters, query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { requireFound } from '../../contract/errors.ts';
import { countMembers } from '../../db/running-totals.ts';
import { type ChangesQuery, CHANGE_SAMPLES, changedIds } from '../events/log/changes.ts';

/** A group without its members, because there can be many. `memberState` changes with the members. */
export type GroupRow = Omit<Schemas['Group'], 'learnerIds'> & { memberState: string };

/** Builds the expression for a digest of the members of a group `g`. */
export const memberState = (p: Parameters<object>): Sql => sql`
  (select count(*) || '/' || coalesce(sum(uuid_hash_extended(gl.learner_id, 0)), 0) from group_learners gl
    where gl.company_id = ${p.companyId} and gl.group_id = g.id)`;

// NOTE: reads each manager by primary key. With a join, slightly outdated statistics would make Postgres read all
// learners.
const listItem = (p: Parameters<object>): Sql => sql`
  g.id, g.name,
  ${countMembers(p)} as "learnerCount",
  coalesce((
    select json_agg(json_build_object('id', m.id, 'name', ${fullName(sql`m`)}, 'email', m.email)
                    order by m.first_name, m.last_name, m.id)
      from group_managers gm
      cross join lateral (
        select m.id, m.first_name, m.last_name, m.email from learners m
         where m.company_id = ${p.companyId} and m.id = gm.learner_id and not m.inactive offset 0) as m
     where gm.company_id = ${p.companyId} and gm.group_id = g.id), '[]') as managers`;

export const listGroups = pagedQuery<object, Schemas['GroupListItem']>(
  'group_list',
  BY_ID,
  (p) => sql`select ${listItem(p)} from groups g where g.company_id = ${p.companyId}`,
);

// A change to a learner also changes the groups that list the learner as a manager.
const changedGroups = (p: Parameters<ChangesQuery>): Sql => sql`
  ${changedIds(p, 'group')}
  union
  select gm.group_id from (${changedIds(p, 'person')}) as person
   cross join lateral (
     select gm.group_id from group_managers gm
      where gm.company_id = ${p.companyId} and gm.learner_id = person.id offset 0) as gm`;

/** Lists groups that have changed. */
export const listChangedGroups = pagedQuery<ChangesQuery, Schemas['GroupListItem']>(
  'group_list_changed',
  BY_ID,
  (p) => sql`
    select ${listItem(p)} from (${changedGroups(p)}) as changed
     cross join lateral (
       select g.id, g.name from groups g where g.company_id = ${p.companyId} and g.id = changed.id offset 0) as g`,
  CHANGE_SAMPLES,
);

/** Lists changed groups that no longer exist. */
export const listRemovedGroups = query<ChangesQuery, { id: string }>(
  'group_list_removed',
  (p) => sql`
    select changed.id from (${changedIds(p, 'group')}) as changed
     where (select g.id from groups g where g.company_id = ${p.companyId} and g.id = changed.id limit 1) is null
     order by changed.id`,
  CHANGE_SAMPLES,
);

const byId = query<{ groupId: string }, GroupRow>(
  'group_by_id',
  (p) => sql`
    select ${listItem(p)}, g.created_at as "createdAt", g.updated_at as "updatedAt",
           ${memberState(p)} as "memberState"
      from groups g where g.company_id = ${p.companyId} and g.id = ${p.groupId}`,
);

/** @throws not_found */
export async function getGroup(tenant: TenantReader, groupId: string): Promise<GroupRow> {
  return requireFound(await tenant.queryOne(byId, { groupId }), 'group');
}

const insert = mutation<{ id: string; name: string }>('group_insert', (p, knex) =>
  knex('groups').insert({ company_id: p.companyId, id: p.id, name: p.name }),
);

/** Inserts a group. Returns its id. */
export async function insertGroup(tenant: TenantWriter, name: string): Promise<string> {
  const id = uuidv7();
  await tenant.mutate(insert, { id, name });
  return id;
}

/** Renames a group, unless the group already has this name. */
export const renameGroup = mutation<{ groupId: string; name: string }>(
  'group_rename',
  (p) => sql`
    update groups set name = ${p.name}, updated_at = now()
     where company_id = ${p.companyId} and id = ${p.groupId} and name <> ${p.name}`,
);

const remove = mutation<{ groupId: string }, { id: string }>('group_remove', (p, knex) =>
  knex('groups').where({ company_id: p.companyId, id: p.groupId }).delete().returning('id'),
);

/** Removes the group and its memberships; keeps its learners. @throws not_found */
export async function removeGroup(tenant: TenantWriter, groupId: string): Promise<void> {
  requireFound((await tenant.mutate(remove, { groupId }))[0], 'group');
}

const lock = mutation<{ groupIds: string[] }, { id: string }>(
  'group_lock',
  (p) => sql`
    select id from groups where company_id = ${p.companyId} and id = any(${p.groupIds}::uuid[])
     order by id for no key update`,
);

/**
 * Locks groups until the transaction ends, in the order of their ids, so that two calls with the same groups do not
 * deadlock. Returns the given ids that belong to groups of the company.
 */
export async function lockGroups(tenant: TenantWriter, groupIds: string[]): Promise<Set<string>> {
  return new Set((await tenant.mutate(lock, { groupIds })).map((row) => row.id));
}

/** Sets `updatedAt` of groups whose members or managers have changed. */
export const touchGroups = mutation<{ groupIds: string[] }>(
  'group_touch',
  (p) => sql`
    update groups set updated_at = now() where company_id = ${p.companyId} and id = any(${p.groupIds}::uuid[])`,
);
