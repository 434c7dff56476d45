import { isId } from '../../db/ids.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { notFound } from '../../contract/errors.ts';
import { insertGroup, lockGroups, removeGroup, renameGroup, touchGroups } from '../groups/group-repository.ts';
import { listMemberIds, removeLearners } from '../groups/membership-repository.ts';
import { DirectoryError, requireVersion } from './directory-error.ts';
import * as repository from './directory-group-repository.ts';
import type { DirectoryGroup, GroupSelection } from './directory-group-repository.ts';
import { provisionAdmins } from './provision-admins.ts';
import { pageThatFits, requireDisplayName, getGroupVersion } from './directory-group-rules.ts';

/** Group fields that a directory sends. Omitted fields keep their values. */
export interface GroupFields {
  displayName?: string | null;
  externalId?: string | null;
  /** Ids of all members. */
  memberIds?: string[];
  /** Ids of the members to add and to remove, instead of `memberIds`. No id is in both lists. */
  addedIds?: string[];
  removedIds?: string[];
}

interface Identified {
  groupId: string;
  expectedVersion?: string | undefined;
}

/**
 * A group with the ids of its members, or undefined if they were not requested. Rows are read while the response is
 * sent.
 */
export type GroupWithMembers = DirectoryGroup & { memberIds: Rows<string> | string[] | undefined };

export async function getScimGroup({ groupId }: Identified, tenant: TenantReader): Promise<GroupWithMembers> {
  return withMembers(tenant, await repository.getGroup(tenant, groupId));
}

function withMembers(tenant: TenantReader, group: DirectoryGroup): GroupWithMembers {
  const members = tenant.stream(listMemberIds, { groupId: group.id });
  return { ...group, memberIds: members.map(({ learnerId }) => learnerId) };
}

export interface GroupPage {
  filter: { [Name in keyof GroupSelection]?: string };
  offset: number;
  limit: number;
  withMembers: boolean;
}

/** Lists a page of the groups that match a filter. With members, the page can be shorter than requested. */
export async function listScimGroups({ filter, offset, limit, withMembers: isFull }: GroupPage, tenant: TenantReader) {
  const { displayName = null, externalId = null } = filter;
  const [id = null, memberId = null] = [filter.id?.toLowerCase(), filter.memberId?.toLowerCase()];
  const isNobody = [id, memberId].some((one) => one !== null && !isId(one));
  if (isNobody) return { groups: [], total: 0 };
  const selection = { id, displayName: displayName && displayName.trim(), externalId, memberId };
  const { groups, total } = await repository.listGroups(tenant, { ...selection, offset, limit });
  return { groups: isFull ? await withAllMembers(tenant, groups) : groups.map(withoutMembers), total };
}

async function withAllMembers(tenant: TenantReader, all: DirectoryGroup[]): Promise<GroupWithMembers[]> {
  const groups = await pageThatFits(all, (params) => tenant.queryAll(repository.countMembers, params));
  const rows = await tenant.queryAll(repository.listMembers, { groupIds: groups.map(({ id }) => id) });
  const byGroup = new Map(rows.map(({ groupId, memberIds }) => [groupId, memberIds]));
  return groups.map((group) => ({ ...group, memberIds: byGroup.get(group.id) ?? [] }));
}

function withoutMembers(group: DirectoryGroup): GroupWithMembers {
  return { ...group, memberIds: undefined };
}

export async function createScimGroup(
  { body }: { body: GroupFields },
  tenant: TenantWriter,
): Promise<GroupWithMembers> {
  const group = await tenant.transaction(async (tx) => {
    const { displayName, externalId = null, memberIds = [] } = body;
    const groupId = await insertGroup(tx, requireDisplayName(displayName));
    await repository.linkGroup(tx, groupId, externalId);
    await addMembers(tx, groupId, memberIds);
    return repository.getGroup(tx, groupId);
  });
  return withMembers(tenant, group);
}

export async function replaceScimGroup(
  input: Identified & { body: GroupFields },
  tenant: TenantWriter,
): Promise<GroupWithMembers> {
  return withMembers(tenant, await changeGroup(input, tenant));
}

export async function updateScimGroup(
  input: Identified & { body: GroupFields },
  tenant: TenantWriter,
): Promise<DirectoryGroup> {
  return changeGroup(input, tenant);
}

function changeGroup(
  { groupId, expectedVersion, body }: Identified & { body: GroupFields },
  tenant: TenantWriter,
): Promise<DirectoryGroup> {
  return tenant.transaction(async (tx) => {
    const group = await lockGroup(tx, { groupId, expectedVersion });
    const { displayName, externalId } = body;
    if (displayName !== undefined) await tx.mutate(renameGroup, { groupId, name: requireDisplayName(displayName) });
    const isRelinked = externalId !== undefined && externalId !== group.externalId;
    if (isRelinked) await repository.linkGroup(tx, groupId, externalId);
    const changed = await changeMembers(tx, groupId, body);
    if (isRelinked || changed > 0) await tx.mutate(touchGroups, { groupIds: [groupId] });
    if (changed > 0) await provisionAdmins(tx, { groupId });
    return repository.getGroup(tx, groupId);
  });
}

export function deleteScimGroup(
  { groupId, expectedVersion }: Identified,
  tenant: TenantWriter,
): Promise<{ id: string }> {
  return tenant.transaction(async (tx) => {
    await lockGroup(tx, { groupId, expectedVersion });
    await removeGroup(tx, groupId);
    await provisionAdmins(tx, { groupId });
    return { id: groupId };
  });
}

async function lockGroup(tx: TenantWriter, { groupId, expectedVersion }: Identified): Promise<DirectoryGroup> {
  if (!(await lockGroups(tx, [groupId])).has(groupId)) throw notFound('group');
  const group = await repository.getGroup(tx, groupId);
  requireVersion(expectedVersion, getGroupVersion(group));
  return group;
}

/** Changes the members of a group. Returns the number of members that were added or removed. */
async function changeMembers(
  tx: TenantWriter,
  groupId: string,
  { memberIds, addedIds = [], removedIds = [] }: GroupFields,
): Promise<number> {
  if (memberIds) {
    const added = await addMembers(tx, groupId, memberIds);
    return added + (await repository.removeOtherMembers(tx, groupId, memberIds));
  }
  const added = await addMembers(tx, groupId, addedIds);
  const deletedIds = removedIds.filter(isId);
  return added + (deletedIds.length > 0 ? (await removeLearners(tx, groupId, deletedIds)).length : 0);
}

/**
 * Adds members. Returns how many of them were not in the group, or had not been added by the directory.
 * @throws {DirectoryError} `invalidValue` for an unknown user
 */
async function addMembers(tx: TenantWriter, groupId: string, memberIds: string[]): Promise<number> {
  if (memberIds.length === 0) return 0;
  const existingIds = await repository.findUserIds(tx, memberIds.filter(isId));
  const unknown = memberIds.find((id) => !existingIds.has(id));
  if (unknown !== undefined)
    throw new DirectoryError('invalidValue', `\`members\` names user ${unknown}, which does not exist.`);
  return repository.addMembers(tx, groupId, [...existingIds]);
}
