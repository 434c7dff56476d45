import type { Handler } from '../../contract/contract.ts';
import { requirePastGroup } from '../learners/shared/past.ts';
import { recordPeriods } from './membership-history.ts';
import { listHistory } from './membership-history-repository.ts';

export const listMembershipHistory: Handler<'listMembershipHistory'> = async ({ groupId }, tenant) => {
  await requirePastGroup(tenant, groupId);
  return tenant.stream(listHistory, { groupId }).map(({ id: _, ...entry }) => entry);
};

export const recordMembershipHistory: Handler<'recordMembershipHistory'> = ({ groupId, body }, tenant) => {
  return tenant.transaction(async (tx) => {
    await requirePastGroup(tx, groupId);
    return { groupId, ...(await recordPeriods(tx, groupId, body.memberships)) };
  });
};
