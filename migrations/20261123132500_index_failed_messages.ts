import type { Knex } from 'knex';
import { createIndexConcurrently, dropIndexConcurrently } from '../src/db/migration-steps.ts';

/** Who signed a policy is told with whom no mail about it reached: few messages fail, there are all those of months. */
export async function up(knex: Knex): Promise<void> {
  await createIndexConcurrently(knex, {
    name: 'messages_failed',
    on: `messages (company_id, learner_id) where status = 'failed'`,
  });
}

export async function down(knex: Knex): Promise<void> {
  await dropIndexConcurrently(knex, 'messages_failed');
}

export const config = { transaction: false };
