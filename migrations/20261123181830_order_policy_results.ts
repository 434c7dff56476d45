import type { Knex } from 'knex';
import { createIndexConcurrently, dropIndexConcurrently } from '../src/db/migration-steps.ts';

/** A page of a policy's results, which are ordered by learner, is a range of the index. */
export async function up(knex: Knex): Promise<void> {
  const on = 'policy_results (company_id, policy_id, learner_id)';
  await createIndexConcurrently(knex, { name: 'policy_results_policy_learner', on });
  await dropIndexConcurrently(knex, 'policy_results_policy');
}

export async function down(knex: Knex): Promise<void> {
  await createIndexConcurrently(knex, { name: 'policy_results_policy', on: 'policy_results (company_id, policy_id)' });
  await dropIndexConcurrently(knex, 'policy_results_policy_learner');
}

export const config = { transaction: false };
