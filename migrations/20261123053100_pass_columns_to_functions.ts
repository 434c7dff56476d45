import type { Knex } from 'knex';

/**
 * Functions get columns, not rows, and those with parameters are written in PL/pgSQL: on Citus a row has the type of its
 * shard, and a function in SQL cannot be planned before its parameters are known. What took a row stays for the release
 * before.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function enabled_modules(smlearn boolean, smphish boolean, smpolicy boolean, smbreachproenabled boolean)
      returns text[] language sql immutable
      return array_remove(array[
        case when smlearn then 'smlearn' end,
        case when smphish then 'smphish' end,
        case when smpolicy then 'smpolicy' end,
        case when smbreachproenabled then 'smbreachproenabled' end
      ], null);

    create function is_usable(revoked_at timestamptz, expires_at timestamptz) returns boolean
      language sql stable
      return revoked_at is null and (expires_at is null or expires_at > now());
  `);
  await knex.raw(functionsWith(COLUMNS));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(functionsWith(ROWS));
  await knex.raw(`
    drop function is_usable(timestamptz, timestamptz);
    drop function enabled_modules(boolean, boolean, boolean, boolean);
  `);
}

interface Form {
  /** What calls are given of a key `k` and of a company. */
  key: string;
  company: (alias: string) => string;
  /** The head and the body of a function that returns a query. */
  query: (volatility: string, text: string) => string;
  /** The same for one that returns nothing. */
  action: (text: string) => string;
}

const DEFINER = 'security definer set search_path = public, pg_temp as';

const COLUMNS: Form = {
  key: 'k.revoked_at, k.expires_at',
  company: (c) => `${c}.smlearn, ${c}.smphish, ${c}.smpolicy, ${c}.smbreachproenabled`,
  query: (volatility, text) => `language plpgsql ${volatility} ${DEFINER} $$ begin return query ${text}; end $$`,
  action: (text) => `language plpgsql ${DEFINER} $$ begin ${text}; end $$`,
};

const ROWS: Form = {
  key: 'k',
  company: (c) => c,
  query: (volatility, text) => `language sql ${volatility} ${DEFINER} $$ ${text} $$`,
  action: (text) => `language sql ${DEFINER} $$ ${text} $$`,
};

const functionsWith = ({ key, company, query, action }: Form) => `
  create or replace function find_admin_setup(token_hash bytea)
    returns table (company_id uuid, company_name text, admin_id uuid, email text, first_name text, last_name text,
                   locale text)
    ${query(
      'stable',
      `select admins.company_id, companies.name, admins.id, admins.email, admins.first_name, admins.last_name,
              admins.locale
         from admins join companies on companies.id = admins.company_id
        where admins.setup_token_hash = token_hash and admins.setup_expires_at > now()`,
    )};

  create or replace function purge_messages(days integer) returns void
    ${action(`delete from messages where settled_at < now() - days * interval '1 day'`)};

  create or replace function find_api_key(hash bytea)
    returns table (key_id uuid, company_id uuid, account_type text, modules text[], expires_at timestamptz)
    language plpgsql ${DEFINER} $$
    begin
      update api_keys set last_used_at = now()
       where api_keys.key_hash = hash and revoked_at is null
         and (api_keys.expires_at is null or api_keys.expires_at > now())
         and (last_used_at is null or last_used_at < now() - interval '1 minute');
      return query
        select api_keys.id, companies.id, companies.account_type, enabled_modules(${company('companies')}),
               api_keys.expires_at
          from api_keys join companies on companies.id = api_keys.company_id
         where api_keys.key_hash = hash
           and api_keys.revoked_at is null
           and (api_keys.expires_at is null or api_keys.expires_at > now());
    end $$;

  create or replace function find_oauth_grant(grant_id text) returns table (payload jsonb, expires_at timestamptz)
    ${query(
      'stable',
      `select g.payload, g.expires_at
         from oauth_grants g join api_keys k on k.id = g.api_key_id
        where g.id = grant_id and is_usable(${key})`,
    )};

  create or replace function find_oauth_approval(interaction_hash bytea)
    returns table (key_id uuid, public_id text, company_name text)
    ${query(
      'stable',
      `select k.id, k.public_id, c.name
         from oauth_interactions i
         left join api_keys k on k.id = i.api_key_id and is_usable(${key})
         left join companies c on c.id = k.company_id
        where i.hash = interaction_hash and i.expires_at > now()`,
    )};

  create or replace function find_oauth_caller(token_hash bytea, audience text)
    returns table (grant_id text, client_id text, expires_at timestamptz,
                   key_id uuid, company_id uuid, account_type text, modules text[])
    language plpgsql ${DEFINER} $$
    declare
      used record;
    begin
      select t.grant_id, g.api_key_id, g.last_used_at into used
        from oauth_tokens t
        join oauth_grants g on g.id = t.grant_id
        join api_keys k on k.id = g.api_key_id
       where t.hash = token_hash and t.kind = 'AccessToken' and t.payload ->> 'aud' = audience
         and t.expires_at > now() and g.expires_at > now() and is_usable(${key});
      if not found then
        return;
      end if;
      if used.last_used_at is null or used.last_used_at < now() - interval '1 minute' then
        update oauth_grants g set last_used_at = now() where g.id = used.grant_id;
        update api_keys k set last_used_at = now() where k.id = used.api_key_id;
      end if;
      return query
        select g.id, g.client_id, least(t.expires_at, g.expires_at, k.expires_at),
               k.id, c.id, c.account_type, enabled_modules(${company('c')})
          from oauth_tokens t
          join oauth_grants g on g.id = t.grant_id
          join api_keys k on k.id = g.api_key_id
          join companies c on c.id = k.company_id
         where t.hash = token_hash;
    end $$;

  create or replace function sweep_oauth() returns void
    language sql ${DEFINER} $$
    delete from oauth_tokens where expires_at < now();
    delete from oauth_interactions where expires_at < now();
    delete from oauth_grants g using api_keys k
     where k.id = g.api_key_id and (g.expires_at < now() or not is_usable(${key}));
    delete from oauth_clients c
     where coalesce(c.approved_at + interval '90 days', c.created_at + interval '1 day') < now()
       and not exists (select from oauth_grants g where g.client_id = c.id);
  $$;
`;
