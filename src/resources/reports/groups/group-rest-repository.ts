import { sql } from '../../../db/sql.ts';
import { aggregate } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { countActive, isOfActive } from './group-report-repository.ts';
import { selectGroupSizes } from '../../learners/shared/kept-figures.ts';
import { selectRestCounts } from '../../risk/rest-counts.ts';

// Few groups are similar in size, so Postgres reads the members of only a few groups, or of none.
const groupsWithFewOthers = aggregate<{ minGroupSize: number }, { groupIds: string[] }>(
  'report_groups_with_few_others',
  (p) => sql`
    with members as (
      select gl.group_id, gl.learner_id as id from group_learners gl
       where gl.company_id = ${p.companyId} and ${isOfActive(p, sql`gl.learner_id`)}
    )
    select coalesce(array_agg(rest.group_id), '{}') as "groupIds"
      from ${selectRestCounts(countActive(p), selectGroupSizes(p))} as rest
     where rest.rest_count < ${p.minGroupSize}::integer`,
);

/**
 * Finds the groups that the company, or another group that contains the whole group, exceeds by fewer active learners
 * than the minimum group size.
 */
export async function findGroupsWithFewOthers(tenant: TenantReader, minGroupSize: number): Promise<Set<string>> {
  const { groupIds } = (await tenant.queryOne(groupsWithFewOthers, { minGroupSize }))!;
  return new Set(groupIds);
}
