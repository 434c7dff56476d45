import type { Knex } from 'knex';

/** Nothing that anybody was sent is removed: the service removes drafts of its own, and they have no recipients. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    revoke delete on simulation_recipients from awareness_service;
    create policy own_drafts on simulations as restrictive for delete to awareness_service
      using (is_own and status = 'draft');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop policy own_drafts on simulations;
    grant delete on simulation_recipients to awareness_service;
  `);
}
