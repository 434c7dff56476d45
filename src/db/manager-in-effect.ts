import { type Sql, sql } from './sql.ts';
import type { Parameters } from './statement.ts';

/**
 * Builds the id of the effective manager of a learner `l`: the learner's own manager if active. Otherwise, among the
 * learner's groups that other active learners manage, takes the first group by name, and the manager of that group with
 * the lowest id. Each step is a lookup by key, so that the plan does not depend on statistics. Under row-level
 * security, Postgres looks up a result of coalesce in an index only if it comes from a subquery.
 */
export const effectiveManagerId = (p: Parameters<object>): Sql => sql`(select coalesce((
  select o.id from learners o
   where o.company_id = ${p.companyId} and o.id = l.manager_id and not o.inactive), (
  select eldest.learner_id
    from group_learners gl
    cross join lateral (
      select gm.learner_id from group_managers gm
       where gm.company_id = ${p.companyId} and gm.group_id = gl.group_id and gm.learner_id <> l.id
         and (select not a.inactive from learners a where a.company_id = ${p.companyId} and a.id = gm.learner_id)
       order by gm.learner_id limit 1) as eldest
   where gl.company_id = ${p.companyId} and gl.learner_id = l.id
   order by (select g.name from groups g where g.company_id = ${p.companyId} and g.id = gl.group_id), eldest.learner_id
   limit 1)))`;
