import type { Knex } from 'knex';

/**
 * Whoever has found a key may have it revoked: its hash is all that the service knows it by. The audit log of its company
 * names the key itself as the one that asked for it, since it was shown.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function revoke_keys(hashes bytea[], request_id text, address text) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        found_key record;
      begin
        -- Also an update of no row has every process look all keys up again.
        if not exists (select from api_keys where key_hash = any (hashes) and revoked_at is null) then
          return;
        end if;
        for found_key in
          update api_keys set revoked_at = now() where key_hash = any (hashes) and revoked_at is null
          returning company_id, id
        loop
          insert into audit_log (company_id, actor_type, actor_id, actor_company_id, operation, outcome, targets, fields,
                                 request_id, address)
          values (found_key.company_id, 'key', found_key.id, found_key.company_id, 'revokeLeakedKeys', 'done',
                  jsonb_build_array(jsonb_build_object('field', 'keys', 'count', 1, 'ids', array[found_key.id])),
                  '{keys}', request_id, address);
        end loop;
      end $$;
    revoke all on function revoke_keys(bytea[], text, text) from public;
    grant execute on function revoke_keys(bytea[], text, text) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function revoke_keys(bytea[], text, text)');
}
