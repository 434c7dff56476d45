import type { Knex } from 'knex';

/** What is queued for learners asks for the company's messages of the last hour; there are those of months. */
export async function up(knex: Knex): Promise<void> {
  // An index that was given up half-way is left behind, and not used.
  await knex.raw('drop index concurrently if exists messages_time');
  await knex.raw('create index concurrently messages_time on messages (company_id, created_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists messages_time');
}

/** Concurrently, so that mail goes on meanwhile; Postgres does that outside of a transaction alone. */
export const config = { transaction: false };
