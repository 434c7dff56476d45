import type { Schemas } from '../../../contract/contract.ts';
import { invalidField } from '../../../contract/errors.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { Parameters } from '../../../db/statement.ts';

/**
 * The attempts that a list shows of each learner and course. An attempt belongs to a period if it began on or before
 * its last day and was not finished before its first day.
 */
export interface ReportedAttempts {
  attempts: 'latest' | 'best' | 'all';
  /** First and last day of the period, such as `2026-01-31`; null without a limit. */
  from: string | null;
  to: string | null;
}

interface AttemptsQuery {
  attempts?: Schemas['AttemptsFilter'] | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** @throws invalid_request if the period ends before it begins */
export function readReportedAttempts({ attempts = 'latest', from, to }: AttemptsQuery): ReportedAttempts {
  if (from !== undefined && to !== undefined && from > to) throw invalidField('query/from', 'must not be after to');
  return { attempts: attempts === 'newest' ? 'latest' : attempts, from: from ?? null, to: to ?? null };
}

/** Reports whether the attempts are the newest of all time, which `newestAttempts` selects faster. */
export function areNewest({ attempts, from, to }: ReportedAttempts): boolean {
  return attempts === 'latest' && from === null && to === null;
}

/** Sample parameters with which tests run the statements. */
export const ANY_ATTEMPT = { attempts: 'all', from: null, to: null } as const satisfies ReportedAttempts;

const ATTEMPT = sql`
  attempt_id, attempt, enroll_date, start_date, finish_date, score, passed, asked_at, reminder_sent_at, mail_failed_at`;

/** Source of the newest attempts, each with the number of attempts of its learner and course. */
export const newestAttempts = (p: Parameters<object>): Sql => sql`
  (select company_id, learner_id, course_id, course_owner_id, attempt as attempts, ${ATTEMPT}
     from enrollments newest where company_id = ${p.companyId})`;

/**
 * Source of the reported attempts, with the columns of `newestAttempts`; only attempts that began on or before `to`
 * count. Each learner and course has a newest attempt, so conditions on learners and courses use the indexes of
 * `enrollments`. The condition on the number leaves out copies of the newest attempt among the earlier ones.
 */
export const reportedAttempts = (p: Parameters<ReportedAttempts>): Sql => sql`
  (select newest.company_id, newest.learner_id, newest.course_id, newest.course_owner_id, reported.*
     from enrollments newest
    cross join lateral (
      select begun.*
        from (select max(attempt) over () as attempts, ${ATTEMPT}
                from (select newest.attempt_id, newest.attempt, newest.enroll_date, newest.start_date,
                             newest.finish_date, newest.score, newest.passed, newest.asked_at, newest.reminder_sent_at,
                             newest.mail_failed_at
                      union all
                      select ${ATTEMPT} from enrollment_attempts earlier
                       where earlier.company_id = ${p.companyId} and earlier.learner_id = newest.learner_id
                         and earlier.course_id = newest.course_id and earlier.attempt < newest.attempt) as own
               where ${p.to}::date is null or own.enroll_date <= ${p.to}) as begun
       where ${p.from}::date is null or begun.finish_date is null or begun.finish_date >= ${p.from}
       order by case when ${p.attempts}::text <> 'best' or begun.finish_date is null then 0
                     when begun.passed then 3 when begun.passed is null then 2 else 1 end desc,
                case when ${p.attempts} = 'best' then begun.score end desc nulls last,
                begun.attempt desc
       limit case when ${p.attempts} <> 'all' then 1 end) as reported
    where newest.company_id = ${p.companyId})`;
