import type { Knex } from 'knex';

/** Who reads the mail of an admin's new address may be somebody else. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table admins add column address_since timestamptz(3);
    comment on column admins.address_since is 'Since when the admin has another address; null for the first one';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table admins drop column address_since');
}
