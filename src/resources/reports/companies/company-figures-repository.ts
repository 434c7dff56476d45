import { sql } from '../../../db/sql.ts';
import { mutation, pointQuery } from '../../../db/statement.ts';
import { IS_OPEN } from '../../learners/shared/due-dates.ts';

/** Returns the company if another company manages it. */
export const managedCompany = pointQuery<object, { id: string }>(
  'company_figures_needed',
  (p) => sql`select id from companies where id = ${p.companyId} and cardinality(managed_by) > 0`,
);

/** Figures of the company, as in `GET /reports/groups`. */
export interface ReportedFigures {
  countedAt: Date;
  learnerCount: number;
  averageRiskScore: number | null;
  sentCount: number | null;
  clickRate: number | null;
  reportRate: number | null;
}

/** Stores the given figures, and others that the statement counts itself. A course counts from the start of its day. */
export const recordCompanyFigures = mutation<ReportedFigures>(
  'company_figures_record',
  (p) => sql`
    insert into company_figures as f (
      company_id, counted_at, average_risk_score, overdue_learners, overdue_rate, sent_count, click_rate, report_rate,
      breached_accounts, last_activity_at)
    select ${p.companyId}, ${p.countedAt}::timestamptz, ${p.averageRiskScore}::numeric, overdue,
           round(overdue / nullif(${p.learnerCount}::numeric, 0), 4), ${p.sentCount}::integer, ${p.clickRate}::numeric,
           ${p.reportRate}::numeric, breached, active_at
      from (
        select case when t.smlearn or t.smpolicy then (
                 select count(distinct a.learner_id)
                   from campaign_assignments a
                   join learners l on l.company_id = ${p.companyId} and l.id = a.learner_id and not l.inactive
                  where a.company_id = ${p.companyId} and ${IS_OPEN} and a.due_at <= now())::integer end as overdue,
               case when t.smbreachproenabled then (
                 select count(distinct b.email) from breached_accounts b
                  where b.domain = any(select lower(unnest(t.smbreachprodomains))))::integer end as breached,
               greatest(
                 (select max(s.occurred_at) from sign_ins s where s.company_id = ${p.companyId} and s.reason is null),
                 (select max(s.signed) from signatures s where s.company_id = ${p.companyId} and s.voided_at is null),
                 (select max(coalesce(e.finish_date, e.start_date)) from enrollments e
                   where e.company_id = ${p.companyId})::timestamptz) as active_at
          from companies t where t.id = ${p.companyId}) as counted
    on conflict (company_id) do update
       set counted_at = excluded.counted_at, average_risk_score = excluded.average_risk_score,
           overdue_learners = excluded.overdue_learners, overdue_rate = excluded.overdue_rate,
           sent_count = excluded.sent_count, click_rate = excluded.click_rate, report_rate = excluded.report_rate,
           breached_accounts = excluded.breached_accounts, last_activity_at = excluded.last_activity_at`,
);
