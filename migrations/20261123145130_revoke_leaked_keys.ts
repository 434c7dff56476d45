import type { Knex } from 'knex';

/** Whoever has found a key may have it revoked: its hash is all that the service knows it by. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function revoke_keys(hashes bytea[]) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        update api_keys set revoked_at = now() where key_hash = any (hashes) and revoked_at is null;
      end $$;
    revoke all on function revoke_keys(bytea[]) from public;
    grant execute on function revoke_keys(bytea[]) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function revoke_keys(bytea[])');
}
