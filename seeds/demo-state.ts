import type { Knex } from 'knex';

/** The name of the seed's API keys, which exist until the demo is complete. */
export const SEED_KEY = 'Seed of the demo';

/** Reports whether the database has companies, from the demo or not. */
export async function isSeeded(knex: Knex): Promise<boolean> {
  return (await knex('companies').first('id')) !== undefined;
}

/** Reports whether a seed was started but not completed. */
export async function isHalfSeeded(knex: Knex): Promise<boolean> {
  return (await knex('api_keys').where({ name: SEED_KEY }).first('id')) !== undefined;
}
