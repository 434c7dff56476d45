// The days of messages about assignments. The run and the preview both use them, so that what is previewed happens.
//
// An assignment is mentioned on the day of its assignment, and on the days that the campaign's reminders count from the
// due date. Each of these days moves to the next working day of the learner. A learner gets one message a day at most,
// about all open assignments, so the days of several assignments are joined. A day that passed without a message is
// made up for once: the next message is due at once. Days in a leave of the learner move to the first working day after it.
import { type Sql, sql } from '../../../db/sql.ts';
import { dayOfCause, workingDay } from '../../../mail/working-hours.ts';

/** Expressions about an assignment, or one that a preview expects. */
export interface MailedAssignment {
  assignedAt: Sql;
  dueOn: Sql;
  zone: Sql;
  /** The last day of the learner's leave; null if no leave is known. */
  absentUntil: Sql;
}

/**
 * Builds a subquery with the column `day` for each day of a message about an assignment of the campaign `c` to the
 * learner whose last message is `s` (campaign_mail_days). An assignment after the message of a day is mentioned on the
 * next one.
 */
export const mailDays = ({ assignedAt, dueOn, zone, absentUntil }: MailedAssignment): Sql => sql`(
  select ${workingDay(sql`n.day`)} as day
    from (select greatest(n.day, case when ${assignedAt} > s.mailed_at and n.day <= s.mailed_on then s.mailed_on + 1 end) as day
            from (select ${dayOfCause(assignedAt, zone)} as day) as n) as first
   cross join lateral (
     select first.day
     union all
     select ${dueOn} - b.days from unnest(c.remind_before) as b (days) where ${dueOn} - b.days > first.day
     union all
     select ${dueOn} + b.days from unnest(c.remind_after) as b (days)) as d
   cross join lateral (
     select case when d.day > coalesce(s.mailed_on, '-infinity') then greatest(d.day, ${absentUntil} + 1)
                 else d.day end as day) as n)`;
