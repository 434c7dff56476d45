import type { Knex } from 'knex';

/**
 * An id for a grant that companies may see: its own is part of what the authorization server stores. There are as many
 * grants as applications were approved within ninety days, so all of them are given theirs at once.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table oauth_grants add column connection_id uuid;
    alter table oauth_grants alter column connection_id set default new_id();
    update oauth_grants set connection_id = new_id() where connection_id is null;
    alter table oauth_grants alter column connection_id set not null;
    create unique index oauth_grants_connection on oauth_grants (connection_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table oauth_grants drop column connection_id');
}
