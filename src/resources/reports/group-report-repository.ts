import { SIGNED_IN_FORCE } from '../../db/expressions.ts';
import { BY_ID } from '../../db/list-order.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { orderedList, type Parameters, statement } from '../../db/statement.ts';
import type { CountedFigures } from './group-report-rules.ts';

const FIGURES = sql`
  people."learnerCount", people."averageRiskScore", training."enrollmentCount", training."startedCount",
  training."finishedCount", training."passedCount", policies."assignedCount", policies."signedCount"`;

/**
 * Counts what some learners do, in three rows beside each other.
 * @param learners selects the learners' `id` and `risk_score`
 */
const countsOf = (p: Parameters<object>, learners: Sql): Sql => sql`
  lateral (
    select count(*)::integer as "learnerCount", round(avg(l.risk_score), 1) as "averageRiskScore"
      from (${learners}) as l) as people
  cross join lateral (
    select count(*)::integer as "enrollmentCount", count(e.start_date)::integer as "startedCount",
           count(e.finish_date)::integer as "finishedCount", (count(*) filter (where e.passed))::integer as "passedCount"
      from (${learners}) as l
      join enrollments e on e.company_id = ${p.companyId} and e.learner_id = l.id
      join courses c on c.owner_id = e.course_owner_id and c.id = e.course_id and c.type = 'training') as training
  cross join lateral (
    select count(*)::integer as "assignedCount", (count(*) filter (where ${SIGNED_IN_FORCE}))::integer as "signedCount"
      from (${learners}) as l
      join policy_results r on r.company_id = ${p.companyId} and r.learner_id = l.id
     where r.assigned_at is not null) as policies`;

const everybody = (p: Parameters<object>): Sql => sql`
  select l.id, l.risk_score from learners l where l.company_id = ${p.companyId} and not l.inactive`;

export const companyFigures = statement<object, CountedFigures>(
  'report_company_figures',
  (p) => sql`
    select k.id, k.name, ${FIGURES}
      from companies k cross join ${countsOf(p, everybody(p))}
     where k.id = ${p.companyId}`,
);

const members = (p: Parameters<object>): Sql => sql`
  select l.id, l.risk_score from group_learners gl
    join learners l on l.company_id = ${p.companyId} and l.id = gl.learner_id and not l.inactive
   where gl.company_id = ${p.companyId} and gl.group_id = g.id`;

/** Counted group by group: a page counts the members of its own groups alone. */
export const listGroupFigures = orderedList<object, CountedFigures>(
  'report_group_figures',
  BY_ID,
  (p) => sql`
    select g.id, g.name, ${FIGURES}
      from groups g cross join ${countsOf(p, members(p))}
     where g.company_id = ${p.companyId}`,
);
