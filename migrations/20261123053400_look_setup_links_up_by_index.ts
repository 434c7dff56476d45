import type { Knex } from 'knex';
import { createIndexConcurrently, dropIndexConcurrently } from '../src/db/migration-steps.ts';

export const config = { transaction: false };

/**
 * The index that finds the admin of a setup link is not unique: on Citus a unique one has the company in it, and 256
 * random bits need no constraint.
 */
export async function up(knex: Knex): Promise<void> {
  await createIndexConcurrently(knex, { name: 'admins_setup_link', on: 'admins (setup_token_hash)' });
  await dropIndexConcurrently(knex, 'admins_setup_token');
}

export async function down(knex: Knex): Promise<void> {
  await createIndexConcurrently(knex, { name: 'admins_setup_token', on: 'admins (setup_token_hash)', unique: true });
  await dropIndexConcurrently(knex, 'admins_setup_link');
}
