import { type Sql, sql } from './sql.ts';

/**
 * The full name of a person, as answers and mails show it.
 * @param person the alias of a row of `learners` or `admins`
 */
export function fullName(person: Sql): Sql {
  return sql`${person}.first_name || ' ' || ${person}.last_name`;
}

/** The condition that the signature of a policy result `r` is in force. It ends when the learner is asked again. */
export const SIGNED_IN_FORCE = sql`coalesce(r.signed >= r.asked_at, false)`;

/** The grade of an enrolment `e` in the contract's words. Null until the course is finished. */
export const GRADE = sql`case e.passed when true then 'pass' when false then 'fail' end`;
