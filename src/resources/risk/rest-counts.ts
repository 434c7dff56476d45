import { literal, type Sql, sql } from '../../db/sql.ts';

/** The largest minimum group size (`MinGroupSize` in the contract). A larger difference protects every group. */
const MAX_MIN_GROUP_SIZE = 100;

/**
 * Selects for each group the fewest people by which the company, or another group that contains the whole group, exceeds
 * it. Subtracting the two means would return the mean of these people. Groups without such a difference below the
 * largest minimum are left out.
 *
 * Reads the table `members`, with `group_id` and the `id` of a person. Groups of very different sizes are not compared.
 * @param total the number of people in the company
 */
export function selectRestCounts(total: Sql): Sql {
  return sql`
    (with sizes as (select group_id, count(*) as size from members group by group_id)
     select group_id, min(rest)::integer as rest_count
       from (select s.group_id, ${total} - s.size as rest from sizes s
             union all
             select part.group_id, whole_size.size - part_size.size
               from members part
               join sizes part_size on part_size.group_id = part.group_id
               join members whole on whole.id = part.id and whole.group_id <> part.group_id
               join sizes whole_size on whole_size.group_id = whole.group_id
              where whole_size.size - part_size.size between 1 and ${literal(MAX_MIN_GROUP_SIZE - 1)}
              group by part.group_id, part_size.size, whole.group_id, whole_size.size
             having count(*) = part_size.size) as differences
      where rest between 1 and ${literal(MAX_MIN_GROUP_SIZE - 1)}
      group by group_id)`;
}
