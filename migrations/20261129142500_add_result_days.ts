import type { Knex } from 'knex';

/**
 * Adds the days of results in the time zone that the company had when they were recorded. Attempts are often derived
 * again from all results of a learner in a course, and a later time zone must not move their dates.
 *
 * `started_on`, which only enrolments had, is now also the start day of a result. Earlier results have no days and
 * count in UTC, as before.
 *
 * `enrolled_from` is the start of an enrolment's day in the time zone at that time. If the company then moves west, the
 * day begins later, and results from the hours before must still finish the enrolment.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table course_result_events add column finished_on date;
    alter table enrollments add column enrolled_from timestamptz(3)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table enrollments drop column enrolled_from;
    alter table course_result_events drop column finished_on;
    update course_result_events set started_on = null where enrolled_on is null`);
}
