import { type Sql, sql } from '../../../db/sql.ts';
import type { Parameters } from '../../../db/statement.ts';
import { type Past, type RowsIn, versionInForce } from '../../learners/shared/past.ts';
import { byWorth, isOfPeriod, type ReportedAttempts } from './reported-attempts.ts';

const COLUMNS = sql`
  course_id, course_owner_id, attempt_id, attempt, enroll_date, start_date, finish_date, score, passed, asked_at,
  reminder_sent_at, mail_failed_at, recorded_at`;

const COUNTED = sql`
  learner_id, course_id, attempt_id, attempt, enroll_date, start_date, finish_date, score, passed`;

/** Rows of a learner's attempts, and their former versions. An attempt in both attempt tables appears twice. */
const knownVersions = (p: Parameters<Past>, learnerId: Sql): Sql =>
  selectVersions(
    COLUMNS,
    sql`company_id = ${p.companyId} and learner_id = ${learnerId} and recorded_at < ${p.knownUntil}::timestamptz`,
  );

function selectVersions(columns: Sql, condition: Sql): Sql {
  return sql`
    select ${columns}, 'infinity'::timestamptz as superseded_at from enrollments where ${condition}
     union all
    select ${columns}, 'infinity' from enrollment_attempts where ${condition}
     union all
    select ${columns}, superseded_at from attempt_versions where ${condition}`;
}

/**
 * Condition that an attempt `a` existed at the end of the day: it had begun, and it is still known or was removed
 * later. A correction removes an attempt as if it had never been recorded.
 */
const existed = (p: Parameters<Past>, learnerId: Sql): Sql => sql`
  a.enroll_date <= ${p.asOf}::date
  and (a.superseded_at >= ${p.knownUntil}::timestamptz
       or a.superseded_at >= ${p.asOfEnd}::timestamptz and not exists (
         select from corrections c
          where c.company_id = ${p.companyId} and c.learner_id = ${learnerId} and c.kind = 'course_result'
            and c.corrected_at = a.superseded_at))`;

/**
 * Condition that the attempt `b` replaced an open attempt `a` that was removed. A learner has at most one open attempt
 * at a course. After a removal, a later start or enrolment can begin the attempt again, and includes the earlier
 * starts.
 * @param isPresent the condition that `b` existed and was removed later than `a`, or not at all
 */
const tookPlace = (p: Parameters<Past>, isPresent: Sql): Sql => sql`
  a.superseded_at < ${p.knownUntil}::timestamptz and (a.finish_date is null or a.finish_date > ${p.asOf}::date)
  and ${isPresent} and (b.finish_date is null or b.finish_date > a.enroll_date)`;

/** Columns of an attempt `a` as they were on the day. */
const asOfDay = (p: Parameters<Past>): Sql => sql`
  case when a.start_date <= ${p.asOf} then a.start_date end as start_date,
  case when a.finish_date <= ${p.asOf} then a.finish_date end as finish_date,
  case when a.finish_date <= ${p.asOf} then a.score end as score,
  case when a.finish_date <= ${p.asOf} then a.passed end as passed`;

/**
 * Source of a learner's attempts as they were on the day, with the columns of `reportedAttempts`. Numbers the attempts
 * of a course again, because a removed attempt and a later one can have the same number.
 */
export const pastAttempts = (p: Parameters<Past & ReportedAttempts>, learnerId: Sql): Sql => sql`
  (with known as (${knownVersions(p, learnerId)}),
   latest as (
     select distinct on (course_id, attempt_id) * from known
      order by course_id, attempt_id, superseded_at >= ${p.knownUntil}::timestamptz desc, recorded_at desc,
               superseded_at desc),
   present as (select * from latest a where ${existed(p, learnerId)}),
   begun as (
     select a.course_id, a.course_owner_id, a.attempt_id, a.enroll_date, mailed.*,
            row_number() over (partition by a.course_id order by a.attempt, a.enroll_date, a.attempt_id)::smallint as attempt,
            count(*) over (partition by a.course_id)::smallint as attempts, ${asOfDay(p)}
       from present a
       left join lateral (
         select asked_at, reminder_sent_at, mail_failed_at from known k
          where k.course_id = a.course_id and k.attempt_id = a.attempt_id
            and k.recorded_at < ${p.asOfEnd}::timestamptz and k.superseded_at >= ${p.asOfEnd}::timestamptz
          order by k.recorded_at desc, k.asked_at desc nulls last, k.reminder_sent_at desc nulls last,
                   k.mail_failed_at desc nulls last limit 1) as mailed on true
      where not exists (
        select from present b
         where b.course_id = a.course_id and ${tookPlace(p, sql`b.superseded_at > a.superseded_at`)}))
   select distinct on (course_id, listed) *
     from (select begun.*, case when ${p.attempts}::text = 'all' then attempt end as listed from begun
            where ${isOfPeriod(p)}) as own
    order by course_id, listed, ${byWorth(p)})`;

/**
 * Source of the same attempts for the totals of many learners; reads all attempts at once. The row of an attempt counts
 * if it was known; otherwise, its version counts.
 * @param isWanted the condition on `course_id`
 */
export function countedPastAttempts(p: Parameters<Past & ReportedAttempts>, rowsIn: RowsIn, isWanted: Sql): Sql {
  const isKnown = sql`${isWanted} and recorded_at < ${p.knownUntil}::timestamptz`;
  // Looks up the row of each version. The versions are those of attempts that were open at the end of the day.
  const isWithoutRow = (table: Sql) => sql`
    (select c.learner_id from ${table} c
      where c.company_id = ${p.companyId} and c.learner_id = a.learner_id and c.course_id = a.course_id
        and c.attempt_id = a.attempt_id and c.recorded_at < ${p.knownUntil}::timestamptz limit 1) is null`;
  const rows = (table: Sql) => sql`
    select ${COUNTED} from ${rowsIn(table)} as own where ${isKnown} and enroll_date <= ${p.asOf}::date`;
  const isInPlace = (table: Sql) => sql`
    (select b.learner_id from ${table} b
      where b.company_id = ${p.companyId} and b.learner_id = a.learner_id and b.course_id = a.course_id
        and ${tookPlace(p, sql`b.recorded_at < ${p.knownUntil}::timestamptz and b.enroll_date <= ${p.asOf}::date`)}
      limit 1) is not null`;
  return sql`
    (with versions as (
       select a.*
         from (select distinct on (learner_id, course_id, attempt_id) ${COUNTED}, superseded_at
                 from ${rowsIn(sql`attempt_versions`)} as own
                where ${isKnown} and superseded_at >= ${p.asOfEnd}::timestamptz
                order by learner_id, course_id, attempt_id, superseded_at >= ${p.knownUntil}::timestamptz desc,
                         recorded_at desc, superseded_at desc) as a
        where ${existed(p, sql`a.learner_id`)} and ${isWithoutRow(sql`enrollments`)}
          and ${isWithoutRow(sql`enrollment_attempts`)}),
     begun as (
       ${rows(sql`enrollments`)}
        union all
       ${rows(sql`enrollment_attempts`)}
        union all
       select ${COUNTED} from versions a
        where not ${isInPlace(sql`enrollments`)} and not ${isInPlace(sql`enrollment_attempts`)}
          and not exists (
            select from versions b
             where b.learner_id = a.learner_id and b.course_id = a.course_id
               and ${tookPlace(p, sql`b.superseded_at > a.superseded_at`)}))
     select distinct on (learner_id, course_id, listed) own.*
       from (select a.learner_id, a.course_id, a.attempt_id, a.attempt, a.enroll_date, ${asOfDay(p)},
                    case when ${p.attempts}::text = 'all' then attempt_id end as listed
               from begun a) as own
      where ${isOfPeriod(p)}
      order by learner_id, course_id, listed, ${byWorth(p)}, enroll_date desc, attempt_id desc)`;
}

/**
 * Source of the course of an attempt `e` as it was on the day. OFFSET 0 makes Postgres look up the course of each
 * attempt. Otherwise, if it lacks statistics, Postgres would read each learner's attempts again for each course.
 */
export function pastCourse(p: Parameters<Past>): Sql {
  const versions = sql`from course_versions v where v.owner_id = o.owner_id and v.course_id = o.id`;
  return sql`
    (select o.type, o.subject, version.*
       from courses o
      cross join lateral ${versionInForce(p, sql`name, difficulty`, versions, sql`o.name, o.difficulty`)} as version
      where o.owner_id = e.course_owner_id and o.id = e.course_id offset 0)`;
}

/** Condition that the company had attempts on the day; Postgres evaluates it only once. */
export const hasPastAttempts = (p: Parameters<Past>): Sql => {
  const isOfCompany = sql`company_id = ${p.companyId} and enroll_date <= ${p.asOf}::date`;
  return sql`
    (exists (select from enrollments where ${isOfCompany})
     or exists (select from enrollment_attempts where ${isOfCompany})
     or exists (select from attempt_versions where ${isOfCompany}))`;
};

/**
 * Selects the courses in which anyone was enrolled by the end of the day, with `course_owner_id`. Reads all versions of
 * attempts once, not only the last known version of each attempt. It therefore also lists a course whose only attempts
 * were re-dated later.
 */
export function listPastCourseIds(p: Parameters<Past>): Sql {
  const isKnown = sql`company_id = ${p.companyId} and recorded_at < ${p.knownUntil}::timestamptz`;
  return sql`
    select distinct a.course_id, a.course_owner_id
      from (${selectVersions(sql`learner_id, course_id, course_owner_id, enroll_date, recorded_at`, isKnown)}) as a
     where ${existed(p, sql`a.learner_id`)}`;
}
