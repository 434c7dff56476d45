import type { Knex } from 'knex';

/** What the keys of the seed are called, which are there until the demo is complete. */
export const SEED_KEY = 'Seed of the demo';

/** True when the database has companies, wherever they come from. */
export async function isSeeded(knex: Knex): Promise<boolean> {
  return (await knex('companies').first('id')) !== undefined;
}

/** True when a seed has begun and was killed. */
export async function isHalfSeeded(knex: Knex): Promise<boolean> {
  return (await knex('api_keys').where({ name: SEED_KEY }).first('id')) !== undefined;
}
