import { type Sql, sql } from '../../db/sql.ts';
import { mutation, type Parameters, query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { requireFound } from '../../contract/errors.ts';
import { memberState } from '../groups/group-repository.ts';

/** A group as a directory sees it, without its members. */
export interface DirectoryGroup {
  id: string;
  displayName: string;
  externalId: string | null;
  createdAt: string;
  updatedAt: string;
  /** Digest of the members. A change to a learner can change the members without changing `updatedAt`. */
  memberState: string;
}

const GROUP = (p: Parameters<object>): Sql => sql`
  g.id, g.name as "displayName", d.external_id as "externalId", g.created_at as "createdAt", g.updated_at as "updatedAt",
  ${memberState(p)} as "memberState"`;

const LINK = (p: Parameters<object>): Sql => sql`
  left join lateral (
    select d.external_id from directory_groups d
     where d.company_id = ${p.companyId} and d.group_id = g.id offset 0) as d on true`;

const byId = query<{ groupId: string }, DirectoryGroup>(
  'directory_group_by_id',
  (p) => sql`select ${GROUP(p)} from groups g ${LINK(p)} where g.company_id = ${p.companyId} and g.id = ${p.groupId}`,
);

/** @throws not_found */
export async function getGroup(tenant: TenantReader, groupId: string): Promise<DirectoryGroup> {
  return requireFound(await tenant.queryOne(byId, { groupId }), 'group');
}

/** Conditions on groups; null if there is none. */
export interface GroupSelection {
  id: string | null;
  displayName: string | null;
  externalId: string | null;
  memberId: string | null;
}

// There are far fewer groups than learners, so groups are read in the order of their ids. `upper` does no harm here,
// because with row-level security Postgres cannot search an index for `lower(name)` anyway.
const SELECTED = (p: Parameters<GroupSelection>): Sql => sql`
  from groups g ${LINK(p)}
 where g.company_id = ${p.companyId} and (${p.id}::uuid is null or g.id = ${p.id})
   and (${p.displayName}::text is null or upper(g.name) = upper(${p.displayName}::text))
   and (${p.externalId}::text is null or d.external_id = ${p.externalId})
   and (${p.memberId}::uuid is null or exists (
     select from group_learners gl
      where gl.company_id = ${p.companyId} and gl.group_id = g.id and gl.learner_id = ${p.memberId}))`;

const page = query<GroupSelection & { offset: number; limit: number }, DirectoryGroup>(
  'directory_group_page',
  (p) => sql`
    select ${GROUP(p)} ${SELECTED(p)} order by g.id offset ${p.offset}::bigint limit ${p.limit}::integer`,
);

const count = query<GroupSelection, { count: number }>(
  'directory_group_count',
  (p) => sql`select count(*)::integer as count ${SELECTED(p)}`,
);

/** Returns a page of the selected groups, ordered by id, and the total number of selected groups. */
export async function listGroups(
  tenant: TenantReader,
  { offset, limit, ...selection }: GroupSelection & { offset: number; limit: number },
): Promise<{ groups: DirectoryGroup[]; total: number }> {
  const { count: total } = (await tenant.queryOne(count, selection))!;
  const groups = limit === 0 || offset >= total ? [] : await tenant.queryAll(page, { ...selection, offset, limit });
  return { groups, total };
}

/** Counts the members of each group, up to `max`. */
export const countMembers = query<{ groupIds: string[]; max: number }, { groupId: string; count: number }>(
  'directory_member_counts',
  (p) => sql`
    select g.id as "groupId",
           (select count(*)::integer from (
              select from group_learners gl where gl.company_id = ${p.companyId} and gl.group_id = g.id
               limit ${p.max}::integer) as counted) as count
      from groups g where g.company_id = ${p.companyId} and g.id = any(${p.groupIds}::uuid[])`,
);

/** Lists the ids of the members of each group, in ascending order. */
export const listMembers = query<{ groupIds: string[] }, { groupId: string; memberIds: string[] }>(
  'directory_members',
  (p) => sql`
    select g.id as "groupId",
           array(select gl.learner_id from group_learners gl
                  where gl.company_id = ${p.companyId} and gl.group_id = g.id order by gl.learner_id) as "memberIds"
      from groups g where g.company_id = ${p.companyId} and g.id = any(${p.groupIds}::uuid[])`,
);

const link = mutation<{ groupId: string; externalId: string | null }>(
  'directory_group_link',
  (p) => sql`
    insert into directory_groups (company_id, group_id, external_id)
    values (${p.companyId}, ${p.groupId}, ${p.externalId})
    on conflict (company_id, group_id) do update set external_id = excluded.external_id`,
);

/** Stores the data of a group that only directories use. */
export async function linkGroup(tenant: TenantWriter, groupId: string, externalId: string | null): Promise<void> {
  await tenant.mutate(link, { groupId, externalId });
}

// Locks the rows against deletion, in the order of their ids, so that foreign keys to them cannot fail.
const selectExisting = mutation<{ learnerIds: string[] }, { id: string }>(
  'directory_known_users',
  (p) => sql`
    select l.id from learners l
     where l.company_id = ${p.companyId} and l.id = any(${p.learnerIds}::uuid[])
       and not exists (select from directory_learners d
                        where d.company_id = ${p.companyId} and d.learner_id = l.id and d.removed_at is not null)
     order by l.id for key share`,
);

/** Returns the given ids that belong to users. These learners cannot be deleted until the transaction ends. */
export async function findUserIds(tenant: TenantWriter, learnerIds: string[]): Promise<Set<string>> {
  if (learnerIds.length === 0) return new Set();
  return new Set((await tenant.mutate(selectExisting, { learnerIds })).map(({ id }) => id));
}

const add = mutation<{ groupId: string; learnerIds: string[] }, { learnerId: string }>(
  'directory_member_add',
  (p) => sql`
    insert into group_learners as m (company_id, group_id, learner_id, by_directory)
    select ${p.companyId}, ${p.groupId}, learner_id, true from unnest(${p.learnerIds}::uuid[]) as new (learner_id)
    on conflict (company_id, group_id, learner_id) do update set by_directory = true where not m.by_directory
    returning learner_id as "learnerId"`,
);

/** Adds members, and marks existing members as added by the directory. Returns the number of changed members. */
export async function addMembers(tenant: TenantWriter, groupId: string, learnerIds: string[]): Promise<number> {
  return (await tenant.mutate(add, { groupId, learnerIds })).length;
}

const removeOthers = mutation<{ groupId: string; learnerIds: string[] }, { learnerId: string }>(
  'directory_member_keep_only',
  (p) => sql`
    delete from group_learners
     where company_id = ${p.companyId} and group_id = ${p.groupId} and learner_id <> all(${p.learnerIds}::uuid[])
    returning learner_id as "learnerId"`,
);

/** Removes all members from a group except the given learners. Returns the number of removed members. */
export async function removeOtherMembers(tenant: TenantWriter, groupId: string, learnerIds: string[]): Promise<number> {
  return (await tenant.mutate(removeOthers, { groupId, learnerIds })).length;
}
