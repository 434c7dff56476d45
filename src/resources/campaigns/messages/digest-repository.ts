import { literal, type Sql, sql } from '../../../db/sql.ts';
import { mutation, type Parameters, query } from '../../../db/statement.ts';
import { effectiveManagerId } from '../../../db/manager-in-effect.ts';
import { learnerMessages } from '../../../mail/outbox/outbox.ts';
import { selectEscalated, isEscalated } from '../../../mail/messages/overdue-team.ts';
import {
  isInWorkingHours,
  isOnLeave,
  learnerZone,
  startOfWeek,
  nextMonday,
  nextMorning,
  openingTime,
} from '../../../mail/messages/working-hours.ts';

interface At {
  at: Date;
}

interface Managers extends At {
  managerIds: string[];
}

const SAMPLES = { at: new Date() };
const at = (p: Parameters<At>): Sql => sql`${p.at}::timestamptz`;

/**
 * Plans messages to the managers in each time zone, if a running campaign has an escalation. Keeps plans that exist
 * already.
 */
export const planDigests = mutation<At>(
  'campaign_plan_digests',
  (p) => sql`
    insert into campaign_digests (company_id, time_zone, next_at)
    select ${p.companyId}, z.name, ${nextMonday(at(p), sql`z.name`)}
      from (select distinct ${learnerZone(p)} as name from learners l
             where l.company_id = ${p.companyId} and not l.inactive) as z
     where exists (select from campaigns c
                    where c.company_id = ${p.companyId} and c.status = 'running' and c.escalate_after is not null)
    on conflict do nothing`,
  SAMPLES,
);

export interface DueZone {
  timeZone: string;
  isOpen: boolean;
}

/** Locks a time zone whose managers' messages are due, unless another worker has locked it. */
export const lockDueZone = mutation<At, DueZone>(
  'campaign_lock_due_zone',
  (p) => sql`
    select g.time_zone as "timeZone", ${isInWorkingHours(at(p), sql`g.time_zone`)} as "isOpen"
      from campaign_digests g
     where g.company_id = ${p.companyId} and g.next_at <= ${at(p)}
     order by g.next_at, g.time_zone limit 1 for update skip locked`,
  SAMPLES,
);

/** Moves a time zone to the next Monday, or to the next working morning if messages are waiting. */
export const moveZone = mutation<At & { timeZone: string; waits: boolean }>(
  'campaign_move_zone',
  (p) => sql`
    update campaign_digests g set next_at = n.next_at
      from (select case when ${p.waits}::boolean
                        then ${openingTime(nextMorning(at(p), sql`z.name`, sql`null::date`), sql`z.name`)}
                        else ${nextMonday(at(p), sql`z.name`)} end as next_at
              from (select ${p.timeZone}::text as name) as z) as n
     where g.company_id = ${p.companyId} and g.time_zone = ${p.timeZone}`,
  { ...SAMPLES, timeZone: 'Europe/Berlin' },
);

/** Removes the planned messages that are due, if no running campaign has an escalation. */
export const removeDigests = mutation<At>(
  'campaign_remove_digests',
  (p) => sql`
    delete from campaign_digests
     where company_id = ${p.companyId} and next_at <= ${at(p)}
       and not exists (select from campaigns c
                        where c.company_id = ${p.companyId} and c.status = 'running' and c.escalate_after is not null)`,
  SAMPLES,
);

/**
 * Finds the active managers in a time zone who have overdue learners, are not on leave, and have not had a message this
 * week.
 */
export const managersToNotify = query<At & { timeZone: string }, { id: string }>(
  'campaign_managers_to_notify',
  (p) => sql`
    select m.id
      from (select distinct ${effectiveManagerId(p)} as id
              from (select distinct a.learner_id from campaign_assignments a
                      join campaigns c on c.company_id = ${p.companyId} and c.id = a.campaign_id
                     where a.company_id = ${p.companyId} and a.due_at <= ${at(p)} and ${isEscalated(at(p))}) as o
             cross join lateral (
               select * from learners where company_id = ${p.companyId} and id = o.learner_id and not inactive offset 0) as l
           ) as m
     cross join lateral (
       select * from learners where company_id = ${p.companyId} and id = m.id and not inactive offset 0) as l
      left join lateral (
        select * from campaign_mail_days where company_id = ${p.companyId} and learner_id = l.id offset 0) as s on true
     where ${learnerZone(p)} = ${p.timeZone} and not ${isOnLeave(at(p), sql`${p.timeZone}::text`)}
       and coalesce(s.notified_on, '-infinity') < ${startOfWeek(at(p), sql`${p.timeZone}::text`)}
     order by m.id`,
  { ...SAMPLES, timeZone: 'Europe/Berlin' },
);

/** Queues a message to each of the managers. Checks again which learners are overdue. */
export const queueDigests = mutation<Managers>(
  'campaign_queue_digests',
  (p) => sql`
    with recipients as (
      select asked.id as learner_id, a.id as assignment_id
        from unnest(${p.managerIds}::uuid[]) as asked (id)
       cross join lateral ${selectEscalated(p, { managerId: sql`asked.id`, at: at(p) })} as a
    ), ${learnerMessages(p, {
      kind: 'assignments_overdue',
      recipients: sql`recipients`,
      subject: sql`assignment_id`,
      isNewCause: true,
    })}`,
  SAMPLES,
);

/** Records the week of the messages that the transaction has queued. Returns the managers who got a message. */
export const recordDigests = mutation<Managers, { id: string }>(
  'campaign_record_digests',
  (p) => sql`
    insert into campaign_mail_days (company_id, learner_id, notified_on)
    select ${p.companyId}, l.id, ${startOfWeek(at(p), sql`z.name`)}
      from unnest(${p.managerIds}::uuid[]) as asked (id)
     cross join lateral (select * from learners where company_id = ${p.companyId} and id = asked.id offset 0) as l
     cross join lateral (select ${learnerZone(p)} as name) as z
     where exists (select from messages m
                    where m.company_id = ${p.companyId} and m.learner_id = l.id and m.status = 'queued'
                      and m.kind = ${literal('assignments_overdue')} and m.created_at = now()::timestamptz(3))
    on conflict (company_id, learner_id) do update set notified_on = excluded.notified_on
    returning learner_id as id`,
  SAMPLES,
);
