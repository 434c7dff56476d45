import type { Knex } from 'knex';

/**
 * When a company removed a course of its own. The row stays, unseen: to delete it, Postgres would read the enrolments of
 * all companies, as foreign keys to courses lead with the owner and the indexes with the company.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table courses add column removed_at timestamptz(3);
    grant update (removed_at) on courses to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table courses drop column removed_at');
}
