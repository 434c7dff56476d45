import type { Knex } from 'knex';

/** Companies make courses of their own, under the ids that these have in the systems that run them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table courses add column external_id text;
    create unique index courses_external_id on courses (owner_id, external_id);

    create policy own_added on courses for insert to awareness_service with check (owner_id = current_company());
    create policy own_changed on courses for update to awareness_service
      using (owner_id = current_company()) with check (owner_id = current_company());
    grant insert,
      update (external_id, name, display_name, subject, difficulty, description, duration_minutes, pass_mark, locales,
              updated_at)
      on courses to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    revoke insert,
      update (external_id, name, display_name, subject, difficulty, description, duration_minutes, pass_mark, locales,
              updated_at)
      on courses from awareness_service;
    drop policy own_changed on courses;
    drop policy own_added on courses;
    alter table courses drop column external_id;
  `);
}
