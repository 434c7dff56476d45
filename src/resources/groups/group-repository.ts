import { v7 as uuidv7 } from 'uuid';
import type { Knex } from 'knex';
import { statement } from '../../db/statement.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { notFound, requireKnown } from '../../errors.ts';

export interface GroupListRow {
  id: string;
  name: string;
  learner_count: number;
  managers: { id: string; name: string; email: string }[];
}

export interface GroupRow extends GroupListRow {
  created_at: string;
  updated_at: string;
}

function selectGroups(sql: Knex): Knex.QueryBuilder {
  return sql('groups as g').select(
    'g.id',
    'g.name',
    sql.raw(`(select count(*)::integer from group_learners gl
      where gl.company_id = g.company_id and gl.group_id = g.id) as learner_count`),
    sql.raw(`coalesce((select json_agg(json_build_object('id', m.id, 'name', m.first_name || ' ' || m.last_name,
        'email', m.email)
        order by m.first_name, m.last_name, m.id)
      from group_managers gm join learners m on m.company_id = gm.company_id and m.id = gm.learner_id
      where gm.company_id = g.company_id and gm.group_id = g.id), '[]') as managers`),
  );
}

const list = statement<object, GroupListRow>('group_list', (sql, param) =>
  selectGroups(sql).where('g.company_id', param('companyId')).orderBy('g.id'),
);

export function listGroups(tenant: TenantReader): Rows<GroupListRow> {
  return tenant.rows(list, {});
}

const byId = statement<{ groupId: string }, GroupRow>('group_by_id', (sql, param) =>
  selectGroups(sql)
    .select('g.created_at', 'g.updated_at')
    .where({ 'g.company_id': param('companyId'), 'g.id': param('groupId') }),
);

/** @throws not_found */
export async function getGroup(tenant: TenantReader, groupId: string): Promise<GroupRow> {
  const row = await tenant.find(byId, { groupId });
  if (!row) throw notFound('group');
  return row;
}

const insert = statement<{ id: string; name: string }, object>('group_insert', (sql, param) =>
  sql('groups').insert({ company_id: param('companyId'), id: param('id'), name: param('name') }),
);

/** Returns the id of the new group. */
export async function insertGroup(tenant: TenantWriter, name: string): Promise<string> {
  const id = uuidv7();
  await tenant.run(insert, { id, name });
  return id;
}

const remove = statement<{ groupId: string }, { id: string }>('group_remove', (sql, param) =>
  sql('groups')
    .where({ company_id: param('companyId'), id: param('groupId') })
    .delete()
    .returning('id'),
);

/** Removes the group and its memberships; its learners stay. @throws not_found */
export async function removeGroup(tenant: TenantWriter, groupId: string): Promise<void> {
  if ((await tenant.run(remove, { groupId })).length === 0) throw notFound('group');
}

// Locked in the order of their ids against deletion, so that what is about to refer to them does not fail half-way.
const existing = statement<{ groupIds: string[] }, { id: string }>('group_existing', (sql, param) =>
  sql('groups')
    .select('id')
    .where('company_id', param('companyId'))
    .where(sql.raw('id = any(?::uuid[])', [param('groupIds')]))
    .orderBy('id')
    .forKeyShare(),
);

/** Those of the ids that the company has; they stay until the transaction ends. */
export async function findGroupIds(tenant: TenantWriter, groupIds: string[]): Promise<Set<string>> {
  if (groupIds.length === 0) return new Set();
  return new Set((await tenant.run(existing, { groupIds })).map((row) => row.id));
}

/** @throws not_found naming the places of the ids that the company does not have, such as `body/groupIds/2`. */
export async function requireGroups(tenant: TenantWriter, groupIds: string[], field: string): Promise<void> {
  requireKnown('group', groupIds, await findGroupIds(tenant, groupIds), field);
}

const lock = statement<{ groupId: string }, { id: string }>('group_lock', (sql, param) =>
  sql('groups')
    .select('id')
    .where({ company_id: param('companyId'), id: param('groupId') })
    .forNoKeyUpdate(),
);

/** Makes other changes of the group wait until the transaction ends. Returns false when there is none. */
export async function lockGroup(tenant: TenantWriter, groupId: string): Promise<boolean> {
  return (await tenant.find(lock, { groupId })) !== undefined;
}

const touch = statement<{ groupIds: string[] }, object>('group_touch', (sql, param) =>
  sql('groups')
    .where({ company_id: param('companyId') })
    .where(sql.raw('id = any(?::uuid[])', [param('groupIds')]))
    .update({ updated_at: sql.raw('now()') }),
);

/** Stamps groups whose members or managers have changed. */
export async function touchGroups(tenant: TenantWriter, ...groupIds: string[]): Promise<void> {
  await tenant.run(touch, { groupIds });
}
