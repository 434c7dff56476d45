import { SIGNED_IN_FORCE } from '../../../db/expressions.ts';
import { BY_ID } from '../../../db/keyset.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { figures, pagedQuery, type Parameters } from '../../../db/statement.ts';
import { selectInactiveEnrollments, selectInactiveResults, SUMS } from '../../../db/running-totals.ts';
import type { CountedFigures } from './group-report-rules.ts';
import {
  type CountedSimulations,
  NO_SIMULATIONS,
  selectSimulationCounts,
  type SimulationCounts,
} from './group-simulation-repository.ts';

const TRAINING = sql`array(select id from courses where type = 'training')`;

/** Condition that a course is a training. */
export const isOfTraining = (courseId: Sql): Sql => sql`${courseId} = any(${TRAINING})`;

/** Number of active learners. Triggers maintain it, because counting 100,000 learners takes 15 ms. */
export const countActive = (p: Parameters<object>): Sql => sql`
  coalesce((select s.active from company_seats s where s.company_id = ${p.companyId}), 0)`;

export const companyFigures = figures<object, CountedFigures>(
  'report_company_figures',
  (p) => sql`
    select k.id, k.name, people.*, training.*, policies.*
      from companies k
     cross join (
       select active::integer as "learnerCount", round(risk_scores / nullif(active, 0), 1) as "averageRiskScore"
         from (select ${countActive(p)} as active, coalesce(sum(k.risk_scores), 0) as risk_scores
                 from running_totals k
                where k.company_id = ${p.companyId} and k.subject_id = ${p.companyId}) as sums) as people
     cross join (
       select (f.assigned - i.assigned)::integer as "enrollmentCount", (f.started - i.started)::integer as "startedCount",
              (f.completed - i.completed)::integer as "finishedCount", (f.passed - i.passed)::integer as "passedCount"
         from (select ${SUMS} from running_totals k
                where k.company_id = ${p.companyId} and k.kind = 'course' and ${isOfTraining(sql`k.subject_id`)}) as f
        cross join (
          select ${SUMS} from ${selectInactiveEnrollments(p)} as k where ${isOfTraining(sql`k.course_id`)}) as i) as training
     cross join (
       select (f.assigned - i.assigned)::integer as "assignedCount", (f.completed - i.completed)::integer as "signedCount"
         from (select ${SUMS} from running_totals k where k.company_id = ${p.companyId} and k.kind = 'policy') as f
        cross join (
          select coalesce(sum(r.assigned), 0) as assigned, coalesce(sum(r.completed), 0) as completed
            from ${selectInactiveResults(p)} as r) as i) as policies
     where k.id = ${p.companyId}`,
);

/** Condition that a row belongs to one of the group's members. Postgres looks up the rows by primary key. */
const isOfMembers = (p: Parameters<object>, table: Sql): Sql =>
  sql`${table}.company_id = ${p.companyId} and ${table}.learner_id = any(people.ids)`;

// NOTE: reads only the rows of a group's members, so the cost of a page depends on the number of members of its groups.
// An array of the members lets Postgres look up the rows by key, once for each group. `is true` prevents a lookup for
// each pair of a member and a course.
export const listGroupFigures = pagedQuery<CountedSimulations, CountedFigures & SimulationCounts>(
  'report_group_figures',
  BY_ID,
  (p) => sql`
    select g.id, g.name, people."learnerCount", people."averageRiskScore", training.*, policies.*, simulations.*
      from groups g
     cross join lateral (
       select array_agg(l.id) as ids, count(*)::integer as "learnerCount",
              round(avg(l.risk_score), 1) as "averageRiskScore"
         from learners l
        where l.company_id = ${p.companyId} and not l.inactive and l.id = any(array(
          select gl.learner_id from group_learners gl
           where gl.company_id = ${p.companyId} and gl.group_id = g.id))) as people
     cross join lateral (
       select count(*)::integer as "enrollmentCount", count(e.start_date)::integer as "startedCount",
              count(e.finish_date)::integer as "finishedCount", (count(*) filter (where e.passed))::integer as "passedCount"
         from enrollments e where ${isOfMembers(p, sql`e`)} and (${isOfTraining(sql`e.course_id`)}) is true) as training
     cross join lateral (
       select count(*)::integer as "assignedCount", (count(*) filter (where ${SIGNED_IN_FORCE}))::integer as "signedCount"
         from policy_results r where ${isOfMembers(p, sql`r`)} and r.assigned_at is not null) as policies
     cross join lateral ${selectSimulationCounts(p, sql`g.id`)} as simulations
     where g.company_id = ${p.companyId}`,
  NO_SIMULATIONS,
);
