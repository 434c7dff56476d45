import { type Sql, sql } from '../../db/sql.ts';
import type { Parameters } from '../../db/statement.ts';
import { effectiveManagerId } from '../../db/manager-in-effect.ts';

/**
 * Condition that one of the ids is the former id of a merged learner. The `order by` makes Postgres look up the merges
 * by learner. Otherwise, if its statistics are older than most of the merges, Postgres would read all merges of the
 * company for each learner.
 */
const wasMerged = (p: Parameters<object>, learnerId: Sql, ids: Sql): Sql => sql`
  exists (select from (
            select * from learner_merges where company_id = ${p.companyId} and current_learner_id = ${learnerId}
             order by learner_id offset 0) as w
           where w.learner_id = any(${ids}))`;

/** Condition that a learner `l` meets a condition `f` of a campaign. */
const meets = (p: Parameters<object>): Sql => sql`
  (f.learner_ids is null or l.id = any(f.learner_ids) or ${wasMerged(p, sql`l.id`, sql`f.learner_ids`)})
  and (f.countries is null or l.country = any(f.countries))
  and (f.departments is null
       or l.department_key = any(array(select profile_key(d) from unnest(f.departments) as d)))
  and (f.locations is null or l.location_key = any(array(select profile_key(d) from unnest(f.locations) as d)))
  and (f.risk_levels is null or l.risk_level = any(f.risk_levels))
  and (f.group_ids is null
       or exists (select from group_learners g
                   where g.company_id = ${p.companyId} and g.learner_id = l.id and g.group_id = any(f.group_ids)))
  and (f.failed_simulation_ids is null
       or exists (select from simulation_recipients s
                   where s.company_id = ${p.companyId} and s.learner_id = l.id
                     and s.simulation_id = any(f.failed_simulation_ids)
                     and coalesce(s.visited_at, s.compromised_at) is not null))
  and (f.manager_ids is null
       or exists (select from (select ${effectiveManagerId(p)} as id) as m
                   where m.id = any(f.manager_ids) or ${wasMerged(p, sql`m.id`, sql`f.manager_ids`)}))`;

/**
 * Builds a lateral subquery that has a row if the active learner `l` is in the audience of the campaign `c`. Its column
 * `condition` is the position of the first condition that the learner meets; null if the audience is everyone.
 */
export const audience = (p: Parameters<object>): Sql => sql`(
  select met.position as condition
    from (select null::smallint as position where c.everyone
          union all
          (select f.position from campaign_conditions f
            where not c.everyone and f.company_id = ${p.companyId} and f.campaign_id = c.id and not f.excludes and ${meets(p)}
            order by f.position limit 1)) as met
   where not l.inactive
     and not exists (select from campaign_conditions f
                      where f.company_id = ${p.companyId} and f.campaign_id = c.id and f.excludes and ${meets(p)}))`;
