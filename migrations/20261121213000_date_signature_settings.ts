import type { Knex } from 'knex';

/** Settings for signatures know the day on which they were made; a default that is withdrawn leaves its day behind. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Days in UTC. Days before them ask nobody.
    alter table policies add column signature_set_on date;
    update policies set signature_set_on = (updated_at at time zone 'utc')::date where signature_type is not null;
    alter table policies add constraint policies_signature_set_on
      check ((signature_type is null) = (signature_set_on is null));

    alter table signature_defaults add column set_on date not null default (now() at time zone 'utc')::date;
    alter table signature_defaults alter column set_on drop default;
    alter table signature_defaults alter column type drop not null;
    comment on column signature_defaults.type is 'Null: the default was withdrawn on the day of set_on.';
    comment on column signature_defaults.policy_id is 'Whose settings they are; the default outlives that policy.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from signature_defaults where type is null;
    comment on column signature_defaults.policy_id is null;
    comment on column signature_defaults.type is null;
    alter table signature_defaults alter column type set not null, drop column set_on;
    alter table policies drop constraint policies_signature_set_on, drop column signature_set_on;
  `);
}
