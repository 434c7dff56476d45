import type { Schemas } from '../../../contract/contract.ts';
import { fullName, LAST_DAY } from '../../../db/expressions.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { pagedQuery, type Parameters, query } from '../../../db/statement.ts';
import { dayOfCause, learnerZone, workingDay } from '../../../mail/messages/working-hours.ts';
import { toCompanyDay } from '../../learners/shared/company-days.ts';
import { IS_OPEN } from '../../learners/shared/due-dates.ts';
import { audience } from '../audience.ts';
import { ITEM_TYPE } from '../campaign-repository.ts';
import { expectedAssignments, ofLearner } from '../expected-assignments.ts';
import { mailDays, type MailedAssignment } from '../messages/mail-days.ts';

/** Condition that the evaluation does not end the open assignment `a` of the learner `l` and the campaign `c`. */
const stays = (p: Parameters<object>): Sql => sql`
  not l.inactive
  and (c.keeps_open or exists (select from ${audience(p)} as in_audience))
  and (select i.item_id from campaign_items i
        where i.company_id = ${p.companyId} and i.campaign_id = a.campaign_id and i.item_id = a.item_id
          and i.removed_at is null limit 1) is not null`;

export interface PreviewedPage {
  campaignId: string;
  learnerIds: string[];
}

/** A page of learners to preview a campaign for. */
export interface PreviewedFigures extends PreviewedPage {
  /** Whether a paused campaign counts as if it were active. Otherwise, a paused campaign assigns and sends nothing. */
  countsPaused: boolean;
}

const NOW = sql`case when c.started_on is null then greatest(now(), c.start_at) else now() end`;

/** Builds the assignments that the learner `l` would get from the campaign `c`, at or after its start. */
const expected = (p: Parameters<object>): Sql =>
  expectedAssignments(p, {
    now: NOW,
    startedOn: sql`coalesce(c.started_on, ${toCompanyDay(p, NOW)})`,
  });

/**
 * Condition that the learner has already completed what the assignment `e` requires, as `complete_assignments` decides.
 */
const isDone = (p: Parameters<object>): Sql => sql`
  case when e.course_id is not null
       then exists (
         select from enrollments n
          where n.company_id = ${p.companyId} and n.learner_id = e.learner_id and n.course_id = e.course_id
            and (n.finish_date >= e.results_from and n.passed is distinct from false
                 or exists (select from enrollment_attempts k
                             where k.company_id = ${p.companyId} and k.learner_id = n.learner_id
                               and k.course_id = n.course_id and k.attempt < n.attempt
                               and k.finish_date >= e.results_from and k.passed is distinct from false)))
       else exists (
         select from signatures s
          where s.company_id = ${p.companyId} and s.learner_id = e.learner_id and s.policy_id = e.policy_id
            and s.voided_at is null and s.signed >= e.signatures_from) end`;

/** Selects the learners of the call as `l`, and the campaign as `c`. */
const learnersOfPage = (p: Parameters<PreviewedPage>): Sql => sql`
  unnest(${p.learnerIds}::uuid[]) as asked (id)
  cross join lateral (select * from learners where company_id = ${p.companyId} and id = asked.id offset 0) as l
  join campaigns c on c.company_id = ${p.companyId} and c.id = ${p.campaignId} and c.status <> 'ended'`;

/** Selects the same rows as `learnersOfPage`, if the campaign assigns and sends anything. */
const affectedLearners = (p: Parameters<PreviewedFigures>): Sql => sql`
  ${learnersOfPage(p)} and (c.status <> 'paused' or ${p.countsPaused}::boolean)`;

/** Builds the days of messages about an assignment to the learner `l`. A missed day is made up for. */
const daysAhead = (from: Sql, mailed: MailedAssignment): Sql => sql`
  cross join lateral (
    select ${workingDay(sql`f.day`)} as day
      from ${mailDays(mailed)} as d
     cross join lateral (
       select greatest(d.day, ${dayOfCause(from, mailed.zone)}, s.waits_until) as day) as f
     where d.day > coalesce(s.mailed_on, '-infinity')) as d`;

const lastMessage = (p: Parameters<object>): Sql => sql`
  left join lateral (
    select * from campaign_mail_days where company_id = ${p.companyId} and learner_id = l.id offset 0) as s on true`;

export interface PreviewFigures {
  learners: number;
  assignments: number;
  completedAtOnce: number;
  /** Number of messages by calendar date. */
  days: Record<string, number>;
  /** Number of assignments by due date. */
  dueDays: Record<string, number>;
}

/**
 * Counts what a campaign would do for learners: new assignments, due dates, and messages about new and open
 * assignments.
 */
export const previewFigures = query<PreviewedFigures, PreviewFigures>(
  'campaign_preview_figures',
  (p) => sql`
    with expected as materialized (
      select e.learner_id, e.last_day, e.now, e.zone, l.absent_until, ${isDone(p)} as is_done
        from ${affectedLearners(p)} cross join lateral ${expected(p)} as e
    ), mailed as (
      select l.learner_id, d.day
        from (select e.*, e.learner_id as id from expected e where not e.is_done) as l
        join campaigns c on c.company_id = ${p.companyId} and c.id = ${p.campaignId}
        ${lastMessage(p)}
        ${daysAhead(sql`l.now`, { assignedAt: sql`l.now`, dueOn: sql`l.last_day`, zone: sql`l.zone`, remindedAt: sql`null::timestamptz`, absentUntil: sql`l.absent_until` })}
      union
      select l.id, d.day
        from ${affectedLearners(p)}
       cross join lateral ${ofLearner(p, sql`l.id`)} as a
       cross join lateral (select ${learnerZone(p)} as name) as z
        ${lastMessage(p)}
        ${daysAhead(sql`now()`, {
          assignedAt: sql`a.assigned_at`,
          dueOn: LAST_DAY,
          zone: sql`z.name`,
          remindedAt: sql`a.reminded_at`,
          absentUntil: sql`l.absent_until`,
        })}
       where a.campaign_id = ${p.campaignId} and ${IS_OPEN} and ${stays(p)}
    ), due as (
      select e.last_day as day from expected e where not e.is_done
      union all
      select ${LAST_DAY} as day
        from ${learnersOfPage(p)}
       cross join lateral ${ofLearner(p, sql`l.id`)} as a
       where a.campaign_id = ${p.campaignId} and ${IS_OPEN} and ${stays(p)}
    )
    select count(distinct e.learner_id)::integer as learners, count(*)::integer as assignments,
           (count(*) filter (where e.is_done))::integer as "completedAtOnce",
           coalesce((
             select jsonb_object_agg(n.day, n.messages)
               from (select m.day, count(*) as messages from mailed m
                      where m.day < now()::date + 366 group by m.day) as n), '{}') as days,
           coalesce((
             select jsonb_object_agg(n.day, n.assignments)
               from (select u.day, count(*) as assignments from due u
                      where u.day between now()::date - 1 and now()::date + 366 group by u.day) as n), '{}') as "dueDays"
      from expected e
    having count(*) > 0 or exists (select from mailed) or exists (select from due)`,
);

export const previewedLearners = query<{ afterId: string; limit: number }, { id: string }>(
  'campaign_previewed_learners',
  (p) => sql`
    select id from learners
     where company_id = ${p.companyId} and id > ${p.afterId} and not inactive order by id limit ${p.limit}::integer`,
);

/** Condition that the campaigns `c` and `o` share the item `i`. */
const SHARED = (p: Parameters<{ campaignId: string }>): Sql => sql`
  campaign_items i
  join campaign_items j on j.company_id = ${p.companyId} and j.campaign_id = o.id and j.item_id = i.item_id
   and j.removed_at is null
 where i.company_id = ${p.companyId} and i.campaign_id = ${p.campaignId} and i.removed_at is null`;

export type Clash = Omit<Schemas['CampaignClash'], 'learners'>;

/** Finds the other campaigns that require an item of a campaign. */
export const clashes = query<{ campaignId: string }, Clash>(
  'campaign_clashes',
  (p) => sql`
    select o.id as "campaignId", o.name, o.status, (
             select jsonb_agg(jsonb_build_object('type', ${ITEM_TYPE}, 'id', i.item_id) order by i.position)
               from ${SHARED(p)}) as items
      from campaigns o
     where o.company_id = ${p.companyId} and o.id <> ${p.campaignId} and o.status <> 'ended'
       and exists (select from ${SHARED(p)})
     order by o.id`,
);

/** Counts the learners who are in the audience of a campaign and of each given other campaign. */
export const sharedLearners = query<PreviewedPage & { otherIds: string[] }, { campaignId: string; learners: number }>(
  'campaign_shared_learners',
  (p) => sql`
    select o.id as "campaignId", count(*)::integer as learners
      from ${learnersOfPage(p)}
     cross join lateral ${audience(p)} as mine
      join campaigns o on o.company_id = ${p.companyId} and o.id = any(${p.otherIds}::uuid[])
     cross join lateral (
       select from campaigns c cross join lateral ${audience(p)} as theirs
        where c.company_id = ${p.companyId} and c.id = o.id) as both_of
     group by o.id`,
);

export interface PreviewRow extends Omit<Schemas['ExpectedAssignment'], 'learner' | 'item'> {
  learnerId: string;
  name: string;
  email: string;
  itemId: string;
  isCourse: boolean;
}

/** Lists the assignments that a campaign would create, ordered by learner and item. */
export const previewLearners = pagedQuery<{ campaignId: string }, PreviewRow>(
  'campaign_preview_learners',
  { learnerId: 'uuid', itemId: 'uuid' },
  (p, continued) => sql`
    select l.id as "learnerId", e.item_id as "itemId", ${fullName(sql`l`)} as name, l.email,
           e.course_id is not null as "isCourse", e.round, e.condition, e.last_day::text as "dueOn",
           ${isDone(p)} as "completedAtOnce"
      from (select * from learners l where l.company_id = ${p.companyId} and ${continued(sql`l.id`)} order by l.id offset 0) as l
     cross join lateral (
       select * from campaigns
        where company_id = ${p.companyId} and id = ${p.campaignId} and status <> 'ended' offset 0) as c
     cross join lateral ${expected(p)} as e`,
);
