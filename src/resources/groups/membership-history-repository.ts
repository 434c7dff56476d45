import type { Schemas } from '../../contract/contract.ts';
import { sql } from '../../db/sql.ts';
import { mutation, pagedQuery, query } from '../../db/statement.ts';
import type { LearnerPeriod } from './membership-history-rules.ts';

type HistoryRow = Schemas['MembershipHistoryEntry'] & { id: string };

const BY_LEARNER = { learnerId: 'uuid', from: 'date', id: 'uuid' } as const;

export const listHistory = pagedQuery<{ groupId: string }, HistoryRow>(
  'membership_history',
  BY_LEARNER,
  (p) => sql`
    select m.learner_id as "learnerId", m.first_day as "from", m.last_day as "to", m.recorded_at as "recordedAt", m.id
      from membership_periods m
     where m.company_id = ${p.companyId} and m.group_id = ${p.groupId} and m.superseded_at is null`,
);

interface GroupAndLearners {
  groupId: string;
  learnerIds: string[];
}

/**
 * Lists learners whom the service has ever recorded as members of the group, each with the time of the first record.
 */
export const listRecordedMembers = query<GroupAndLearners, { learnerId: string; recordedAt: string }>(
  'membership_recorded',
  (p) => sql`
    select m.learner_id as "learnerId", min(m.recorded_at) as "recordedAt"
      from (select gl.learner_id, gl.recorded_at from group_learners gl
             where gl.company_id = ${p.companyId} and gl.group_id = ${p.groupId}
               and gl.learner_id = any(${p.learnerIds}::uuid[])
             union all
            select v.learner_id, v.recorded_at from membership_versions v
             where v.company_id = ${p.companyId} and v.group_id = ${p.groupId}
               and v.learner_id = any(${p.learnerIds}::uuid[])) as m
     group by m.learner_id`,
);

export const listPeriods = query<GroupAndLearners, LearnerPeriod & { id: string }>(
  'membership_periods_of_learners',
  (p) => sql`
    select m.id, m.learner_id as "learnerId", m.first_day as "from", m.last_day as "to" from membership_periods m
     where m.company_id = ${p.companyId} and m.group_id = ${p.groupId}
       and m.learner_id = any(${p.learnerIds}::uuid[]) and m.superseded_at is null`,
);

/** Marks periods as removed. They are kept for reports on what was known earlier. */
export const removePeriods = mutation<{ ids: string[] }>(
  'membership_periods_remove',
  (p) => sql`
    update membership_periods set superseded_at = greatest(now(), recorded_at)
     where company_id = ${p.companyId} and id = any(${p.ids}::uuid[])`,
);

interface AddedPeriods extends GroupAndLearners {
  firstDays: string[];
  lastDays: string[];
}

export const insertPeriods = mutation<AddedPeriods>(
  'membership_periods_insert',
  (p) => sql`
    insert into membership_periods (company_id, group_id, learner_id, first_day, last_day)
    select ${p.companyId}, ${p.groupId}, learner_id, first_day, last_day
      from unnest(${p.learnerIds}::uuid[], ${p.firstDays}::date[], ${p.lastDays}::date[])
           as new (learner_id, first_day, last_day)
    on conflict do nothing`,
);
