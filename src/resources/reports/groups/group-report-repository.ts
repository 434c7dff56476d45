import { SIGNED_IN_FORCE } from '../../../db/expressions.ts';
import { BY_ID } from '../../../db/keyset.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { figures, pagedQuery, type Parameters } from '../../../db/statement.ts';
import type { CountedFigures } from './group-report-rules.ts';
import {
  type CountedSimulations,
  NO_SIMULATIONS,
  selectSimulationCounts,
  type SimulationCounts,
} from './group-simulation-repository.ts';

/** Active learners, each with the counts of their courses and policies. */
export const learners = (p: Parameters<object>): Sql => sql`
  (select l.id, l.risk_score, l.department, l.department_key, training.*, policies.*
     from learners l
     left join (
       select learner_id as trained_id, count(*) as enrolled, count(start_date) as started,
              count(finish_date) as finished, count(*) filter (where passed) as passed
         from enrollments
        where company_id = ${p.companyId} and course_id = any(array(select id from courses where type = 'training'))
        group by learner_id) as training on trained_id = l.id
     left join (
       select r.learner_id as asked_id, count(*) as assigned, count(*) filter (where ${SIGNED_IN_FORCE}) as signed
         from policy_results r
        where r.company_id = ${p.companyId} and r.assigned_at is not null
        group by r.learner_id) as policies on asked_id = l.id
    where l.company_id = ${p.companyId} and not l.inactive)`;

const toSumSql = (counts: Sql): Sql => sql`coalesce(sum(${counts}), 0)::integer`;

/** Figures of the learners `l`, which can be empty. */
export const FIGURES = sql`
  count(l.id)::integer as "learnerCount", round(avg(l.risk_score), 1) as "averageRiskScore",
  ${toSumSql(sql`l.enrolled`)} as "enrollmentCount", ${toSumSql(sql`l.started`)} as "startedCount",
  ${toSumSql(sql`l.finished`)} as "finishedCount", ${toSumSql(sql`l.passed`)} as "passedCount",
  ${toSumSql(sql`l.assigned`)} as "assignedCount", ${toSumSql(sql`l.signed`)} as "signedCount"`;

/**
 * Condition that a row belongs to an active learner, for a column with a foreign key to the learners. Few learners are
 * inactive, so Postgres compares the rows with those few instead of all active learners.
 */
export const isOfActive = (p: Parameters<object>, learnerId: Sql): Sql => sql`
  not exists (select from learners l where l.company_id = ${p.companyId} and l.inactive and l.id = ${learnerId})`;

/** The number of active learners, which triggers maintain: counting 100,000 takes 15 ms. */
export const countActive = (p: Parameters<object>): Sql => sql`
  coalesce((select s.active from company_seats s where s.company_id = ${p.companyId}), 0)`;

// Counts learners, courses and policies apart, because none of these counts needs pairs of them.
export const companyFigures = figures<object, CountedFigures>(
  'report_company_figures',
  (p) => sql`
    select k.id, k.name, people.*, training.*, policies.*
      from companies k
     cross join (
       select ${countActive(p)}::integer as "learnerCount", round(avg(l.risk_score), 1) as "averageRiskScore"
         from learners l where l.company_id = ${p.companyId} and not l.inactive) as people
     cross join (
       select count(*)::integer as "enrollmentCount", count(e.start_date)::integer as "startedCount",
              count(e.finish_date)::integer as "finishedCount", (count(*) filter (where e.passed))::integer as "passedCount"
         from enrollments e
        where e.company_id = ${p.companyId} and e.course_id = any(array(select id from courses where type = 'training'))
          and ${isOfActive(p, sql`e.learner_id`)}) as training
     cross join (
       select count(*)::integer as "assignedCount", (count(*) filter (where ${SIGNED_IN_FORCE}))::integer as "signedCount"
         from policy_results r
        where r.company_id = ${p.companyId} and r.assigned_at is not null
          and ${isOfActive(p, sql`r.learner_id`)}) as policies
     where k.id = ${p.companyId}`,
);

export const listGroupFigures = pagedQuery<CountedSimulations, CountedFigures & SimulationCounts>(
  'report_group_figures',
  BY_ID,
  (p) => sql`
    select figures.*, simulations.*
      from (
        select g.id, g.name, ${FIGURES}
          from groups g
          left join group_learners gl on gl.company_id = ${p.companyId} and gl.group_id = g.id
          left join ${learners(p)} as l on l.id = gl.learner_id
         where g.company_id = ${p.companyId} group by g.id, g.name) as figures
     cross join lateral ${selectSimulationCounts(p, sql`figures.id`)} as simulations`,
  NO_SIMULATIONS,
);
