import type { Knex } from 'knex';

/** A company can name the networks of its scanners, and take a milestone back with a reason. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table simulation_settings add column scanner_networks text[] not null default '{}';
    alter table simulation_recipients add column withdrawn_because text;
    grant update (withdrawn_because) on simulation_recipients to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table simulation_recipients drop column withdrawn_because;
    alter table simulation_settings drop column scanner_networks;
  `);
}
