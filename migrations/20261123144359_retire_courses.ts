import type { Knex } from 'knex';

/** A course that nobody begins any more: its results stay. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table courses add column retired_at timestamptz(3);
    grant update (retired_at) on courses to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table courses drop column retired_at');
}
