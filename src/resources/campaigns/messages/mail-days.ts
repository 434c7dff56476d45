// The days of messages about assignments. The evaluation and the preview both use these builders, so the preview is
// correct.
//
// An assignment is mentioned on the day of its assignment, on the days that the campaign's reminders count from the due
// date, and on the day on which an admin requests a reminder. Each of these days moves to the learner's next working
// day. A learner gets one message a day at most, about all open assignments, so the message days of several assignments
// are merged. If days were missed, one message makes up for all of them: it is due at once. Days during the learner's
// leave move to the first working day after it.
import { type Sql, sql } from '../../../db/sql.ts';
import { dayOfCause, workingDay } from '../../../mail/messages/working-hours.ts';

/** Expressions about an assignment, which can be one that a preview expects. */
export interface MailedAssignment {
  assignedAt: Sql;
  dueOn: Sql;
  zone: Sql;
  /** Time at which an admin last requested a reminder; null if no admin has. */
  remindedAt: Sql;
  /** Last day of the learner's leave; null if no leave is known. */
  absentUntil: Sql;
}

/**
 * Builds a subquery with the column `day` for each day of a message about an assignment of the campaign `c` to the
 * learner whose last message is `s` (campaign_mail_days). An assignment made after the day's message is mentioned in
 * the next message.
 */
export const mailDays = ({ assignedAt, dueOn, zone, remindedAt, absentUntil }: MailedAssignment): Sql => sql`(
  select ${workingDay(sql`n.day`)} as day
    from ${dayAfterCause(assignedAt, zone)} as first
   cross join lateral (
     select first.day
     union all
     select ${dueOn} - b.days from unnest(c.remind_before) as b (days) where ${dueOn} - b.days > first.day
     union all
     select ${dueOn} + b.days from unnest(c.remind_after) as b (days)
     union all
     select r.day from ${dayAfterCause(remindedAt, zone)} as r where ${remindedAt} is not null) as d
   cross join lateral (
     select case when d.day > coalesce(s.mailed_on, '-infinity') then greatest(d.day, ${absentUntil} + 1)
                 else d.day end as day) as n)`;

/** Builds a subquery with the first day on which a message can mention something that happened at a given time. */
const dayAfterCause = (time: Sql, zone: Sql): Sql => sql`(
  select greatest(n.day, case when ${time} > s.mailed_at and n.day <= s.mailed_on then s.mailed_on + 1 end) as day
    from (select ${dayOfCause(time, zone)} as day) as n)`;
