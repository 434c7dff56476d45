import type { Knex } from 'knex';

// The migration consists only of steps that can be run again after a run was killed halfway.
export const config = { transaction: false };

/** Lets directories provision admins, and stores values that only a directory has sent. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table company_settings
      -- Whether the directory provisions admins.
      add column if not exists provisions_admins boolean not null default false,
      -- Whether the directory takes over admins who were invited.
      add column if not exists joins_admins boolean not null default false,
      -- The roles of admins by group, in order: objects with groupId, role and roleId.
      add column if not exists admin_groups jsonb not null default '[]'`);
  await knex.raw(`
    alter table admins
      -- The user of the directory that provisions the admin; null for other admins. Without a foreign key, because the
      -- deletion of the learner must not wait for the lock of the admin.
      add column if not exists directory_learner_id uuid,
      -- Whether the admin keeps the role only because the company has no other active owner.
      add column if not exists kept_as_last_owner boolean not null default false`);
  await knex.raw(`
    create unique index if not exists admins_of_directory on admins (company_id, directory_learner_id)
      where directory_learner_id is not null`);
  await knex.raw(`
    alter table directory_learners
      -- Values that the directory itself last sent, regardless of changes through the API. Null if they are not known.
      add column if not exists email text,
      add column if not exists given_name text,
      add column if not exists family_name text,
      add column if not exists active boolean`);
  // Whether the directory has added the member. Only such members can become admins.
  await knex.raw('alter table group_learners add column if not exists by_directory boolean not null default false');
  await knex.raw('grant update (by_directory) on group_learners to awareness_service');
  await knex.raw('grant update (email, given_name, family_name, active) on directory_learners to awareness_service');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table group_learners drop column if exists by_directory');
  await knex.raw(`
    alter table directory_learners drop column if exists email, drop column if exists given_name,
      drop column if exists family_name, drop column if exists active`);
  await knex.raw(`
    alter table admins drop column if exists directory_learner_id, drop column if exists kept_as_last_owner`);
  await knex.raw(`
    alter table company_settings drop column if exists provisions_admins, drop column if exists joins_admins,
      drop column if exists admin_groups`);
}
