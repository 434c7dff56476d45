import type { Knex } from 'knex';

/** What the key of an approval may, for the page that asks for a yes or a no. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function find_approval(interaction_hash bytea)
      returns table (key_id uuid, public_id text, company_name text, scopes text[])
      language plpgsql stable security definer set search_path = public, pg_temp as $$
      begin
        return query
          select k.id, k.public_id, c.name, k.scopes
            from oauth_interactions i
            left join api_keys k on k.id = i.api_key_id and is_usable(k.revoked_at, k.expires_at)
            left join companies c on c.id = k.company_id
           where i.hash = interaction_hash and i.expires_at > now();
      end $$;
    revoke all on function find_approval(bytea) from public;
    grant execute on function find_approval(bytea) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function find_approval(bytea)');
}
