import { type Sql, sql } from '../../../db/sql.ts';
import { aggregate, type Parameters } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { countActive } from './group-report-repository.ts';
import { selectGroupSizes } from '../../../db/running-totals.ts';

/** Selects the active members of the group `part` that meet a condition. */
const membersOfPart = (p: Parameters<object>, condition: Sql): Sql => sql`
  select gl.learner_id from group_learners gl
   where gl.company_id = ${p.companyId} and gl.group_id = part.group_id and ${condition}
     and (select not l.inactive from learners l where l.company_id = ${p.companyId} and l.id = gl.learner_id offset 0)`;

// A group that contains another group also contains that group's first member, who is in only a few groups. This limits
// the comparisons. The window function replaces a join with `sizes`. For that join, Postgres would compare every group
// with every other if its statistics came from a time when the company was small.
const groupsWithFewOthers = aggregate<{ minGroupSize: number }, { groupIds: string[] }>(
  'report_groups_with_few_others',
  (p) => sql`
    with sizes as (${selectGroupSizes(p)}),
         candidates as (
           select part.group_id as part_id, part.size as part_size, whole.group_id
             from sizes part
            cross join lateral (${membersOfPart(p, sql`true`)} order by gl.learner_id limit 1) as first
            cross join lateral (
              select gl.group_id from group_learners gl
               where gl.company_id = ${p.companyId} and gl.learner_id = first.learner_id
                 and gl.group_id <> part.group_id offset 0) as whole),
         pairs as (
           select part_id, group_id as whole_id, max(size) over (partition by group_id) - part_size as rest
             from (select null::uuid as part_id, null::integer as part_size, group_id, size from sizes
                   union all
                   select part_id, part_size, group_id, null from candidates) as sized)
    select coalesce(array_agg(distinct rests.group_id), '{}') as "groupIds"
      from (select group_id, ${countActive(p)} - size as rest from sizes
            union all
            select part.group_id, part.rest
              from (select part_id as group_id, whole_id, rest from pairs
                     where part_id is not null and rest between 1 and ${p.minGroupSize}::integer - 1 offset 0) as part
             where not exists (${membersOfPart(
               p,
               sql`not exists (
                 select from group_learners whole
                  where whole.company_id = ${p.companyId} and whole.group_id = part.whole_id
                    and whole.learner_id = gl.learner_id offset 0)`,
             )} offset 0)) as rests
     where rests.rest between 1 and ${p.minGroupSize}::integer - 1`,
);

/**
 * Finds the groups that the company, or another group that contains the whole group, exceeds by fewer active learners
 * than the minimum group size.
 */
export async function findGroupsWithFewOthers(tenant: TenantReader, minGroupSize: number): Promise<Set<string>> {
  const { groupIds } = (await tenant.queryOne(groupsWithFewOthers, { minGroupSize }))!;
  return new Set(groupIds);
}
