import { SIGNED_IN_FORCE } from '../../../db/expressions.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { pagedQuery, type Parameters } from '../../../db/statement.ts';
import { isOfTraining } from './group-report-repository.ts';
import type { CountedDepartment } from './group-report-rules.ts';

/** Joins rows with their active learners `l`. The column `key` identifies the department; null is also a department. */
const joinLearners = (p: Parameters<object>, learnerId: Sql): Sql => sql`
  join learners l on l.company_id = ${p.companyId} and l.id = ${learnerId} and not l.inactive`;
const KEY = sql`coalesce(l.department_key, '')`;

// Counts learners, courses and policies separately, because no count needs pairs of these.
export const listDepartmentFigures = pagedQuery<object, CountedDepartment>(
  'report_department_figures',
  { name: 'text asc nulls last' },
  (p) => sql`
    select people.name, people."learnerCount", people."averageRiskScore",
           coalesce(training.enrolled, 0)::integer as "enrollmentCount",
           coalesce(training.started, 0)::integer as "startedCount",
           coalesce(training.finished, 0)::integer as "finishedCount",
           coalesce(training.passed, 0)::integer as "passedCount",
           coalesce(policies.assigned, 0)::integer as "assignedCount",
           coalesce(policies.signed, 0)::integer as "signedCount"
      from (select ${KEY} as key, min(l.department) as name, count(*)::integer as "learnerCount",
                   round(avg(l.risk_score), 1) as "averageRiskScore"
              from learners l
             where l.company_id = ${p.companyId} and not l.inactive group by 1) as people
      left join (
        select ${KEY} as key, count(*) as enrolled, count(e.start_date) as started, count(e.finish_date) as finished,
               count(*) filter (where e.passed) as passed
          from enrollments e ${joinLearners(p, sql`e.learner_id`)}
         where e.company_id = ${p.companyId} and ${isOfTraining(sql`e.course_id`)} group by 1) as training
        on training.key = people.key
      left join (
        select ${KEY} as key, count(*) as assigned, count(*) filter (where ${SIGNED_IN_FORCE}) as signed
          from policy_results r ${joinLearners(p, sql`r.learner_id`)}
         where r.company_id = ${p.companyId} and r.assigned_at is not null group by 1) as policies
        on policies.key = people.key`,
);
