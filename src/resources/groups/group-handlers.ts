import type { Result, Handler } from '../../contract/contract.ts';
import { ResultWithMeta } from '../../db/rows.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { invalidField, notFound, unknownReferences } from '../../contract/errors.ts';
import { readSince } from '../events/log/changes.ts';
import { findLearnerIds, requireLearners } from '../learners/shared/known-learners.ts';
import { bulkOutcome } from '../learners/shared/skipped-learners.ts';
import * as repository from './group-repository.ts';
import * as memberships from './membership-repository.ts';

export const listGroups: Handler<'listGroups'> = async ({ updatedSince }, tenant) => {
  if (updatedSince === undefined) return tenant.stream(repository.listGroups, {});
  const { changesQuery, syncedUntil } = await readSince(tenant, updatedSince);
  const removed = tenant.stream(repository.listRemovedGroups, changesQuery);
  return new ResultWithMeta(tenant.stream(repository.listChangedGroups, changesQuery), { removed, syncedUntil });
};

export const getGroup: Handler<'getGroup'> = async ({ groupId }, tenant) => {
  return withMembers(tenant, await repository.getGroup(tenant, groupId));
};

export const createGroup: Handler<'createGroup'> = async ({ body }, tenant) => {
  const row = await tenant.transaction(async (tx) => {
    const { name, managerIds = [] } = body;
    await requireLearners(tx, managerIds, 'body/managerIds');
    const groupId = await repository.insertGroup(tx, name);
    await memberships.replaceManagers(tx, groupId, managerIds);
    return repository.getGroup(tx, groupId);
  });
  return withMembers(tenant, row);
};

export const updateGroup: Handler<'updateGroup'> = async ({ groupId, body }, tenant) => {
  const row = await tenant.transaction(async (tx) => {
    await requireGroup(tx, groupId);
    await tx.mutate(repository.renameGroup, { groupId, name: body.name });
    return repository.getGroup(tx, groupId);
  });
  return withMembers(tenant, row);
};

export const deleteGroup: Handler<'deleteGroup'> = async ({ groupId }, tenant) => {
  await repository.removeGroup(tenant, groupId);
  return { id: groupId };
};

export const addGroupLearners: Handler<'addGroupLearners'> = ({ groupId, body }, tenant) => {
  return tenant.transaction(async (tx) => {
    await requireGroup(tx, groupId);
    const existingIds = await findLearnerIds(tx, body.learnerIds);
    const changedIds = await memberships.addLearners(tx, groupId, [...existingIds]);
    if (changedIds.length > 0) await tx.mutate(repository.touchGroups, { groupIds: [groupId] });
    return { groupId, ...bulkOutcome(body.learnerIds, changedIds, existingIds, 'already_member') };
  });
};

export const removeGroupLearners: Handler<'removeGroupLearners'> = ({ groupId, body }, tenant) => {
  return tenant.transaction(async (tx) => {
    await requireGroup(tx, groupId);
    const changedIds = await memberships.removeLearners(tx, groupId, body.learnerIds);
    if (changedIds.length > 0) await tx.mutate(repository.touchGroups, { groupIds: [groupId] });
    const existingIds = await findLearnerIds(tx, body.learnerIds);
    return { groupId, ...bulkOutcome(body.learnerIds, changedIds, existingIds, 'not_member') };
  });
};

export const setGroupManagers: Handler<'setGroupManagers'> = async ({ groupId, body }, tenant) => {
  const row = await tenant.transaction(async (tx) => {
    await requireGroup(tx, groupId);
    await requireLearners(tx, body.managerIds, 'body/managerIds');
    const changed = await memberships.replaceManagers(tx, groupId, body.managerIds);
    if (changed) await tx.mutate(repository.touchGroups, { groupIds: [groupId] });
    return repository.getGroup(tx, groupId);
  });
  return withMembers(tenant, row);
};

export const moveGroupMembership: Handler<'moveGroupMembership'> = ({ body }, tenant) => {
  const { fromGroupId, toGroupId, preserveManagerRole = false } = body;
  if (fromGroupId === toGroupId) throw invalidField('body/toGroupId', 'must differ from `fromGroupId`');
  return tenant.transaction(async (tx) => {
    await requireBothGroups(tx, fromGroupId, toGroupId);
    const members = body.learnerIds ? [] : await tx.queryAll(memberships.listMemberIds, { groupId: fromGroupId });
    const learnerIds = body.learnerIds ?? members.map(({ learnerId }) => learnerId);
    const existingIds = await findLearnerIds(tx, learnerIds);
    const movedIds = await memberships.removeLearners(tx, fromGroupId, learnerIds);
    await memberships.addLearners(tx, toGroupId, movedIds);
    await memberships.moveManagerRole(tx, movedIds, fromGroupId, preserveManagerRole ? toGroupId : undefined);
    if (movedIds.length > 0) await tx.mutate(repository.touchGroups, { groupIds: [fromGroupId, toGroupId] });
    const outcome = bulkOutcome(learnerIds, movedIds, existingIds, 'not_member');
    return { fromGroupId, toGroupId, movedIds: outcome.changedIds, skipped: outcome.skipped };
  });
};

/** Adds the ids of the group's members, which are read while the response is sent. */
function withMembers(tenant: TenantReader, group: repository.GroupRow): Result<'getGroup'> {
  const { createdAt, updatedAt, memberState, ...rest } = group;
  const members = tenant.stream(memberships.listMemberIds, { groupId: group.id });
  const learnerIds = members.map(({ learnerId }) => learnerId).inState(memberState);
  return { ...rest, learnerIds, createdAt, updatedAt };
}

async function requireGroup(tenant: TenantWriter, groupId: string): Promise<void> {
  if (!(await repository.lockGroups(tenant, [groupId])).has(groupId)) throw notFound('group');
}

async function requireBothGroups(tenant: TenantWriter, fromGroupId: string, toGroupId: string): Promise<void> {
  const existingIds = await repository.lockGroups(tenant, [fromGroupId, toGroupId]);
  const unknown = Object.entries({ fromGroupId, toGroupId }).filter(([, groupId]) => !existingIds.has(groupId));
  if (unknown.length === 0) return;
  throw unknownReferences(
    'group',
    unknown.map(([field]) => `body/${field}`),
  );
}
