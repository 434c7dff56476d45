import type { Knex } from 'knex';

/**
 * The Message-ID that a sender gives with an event, to find whose message is reported. The table is as new as the release
 * that this comes with, so that it has no rows to rewrite.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table simulation_events
      add column message_id text generated always as (btrim(evidence ->> 'messageId', '<>')) stored;
    create index simulation_events_message on simulation_events (company_id, message_id) where message_id is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table simulation_events drop column message_id');
}
