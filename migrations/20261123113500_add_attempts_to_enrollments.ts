import type { Knex } from 'knex';
import { inBatches, setNotNull } from '../src/db/migration-steps.ts';

export const config = { transaction: false };

/**
 * An enrolment is the newest attempt of a learner at a course: it has an id of its own, and its number. What the release
 * before inserts is a first attempt.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table enrollments add column if not exists attempt smallint not null default 1,
                            add column if not exists attempt_id uuid,
                            alter column attempt_id set default new_id()`);
  await inBatches(knex, { table: 'enrollments', set: 'attempt_id = new_id()', where: 'attempt_id is null' });
  await setNotNull(knex, 'enrollments', 'attempt_id');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table enrollments drop column if exists attempt_id, drop column if exists attempt');
}
