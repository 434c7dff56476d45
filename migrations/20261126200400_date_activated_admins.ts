import type { Knex } from 'knex';

/** Who has just finished the setup may have been invited for what two admins have to approve. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table admins add column activated_at timestamptz(3);
    comment on column admins.activated_at is 'When the admin finished the setup; null if that was before it was recorded';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table admins drop column activated_at');
}
