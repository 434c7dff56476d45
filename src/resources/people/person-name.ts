import { type Sql, sql } from '../../db/sql.ts';

/**
 * The name of a person as answers show it: first and last name.
 * @param person the alias of a row of `learners` or `admins`
 */
export function fullName(person: Sql): Sql {
  return sql`${person}.first_name || ' ' || ${person}.last_name`;
}
