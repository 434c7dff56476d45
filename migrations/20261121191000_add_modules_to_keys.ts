import type { Knex } from 'knex';

/** What a key's company has enabled comes with the key. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function enabled_modules(company companies) returns text[]
      language sql immutable
      return array_remove(array[
        case when company.smlearn then 'smlearn' end,
        case when company.smphish then 'smphish' end,
        case when company.smpolicy then 'smpolicy' end,
        case when company.smbreachproenabled then 'smbreachproenabled' end
      ], null);

    drop function find_api_key(bytea);
    create function find_api_key(hash bytea)
      returns table (key_id uuid, company_id uuid, account_type text, modules text[], expires_at timestamptz)
      ${FIND_API_KEY('enabled_modules(companies), ')};
    revoke all on function find_api_key(bytea) from public;
    grant execute on function find_api_key(bytea) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function find_api_key(bytea);
    create function find_api_key(hash bytea)
      returns table (key_id uuid, company_id uuid, account_type text, expires_at timestamptz)
      ${FIND_API_KEY('')};
    revoke all on function find_api_key(bytea) from public;
    grant execute on function find_api_key(bytea) to awareness_service;
    drop function enabled_modules(companies);
  `);
}

/** Finds a usable key by its hash, and stamps its use at most once a minute. */
const FIND_API_KEY = (modules: string) => `
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      update api_keys set last_used_at = now()
       where api_keys.key_hash = hash and revoked_at is null
         and (api_keys.expires_at is null or api_keys.expires_at > now())
         and (last_used_at is null or last_used_at < now() - interval '1 minute');
      return query
        select api_keys.id, companies.id, companies.account_type, ${modules}api_keys.expires_at
          from api_keys join companies on companies.id = api_keys.company_id
         where api_keys.key_hash = hash
           and api_keys.revoked_at is null
           and (api_keys.expires_at is null or api_keys.expires_at > now());
    end $$`;
