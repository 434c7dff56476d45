import type { Knex } from 'knex';

/** Endpoints that are sent the events of some simulations or groups. The ids may outlive what they name. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_endpoints
      add column simulation_ids uuid[] not null default '{}',
      add column group_ids uuid[] not null default '{}',
      add constraint webhook_simulations_of_own check (not of_children or cardinality(simulation_ids) = 0),
      add constraint webhook_groups_of_own check (not of_children or cardinality(group_ids) = 0);
    comment on column webhook_endpoints.simulation_ids is 'Only events of these; all when empty';
    comment on column webhook_endpoints.group_ids is 'Only events of these or of their members; all when empty';
    grant update (simulation_ids, group_ids) on webhook_endpoints to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_endpoints
      drop constraint webhook_simulations_of_own, drop constraint webhook_groups_of_own,
      drop column simulation_ids, drop column group_ids;
  `);
}
