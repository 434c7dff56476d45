import type { Knex } from 'knex';

/** Admins who approve a simulation see by whom it was scheduled. The release before leaves it null. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table simulations add column scheduled_by uuid;
    comment on column simulations.scheduled_by is 'The admin or the API key that scheduled it';
    grant update (scheduled_by) on simulations to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table simulations drop column scheduled_by');
}
