import type { Knex } from 'knex';
import { createIndexConcurrently, dropIndexConcurrently } from '../src/db/migration-steps.ts';

export const config = { transaction: false };

/** Who asks for a sign-in link gives an address alone, and may be a learner of several companies. */
export async function up(knex: Knex): Promise<void> {
  await createIndexConcurrently(knex, { name: 'learners_address', on: 'learners (email_key)' });
  await knex.raw(`
    create or replace function find_learners_of_address(address text) returns table (company_id uuid, learner_id uuid)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
      begin
        return query
          select l.company_id, l.id from learners l
           where l.email_key = lower(address) and not l.inactive order by l.company_id limit 20;
      end $$;
    revoke all on function find_learners_of_address(text) from public;
    grant execute on function find_learners_of_address(text) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function find_learners_of_address(text)');
  await dropIndexConcurrently(knex, 'learners_address');
}
