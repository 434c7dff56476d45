import { sql } from '../../db/sql.ts';
import { mutation, type Parameters, query } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { learnerZone } from '../../mail/messages/working-hours.ts';
import { endOfDay } from './expected-assignments.ts';
import { IS_OPEN } from '../learners/shared/due-dates.ts';

interface Changed {
  assignmentIds: string[];
}

export interface AssignmentState {
  id: string;
  learnerId: string;
  isOpen: boolean;
  isWaived: boolean;
  /** Whether the campaign has ended. */
  isEnded: boolean;
  /** Whether the campaign is running. */
  isRunning: boolean;
}

const states = query<Changed, AssignmentState>(
  'assignment_states',
  (p) => sql`
    select a.id, a.learner_id as "learnerId", ${IS_OPEN} as "isOpen", a.waived_at is not null as "isWaived",
           c.status = 'ended' as "isEnded", c.status = 'running' as "isRunning"
      from campaign_assignments a join campaigns c on c.company_id = ${p.companyId} and c.id = a.campaign_id
     where a.company_id = ${p.companyId} and a.id = any(${p.assignmentIds}::uuid[])`,
);

/** Finds the states of assignments by id. Leaves out assignments that the company does not have. */
export async function findStates(tenant: TenantReader, assignmentIds: string[]): Promise<Map<string, AssignmentState>> {
  return new Map((await tenant.queryAll(states, { assignmentIds })).map((state) => [state.id, state]));
}

const isSelected = (p: Parameters<Changed>) => sql`
  a.company_id = ${p.companyId} and a.id = any(${p.assignmentIds}::uuid[])`;

/** Sets or removes the extended due date of assignments. If a leave has led to a later due date, that date is kept. */
export const extend = mutation<Changed & { until: string | null }>(
  'assignment_extend',
  (p) => sql`
    update campaign_assignments a
       set extended_until = ${p.until}::date, due_soon_at = null, overdue_at = null,
           due_at = ${endOfDay(sql`greatest(coalesce(${p.until}::date, a.due_on), a.leave_due_on)`, learnerZone(p))}
      from learners l
     where ${isSelected(p)} and l.company_id = ${p.companyId} and l.id = a.learner_id`,
  { until: '2027-03-05' },
);

export const waive = mutation<Changed & { reason: string }>(
  'assignment_waive',
  (p) => sql`
    update campaign_assignments a set waived_at = now(), waived_because = ${p.reason}, mail_at = null
     where ${isSelected(p)}`,
);

export const restore = mutation<Changed>(
  'assignment_restore',
  (p) => sql`
    update campaign_assignments a set waived_at = null, waived_because = null, due_soon_at = null, overdue_at = null
     where ${isSelected(p)}`,
);

/** Requests a message about assignments. The next evaluation of their learners plans it. */
export const remind = mutation<Changed>(
  'campaign_assignment_remind',
  (p) => sql`update campaign_assignments a set reminded_at = now() where ${isSelected(p)}`,
);

/** Moves the due dates of assignments whose learners are on leave. */
export const moveDueDates = mutation<Changed>(
  'assignment_move_due_dates',
  (p) => sql`
    select from move_due_dates(${p.companyId}, array(
      select distinct t.learner_id from campaign_assignments t
       where t.company_id = ${p.companyId} and t.id = any(${p.assignmentIds}::uuid[])))`,
);

/** Marks the learners of the assignments as changed, so that the worker evaluates them. */
export const recordChanges = mutation<Changed>(
  'assignment_record_changes',
  (p) => sql`
    insert into campaign_changes (company_id, learner_id)
    select ${p.companyId}, t.learner_id from campaign_assignments t
     where t.company_id = ${p.companyId} and t.id = any(${p.assignmentIds}::uuid[])
    on conflict do nothing`,
);
