import type { Knex } from 'knex';

/** Names of a managed course by language, for mails, pages and the API. The catalogue command writes them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table courses add column localized_names jsonb not null default '{}'
      check (jsonb_typeof(localized_names) = 'object')`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table courses drop column localized_names');
}
