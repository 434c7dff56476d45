import type { Knex } from 'knex';

/**
 * Finds a learner's enrolments by either index. Where the statistics of a company are older than its growth, Postgres
 * takes both for equal, and by the narrow one a report read all enrolments of the company for each learner.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index enrollments_course_learner on enrollments (company_id, course_id, learner_id);
    drop index enrollments_course;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create index enrollments_course on enrollments (company_id, course_id);
    drop index enrollments_course_learner;
  `);
}
