import type { Knex } from 'knex';

/**
 * What a key may: its scopes, or all without any. The release before knows no scopes, so what it asks finds no key and
 * no token that has fewer than all: there it works not at all, rather than for everything.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table api_keys add column scopes text[] check (cardinality(scopes) > 0);

    -- Finds a usable key by its hash, and stamps its use at most once a minute.
    create function find_key_caller(hash bytea)
      returns table (key_id uuid, company_id uuid, account_type text, modules text[], scopes text[],
                     expires_at timestamptz)
      language plpgsql ${DEFINER} $$
      begin
        ${STAMP_KEY};
        return query
          select api_keys.id, companies.id, companies.account_type, ${modulesOf('companies')}, api_keys.scopes,
                 api_keys.expires_at
            ${usableKey('')};
      end $$;

    -- Whom an access token speaks for, with the scopes of its key and those that it was granted, separated by spaces.
    create function find_token_caller(token_hash bytea, audience text)
      returns table (grant_id text, client_id text, token_expires_at timestamptz, granted text, key_id uuid,
                     company_id uuid, account_type text, modules text[], scopes text[], expires_at timestamptz)
      language plpgsql ${DEFINER} $$
      declare
        used record;
      begin
        ${stampGrant('')}
        return query
          select g.id, g.client_id, least(t.expires_at, g.expires_at, k.expires_at), t.payload ->> 'scope',
                 k.id, c.id, c.account_type, ${modulesOf('c')}, k.scopes, k.expires_at
            ${OF_TOKEN};
      end $$;

    revoke all on function find_key_caller(bytea), find_token_caller(bytea, text) from public;
    grant execute on function find_key_caller(bytea), find_token_caller(bytea, text) to awareness_service;
  `);
  await knex.raw(
    functionsOfTheReleaseBefore('and api_keys.scopes is null', `and k.scopes is null and ${IS_GRANTED_ALL}`),
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(functionsOfTheReleaseBefore('', ''));
  await knex.raw(`
    drop function find_key_caller(bytea), find_token_caller(bytea, text);
    -- Without its scopes a key would open everything.
    update api_keys set revoked_at = now() where scopes is not null and revoked_at is null;
    delete from oauth_tokens t where not (${IS_GRANTED_ALL});
    alter table api_keys drop column scopes;
  `);
}

const DEFINER = 'security definer set search_path = public, pg_temp as';
const IS_GRANTED_ALL = `t.payload ->> 'scope' = 'tenant:read'`;

const modulesOf = (c: string) => `enabled_modules(${c}.smlearn, ${c}.smphish, ${c}.smpolicy, ${c}.smbreachproenabled)`;

const STAMP_KEY = `update api_keys set last_used_at = now()
       where api_keys.key_hash = hash and revoked_at is null
         and (api_keys.expires_at is null or api_keys.expires_at > now())
         and (last_used_at is null or last_used_at < now() - interval '1 minute')`;

const usableKey = (condition: string) => `from api_keys join companies on companies.id = api_keys.company_id
         where api_keys.key_hash = hash
           and api_keys.revoked_at is null
           and (api_keys.expires_at is null or api_keys.expires_at > now()) ${condition}`;

const OF_TOKEN = `from oauth_tokens t
          join oauth_grants g on g.id = t.grant_id
          join api_keys k on k.id = g.api_key_id
          join companies c on c.id = k.company_id
         where t.hash = token_hash`;

/** Leaves the function without a row when the token is of no use, and stamps the use of its grant and key otherwise. */
const stampGrant = (condition: string) => `
      select t.grant_id, g.api_key_id, g.last_used_at into used
        from oauth_tokens t
        join oauth_grants g on g.id = t.grant_id
        join api_keys k on k.id = g.api_key_id
       where t.hash = token_hash and t.kind = 'AccessToken' and t.payload ->> 'aud' = audience
         and t.expires_at > now() and g.expires_at > now() and is_usable(k.revoked_at, k.expires_at) ${condition};
      if not found then
        return;
      end if;
      if used.last_used_at is null or used.last_used_at < now() - interval '1 minute' then
        update oauth_grants g set last_used_at = now() where g.id = used.grant_id;
        update api_keys k set last_used_at = now() where k.id = used.api_key_id;
      end if;`;

const functionsOfTheReleaseBefore = (ofKey: string, ofToken: string) => `
  create or replace function find_api_key(hash bytea)
    returns table (key_id uuid, company_id uuid, account_type text, modules text[], expires_at timestamptz)
    language plpgsql ${DEFINER} $$
    begin
      ${STAMP_KEY};
      return query
        select api_keys.id, companies.id, companies.account_type, ${modulesOf('companies')},
               api_keys.expires_at
          ${usableKey(ofKey)};
    end $$;

  create or replace function find_oauth_caller(token_hash bytea, audience text)
    returns table (grant_id text, client_id text, expires_at timestamptz,
                   key_id uuid, company_id uuid, account_type text, modules text[])
    language plpgsql ${DEFINER} $$
    declare
      used record;
    begin
      ${stampGrant(ofToken)}
      return query
        select g.id, g.client_id, least(t.expires_at, g.expires_at, k.expires_at),
               k.id, c.id, c.account_type, ${modulesOf('c')}
          ${OF_TOKEN};
    end $$;
`;
