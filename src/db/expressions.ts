import { type Sql, sql } from './sql.ts';

/**
 * The name of a person as answers and mails show it: first and last name.
 * @param person the alias of a row of `learners` or `admins`
 */
export function fullName(person: Sql): Sql {
  return sql`${person}.first_name || ' ' || ${person}.last_name`;
}

/** Of a row `r` of `policy_results`: the signature is in force. It ends when the learner is asked to sign again. */
export const SIGNED_IN_FORCE = sql`coalesce(r.signed >= r.asked_at, false)`;

/** Of a row `e` of `enrollments`: the grade in the contract's words, null until the course is finished. */
export const GRADE = sql`case e.passed when true then 'pass' when false then 'fail' end`;
