import type { Handler } from '../../contract/contract.ts';
import { invalidField } from '../../contract/errors.ts';
import * as repository from './assignment-repository.ts';
import { changeAssignments } from './change-assignments.ts';
import * as changes from './assignment-changes.ts';
import { readPeriod } from '../learners/shared/period.ts';
import { readDueFigures } from './due-repository.ts';
import { readOverdueFigures } from './overdue-repository.ts';

export const listAssignments: Handler<'listAssignments'> = (filter, tenant) =>
  repository.listAssignments(tenant, filter);

export const getAssignment: Handler<'getAssignment'> = ({ assignmentId }, tenant) =>
  repository.getAssignment(tenant, assignmentId);

export const getOverdueReport: Handler<'getOverdueReport'> = ({ by, campaignId }, tenant) =>
  readOverdueFigures(tenant, by ?? 'department', campaignId ?? null);

export const getDueReport: Handler<'getDueReport'> = ({ from, to, campaignId }, tenant) =>
  readDueFigures(tenant, { ...readPeriod({ from, to }), campaignId: campaignId ?? null });

const DAY_MS = 86_400_000;

export const extendAssignments: Handler<'extendAssignments'> = ({ body: { assignmentIds, until } }, tenant) => {
  // Somewhere in the world, the previous day lasts until 12:00 UTC.
  if (until !== null && Date.parse(until) + 1.5 * DAY_MS < Date.now()) {
    throw invalidField('body/until', 'must not be a past day');
  }
  return changeAssignments(tenant, assignmentIds, {
    change: (tx, ids) => tx.mutate(changes.extend, { assignmentIds: ids, until }),
    isAllowed: ({ isOpen }) => isOpen || 'not_open',
  });
};

export const waiveAssignments: Handler<'waiveAssignments'> = ({ body: { assignmentIds, reason } }, tenant) =>
  changeAssignments(tenant, assignmentIds, {
    change: (tx, ids) => tx.mutate(changes.waive, { assignmentIds: ids, reason }),
    isAllowed: ({ isOpen }) => isOpen || 'not_open',
    endsEnrolments: true,
  });

export const restoreAssignments: Handler<'restoreAssignments'> = ({ body: { assignmentIds } }, tenant) =>
  changeAssignments(tenant, assignmentIds, {
    change: async (tx, ids) => {
      await tx.mutate(changes.restore, { assignmentIds: ids });
      return tx.mutate(changes.moveDueDates, { assignmentIds: ids });
    },
    isAllowed: ({ isWaived, isEnded }) => (isEnded ? 'campaign_ended' : isWaived || 'not_waived'),
  });

export const remindAssignments: Handler<'remindAssignments'> = ({ body: { assignmentIds } }, tenant) =>
  changeAssignments(tenant, assignmentIds, {
    change: (tx, ids) => tx.mutate(changes.remind, { assignmentIds: ids }),
    isAllowed: ({ isOpen, isRunning }) => (isOpen ? isRunning || 'campaign_not_running' : 'not_open'),
  });
