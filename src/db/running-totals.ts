import { SIGNED_IN_FORCE } from './expressions.ts';
import { type Sql, sql } from './sql.ts';
import type { Parameters } from './statement.ts';

// Triggers keep the totals up to date (migration create_running_totals), so reading them takes as long for 100 learners
// as for 100,000. The totals of assignments include inactive learners. Their assignments are counted here and
// subtracted: companies have few inactive learners, and `learners_inactive` finds them.

/** Totals of assignments, summed over rows `k` of `running_totals`. */
export const SUMS = sql`
  coalesce(sum(k.assigned), 0) as assigned, coalesce(sum(k.started), 0) as started,
  coalesce(sum(k.completed), 0) as completed, coalesce(sum(k.passed), 0) as passed`;

/**
 * Builds an array of the ids of inactive learners. With a join instead of an array, Postgres might read all
 * assignments.
 */
const inactiveIds = (p: Parameters<object>): Sql => sql`
  array(select l.id from learners l where l.company_id = ${p.companyId} and l.inactive)`;

/** Selects the totals of inactive learners by course. */
export const selectInactiveEnrollments = (p: Parameters<object>): Sql => sql`
  (select e.course_id, count(*) as assigned, count(e.start_date) as started, count(e.finish_date) as completed,
          count(*) filter (where e.passed) as passed
     from enrollments e
    where e.company_id = ${p.companyId} and e.learner_id = any(${inactiveIds(p)})
    group by e.course_id)`;

/** Selects the totals of inactive learners by policy. */
export const selectInactiveResults = (p: Parameters<object>): Sql => sql`
  (select r.policy_id, count(*) as assigned, count(*) filter (where ${SIGNED_IN_FORCE}) as completed
     from policy_results r
    where r.company_id = ${p.companyId} and r.learner_id = any(${inactiveIds(p)}) and r.assigned_at is not null
    group by r.policy_id)`;

/** Selects the number of members of a group `g`, including inactive ones. */
export const countMembers = (p: Parameters<object>): Sql => sql`
  (select coalesce(sum(k.assigned), 0)::integer from running_totals k
    where k.company_id = ${p.companyId} and k.subject_id = g.id)`;

/** Selects the number of active members of each group that has any. */
export const selectGroupSizes = (p: Parameters<object>): Sql => sql`
  (select k.group_id, k.size - coalesce(i.size, 0) as size
     from (select k.subject_id as group_id, sum(k.assigned)::integer as size
             from running_totals k where k.company_id = ${p.companyId} and k.kind = 'group' group by k.subject_id) as k
     left join (
       select gl.group_id, count(*)::integer as size
         from group_learners gl
        where gl.company_id = ${p.companyId} and gl.learner_id = any(${inactiveIds(p)})
        group by gl.group_id) as i on i.group_id = k.group_id
    where k.size > coalesce(i.size, 0))`;
