import type { Knex } from 'knex';
import { createIndexConcurrently, dropIndexConcurrently } from '../src/db/migration-steps.ts';

/** What is queued for learners asks for the company's messages of the last hour; there are those of months. */
export async function up(knex: Knex): Promise<void> {
  await createIndexConcurrently(knex, { name: 'messages_time', on: 'messages (company_id, created_at)' });
}

export async function down(knex: Knex): Promise<void> {
  await dropIndexConcurrently(knex, 'messages_time');
}

export const config = { transaction: false };
