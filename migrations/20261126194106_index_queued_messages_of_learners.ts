import type { Knex } from 'knex';
import { createIndexConcurrently, dropIndexConcurrently } from '../src/db/migration-steps.ts';

export const config = { transaction: false };

const queued = (columns: string) => `messages (${columns}) where status = 'queued'`;

/**
 * The queued messages of a learner. Bulk calls look for them once for each learner. Without statistics Postgres searched
 * the index of all queued messages of the company for that, and ten thousand learners took longer than the time-out.
 */
export async function up(knex: Knex): Promise<void> {
  await createIndexConcurrently(knex, { name: 'messages_queued_learner', on: queued('company_id, learner_id') });
  await dropIndexConcurrently(knex, 'messages_queued');
}

export async function down(knex: Knex): Promise<void> {
  await createIndexConcurrently(knex, { name: 'messages_queued', on: queued('company_id') });
  await dropIndexConcurrently(knex, 'messages_queued_learner');
}
