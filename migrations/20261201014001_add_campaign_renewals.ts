import type { Knex } from 'knex';

/** Lets campaigns assign courses again before their results expire, and records why a later round began. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table campaigns
      -- Whether each course is assigned again before its last finish is no longer valid (courses.valid_for_months).
      add column repeats_before_expiry boolean not null default false,
      add check (not repeats_before_expiry or (repeat_months is null and not repeats_yearly));
    alter table campaign_assignments
      -- The recurrence that began the round; null in the learner's first round.
      add column repeated_because text check (repeated_because in ('afterCompletion', 'beforeExpiry', 'yearly'));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table campaigns drop column repeats_before_expiry;
    alter table campaign_assignments drop column repeated_because`);
}
