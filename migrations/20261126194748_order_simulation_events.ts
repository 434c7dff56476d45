import type { Knex } from 'knex';
import { createIndexConcurrently, dropIndexConcurrently } from '../src/db/migration-steps.ts';

export const config = { transaction: false };

/** The list of interactions is in the order of this index, which serves what the one before did, too. */
export async function up(knex: Knex): Promise<void> {
  await createIndexConcurrently(knex, {
    name: 'simulation_events_in_order',
    on: 'simulation_events (company_id, simulation_id, learner_id, occurred_at, event_id)',
  });
  await dropIndexConcurrently(knex, 'simulation_events_recipient');
}

export async function down(knex: Knex): Promise<void> {
  await createIndexConcurrently(knex, {
    name: 'simulation_events_recipient',
    on: 'simulation_events (company_id, simulation_id, learner_id)',
  });
  await dropIndexConcurrently(knex, 'simulation_events_in_order');
}
