import { literal, type Sql, sql } from '../../db/sql.ts';

/**
 * Largest minimum group size that a company can set (`MinGroupSize` in the contract). Any larger difference protects
 * every group.
 */
const MAX_MIN_GROUP_SIZE = 100;

/**
 * For each group, selects the smallest number of people by which the company, or another group that contains the whole
 * group, exceeds it. Subtracting the two means would reveal the mean of these people. Leaves out groups if there is no
 * such number below the largest minimum.
 *
 * Reads the table `members`, which has the `group_id` and the `id` of each person. Groups of very different sizes are
 * not compared.
 * @param total number of people in the company
 */
export function selectRestCounts(total: Sql): Sql {
  return sql`
    (with sizes as (select group_id, count(*) as size from members group by group_id),
          -- Few pairs have similar sizes, so the members of most groups are not compared.
          pairs as (
            select part.group_id as part_id, part.size as part_size, whole.group_id as whole_id,
                   whole.size - part.size as rest
              from sizes part
              join sizes whole on whole.size - part.size between 1 and ${literal(MAX_MIN_GROUP_SIZE - 1)})
     select group_id, min(rest)::integer as rest_count
       from (select s.group_id, ${total} - s.size as rest from sizes s
             union all
             select pairs.part_id, pairs.rest
               from pairs
               join members part on part.group_id = pairs.part_id
               join members whole on whole.group_id = pairs.whole_id and whole.id = part.id
              group by pairs.part_id, pairs.part_size, pairs.whole_id, pairs.rest
             having count(*) = pairs.part_size) as differences
      where rest between 1 and ${literal(MAX_MIN_GROUP_SIZE - 1)}
      group by group_id)`;
}
