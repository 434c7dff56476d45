import { LAST_DAY } from '../../../db/expressions.ts';
import { literal, type Sql, sql } from '../../../db/sql.ts';
import { mutation, type Parameters, query } from '../../../db/statement.ts';
import { learnerMessages } from '../../../mail/outbox/outbox.ts';
import { isInWorkingHours, learnerZone, nextMorning, openingTime } from '../../../mail/messages/working-hours.ts';
import { IS_OPEN } from '../../learners/shared/due-dates.ts';
import { mailDays } from './mail-days.ts';

export interface Mailed {
  learnerIds: string[];
}

interface MailedAt extends Mailed {
  at: Date;
}

const SAMPLES = { at: new Date() };

/** Selects the learners of the call as `l`, with their time zones and their last messages. */
const asked = (p: Parameters<Mailed>): Sql => sql`
  unnest(${p.learnerIds}::uuid[]) as asked (id)
  cross join lateral (select * from learners where company_id = ${p.companyId} and id = asked.id offset 0) as l
  cross join lateral (select ${learnerZone(p)} as name) as z
  left join lateral (
    select * from campaign_mail_days where company_id = ${p.companyId} and learner_id = l.id offset 0) as s on true`;

/** Selects the assignments `a` of a learner `l`. */
const ofLearner = (p: Parameters<object>): Sql => sql`
  (select * from campaign_assignments
    where company_id = ${p.companyId} and learner_id = l.id order by item_id offset 0) as a`;

/**
 * Time of the next message about an assignment `a` of the campaign `c` to the learner `l` in the time zone `z`, whose
 * last message is `s`; null if no message follows.
 */
export const NEXT_MESSAGE_AT = sql`
  case when ${IS_OPEN} and c.status = 'running' and not l.inactive then (
    select ${openingTime(sql`o.day`, sql`z.name`)}
      from (select (
              select min(greatest(d.day, s.waits_until)) from ${mailDays({
                assignedAt: sql`a.assigned_at`,
                dueOn: LAST_DAY,
                zone: sql`z.name`,
                remindedAt: sql`a.reminded_at`,
                absentUntil: sql`l.absent_until`,
              })} as d where d.day > coalesce(s.mailed_on, '-infinity')) as day) as o) end`;

/**
 * Sets the time of the next message for each assignment of the given learners, and clears it for assignments that are
 * no longer open. The same statement marks the assignments in `enrolledIds` as enrolled.
 */
export const planMessages = mutation<Mailed & { enrolledIds: string[] }>(
  'campaign_plan_messages',
  (p) => sql`
    with planned as materialized (
        select a.id, a.mail_at as was, ${NEXT_MESSAGE_AT} as mail_at, a.enrolled as was_enrolled,
               a.enrolled or a.id = any(${p.enrolledIds}::uuid[]) as enrolled
          from ${asked(p)}
         cross join lateral ${ofLearner(p)}
         cross join lateral (
           select * from campaigns where company_id = ${p.companyId} and id = a.campaign_id offset 0) as c
         where a.mail_at is not null or (${IS_OPEN})
    )
    update campaign_assignments a set mail_at = n.mail_at, enrolled = n.enrolled
      from planned n
     where a.company_id = ${p.companyId} and a.id = n.id
       and (n.was is distinct from n.mail_at or n.enrolled <> n.was_enrolled)`,
);

/** Maximum number of due assignments that one transaction reads. The learners of these can have more. */
const MAX_DUE = 500;

export const dueLearners = query<{ at: Date }, { id: string }>(
  'campaign_due_learners',
  (p) => sql`
    select distinct d.learner_id as id from (
      select learner_id from campaign_assignments
       where company_id = ${p.companyId} and mail_at <= ${p.at}::timestamptz
       order by mail_at limit ${literal(MAX_DUE)}) as d
     order by 1`,
  SAMPLES,
);

const at = (p: Parameters<MailedAt>): Sql => sql`${p.at}::timestamptz`;

/** Condition that a message about an assignment of the learner `l` is due. */
const isDue = (p: Parameters<MailedAt>): Sql => sql`
  exists (select from campaign_assignments o
           where o.company_id = ${p.companyId} and o.learner_id = l.id and o.mail_at <= ${at(p)})`;

/** Cancels messages of earlier days that are still queued, because a new message is due. */
export const replaceMessages = mutation<MailedAt>(
  'campaign_replace_messages',
  (p) => sql`
    update messages m set status = 'cancelled', reason = 'replaced', settled_at = now(), setup_token = null
     where m.company_id = ${p.companyId} and m.status = 'queued' and m.id = any(array(
       select q.id
         from ${asked(p)}
        cross join lateral (
          select id from messages
           where company_id = ${p.companyId} and learner_id = l.id and status = 'queued' and kind = 'assignments_due'
          offset 0) as q
        where ${isDue(p)}))`,
  SAMPLES,
);

/** Queues a message about all open assignments to each learner for whom a message is due and who can get one now. */
export const queueMessages = mutation<MailedAt, { queued: number }>(
  'campaign_queue_messages',
  (p) => sql`
    with recipients as (
      select l.id as learner_id, a.id as assignment_id
        from ${asked(p)}
       cross join lateral ${ofLearner(p)}
        join campaigns c on c.company_id = ${p.companyId} and c.id = a.campaign_id and c.status = 'running'
       where ${IS_OPEN} and not l.inactive and ${isInWorkingHours(at(p), sql`z.name`)}
         and coalesce(s.mailed_on, '-infinity') < (${at(p)} at time zone z.name)::date
         and ${isDue(p)}
    ), ${learnerMessages(p, {
      kind: 'assignments_due',
      recipients: sql`recipients`,
      subject: sql`assignment_id`,
      isNewCause: true,
    })}`,
  SAMPLES,
);

/**
 * Records the messages that the transaction has queued. If a message was due but was not queued, because of a limit or
 * the working hours, it is due again on the learner's next working day.
 */
export const recordMessages = mutation<MailedAt>(
  'campaign_record_messages',
  (p) => sql`
    insert into campaign_mail_days (company_id, learner_id, mailed_on, mailed_at, waits_until)
    select ${p.companyId}, l.id,
           case when q.is_queued then (${at(p)} at time zone z.name)::date else s.mailed_on end,
           case when q.is_queued then ${at(p)} else s.mailed_at end,
           case when not q.is_queued then ${nextMorning(at(p), sql`z.name`, sql`s.mailed_on`)} end
      from ${asked(p)}
     cross join lateral (
       select exists (select from messages m
                       where m.company_id = ${p.companyId} and m.learner_id = l.id and m.status = 'queued'
                         and m.kind = 'assignments_due' and m.created_at = now()::timestamptz(3)) as is_queued) as q
     where ${isDue(p)}
    on conflict (company_id, learner_id) do update
       set mailed_on = excluded.mailed_on, mailed_at = excluded.mailed_at, waits_until = excluded.waits_until`,
  SAMPLES,
);
