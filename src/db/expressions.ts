import { type Sql, sql } from './sql.ts';

/**
 * Builds the full name of a person, as responses and emails show it.
 * @param person the alias of a row of `learners` or `admins`
 */
export function fullName(person: Sql): Sql {
  return sql`rtrim(${person}.first_name || ' ' || ${person}.last_name)`;
}

/** Formats a full name as `fullName` does. A person with a single name has an empty last name. */
export function formatFullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`.trimEnd();
}

/**
 * Condition that the signature of a policy result `r` is in force: the learner has not been asked to sign again since.
 */
export const SIGNED_IN_FORCE = sql`coalesce(r.signed >= r.asked_at, false)`;

/** Builds the name of a course for a locale such as `de-CH`. Falls back to the language, then to the display name. */
export function courseNameFor(course: Sql, locale: Sql): Sql {
  return sql`
    coalesce(${course}.localized_names ->> ${locale}, ${course}.localized_names ->> lower(split_part(${locale}, '-', 1)),
             ${course}.display_name)`;
}

/** Grade of an enrolment `e` in the contract's words; null until the course is finished and graded. */
export const GRADE = sql`case e.passed when true then 'pass' when false then 'fail' end`;

/**
 * Adds an interval to a timestamp, for `on conflict … do update`. Citus rejects expressions there that could depend on
 * the session's time zone, such as a plain `timestamptz + interval`.
 */
export function addInterval(moment: Sql, interval: Sql): Sql {
  return sql`(${moment} at time zone 'UTC' + ${interval}) at time zone 'UTC'`;
}

/**
 * The last day on which an assignment `a` of a campaign is not overdue. `leave_due_on` is the due date that results
 * from the learner's leave; the later of this date and an extension applies.
 */
export const LAST_DAY = sql`greatest(coalesce(a.extended_until, a.due_on), a.leave_due_on)`;

/**
 * Condition that a message `m` is queued, for statements that are given the ids of messages. Not `status = 'queued'`:
 * Postgres would take the index of queued messages for smaller than it is, until its statistics include the messages of
 * the last bulk call, and read all queued messages of the company in each batch.
 */
export const IS_QUEUED = sql`m.settled_at is null`;
