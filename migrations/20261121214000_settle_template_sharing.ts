import type { Knex } from 'knex';

/** A template is shared with every child tenant, or with those that are named, or with nobody; never with both. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    update policy_templates set is_global = false where cardinality(companies) > 0;
    alter table policy_templates add constraint policy_templates_sharing
      check (not is_global or cardinality(companies) = 0);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table policy_templates drop constraint policy_templates_sharing');
}
