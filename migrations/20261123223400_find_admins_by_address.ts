import type { Knex } from 'knex';
import { createIndexConcurrently, dropIndexConcurrently } from '../src/db/migration-steps.ts';

export const config = { transaction: false };

/** An admin who asks for a sign-in link gives an address alone, and may be one of several companies. */
export async function up(knex: Knex): Promise<void> {
  await createIndexConcurrently(knex, { name: 'admins_address', on: 'admins (lower(email))' });
  await knex.raw(`
    create or replace function find_admins_of_address(address text) returns table (company_id uuid, admin_id uuid)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
      begin
        return query
          select a.company_id, a.id from admins a
           where lower(a.email) = lower(address) and a.status = 'active' order by a.company_id limit 20;
      end $$;
    revoke all on function find_admins_of_address(text) from public;
    grant execute on function find_admins_of_address(text) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function find_admins_of_address(text)');
  await dropIndexConcurrently(knex, 'admins_address');
}
