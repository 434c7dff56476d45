import type { Handler } from '../../contract/contract.ts';
import { notFound } from '../../contract/errors.ts';
import { requireGroup } from '../learners/shared/known-groups.ts';
import { lockGroups } from './group-repository.ts';
import { recordPeriods } from './membership-history.ts';
import { listHistory } from './membership-history-repository.ts';

export const listMembershipHistory: Handler<'listMembershipHistory'> = async ({ groupId }, tenant) => {
  await requireGroup(tenant, groupId);
  return tenant.stream(listHistory, { groupId }).map(({ id: _, ...entry }) => entry);
};

export const recordMembershipHistory: Handler<'recordMembershipHistory'> = ({ groupId, body }, tenant) => {
  return tenant.transaction(async (tx) => {
    // The lock also keeps two calls from recording the same period twice.
    if (!(await lockGroups(tx, [groupId])).has(groupId)) throw notFound('group');
    return { groupId, ...(await recordPeriods(tx, groupId, body.memberships)) };
  });
};
