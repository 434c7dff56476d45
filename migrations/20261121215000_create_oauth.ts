import type { Knex } from 'knex';

/**
 * What the authorization server of the tool server keeps. Nothing that opens anything is stored as it is: tokens, codes
 * and approvals under way are found by their SHA-256. A directory like `api_keys`, without a company of its own: a grant
 * belongs to its key, ends with it, and has the scope of the key's company.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table oauth_clients (
      id text primary key,
      metadata jsonb not null,
      created_at timestamptz(3) not null default now(),
      approved_at timestamptz(3)
    );

    create table oauth_grants (
      id text primary key,
      api_key_id uuid not null references api_keys on delete cascade,
      -- Of oauth_clients, or the address of a metadata document.
      client_id text not null,
      client_name text,
      redirect_host text,
      payload jsonb not null,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      last_used_at timestamptz(3)
    );
    create index oauth_grants_api_key on oauth_grants (api_key_id);
    create index oauth_grants_client on oauth_grants (client_id);

    create table oauth_tokens (
      hash bytea primary key,
      kind text not null check (kind in ('AccessToken', 'RefreshToken', 'AuthorizationCode')),
      grant_id text not null references oauth_grants on delete cascade,
      payload jsonb not null,
      expires_at timestamptz(3) not null,
      consumed_at timestamptz(3)
    );
    create index oauth_tokens_grant on oauth_tokens (grant_id);
    create index oauth_tokens_expiry on oauth_tokens (expires_at);

    create table oauth_interactions (
      hash bytea primary key,
      payload jsonb not null,
      expires_at timestamptz(3) not null,
      -- Keys that were tried, right or wrong.
      tries smallint not null default 0,
      -- The key that is to be approved.
      api_key_id uuid references api_keys on delete cascade
    );

    create function is_usable(key api_keys) returns boolean
      language sql stable
      return key.revoked_at is null and (key.expires_at is null or key.expires_at > now());

    -- A grant whose key is revoked or expired is none.
    create function find_oauth_grant(grant_id text) returns table (payload jsonb, expires_at timestamptz)
      language sql stable security definer set search_path = public, pg_temp as $$
      select g.payload, g.expires_at
        from oauth_grants g join api_keys k on k.id = g.api_key_id
       where g.id = grant_id and is_usable(k)
    $$;

    -- Finds an approval under way, and whose key it is about.
    create function find_oauth_approval(interaction_hash bytea)
      returns table (key_id uuid, public_id text, company_name text)
      language sql stable security definer set search_path = public, pg_temp as $$
      select k.id, k.public_id, c.name
        from oauth_interactions i
        left join api_keys k on k.id = i.api_key_id and is_usable(k)
        left join companies c on c.id = k.company_id
       where i.hash = interaction_hash and i.expires_at > now()
    $$;

    -- Whom an access token speaks for; stamps the use of its grant and key at most once a minute.
    create function find_oauth_caller(token_hash bytea, audience text)
      returns table (grant_id text, client_id text, expires_at timestamptz,
                     key_id uuid, company_id uuid, account_type text, modules text[])
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      used record;
    begin
      select t.grant_id, g.api_key_id, g.last_used_at into used
        from oauth_tokens t
        join oauth_grants g on g.id = t.grant_id
        join api_keys k on k.id = g.api_key_id
       where t.hash = token_hash and t.kind = 'AccessToken' and t.payload ->> 'aud' = audience
         and t.expires_at > now() and g.expires_at > now() and is_usable(k);
      if not found then
        return;
      end if;
      if used.last_used_at is null or used.last_used_at < now() - interval '1 minute' then
        update oauth_grants g set last_used_at = now() where g.id = used.grant_id;
        update api_keys k set last_used_at = now() where k.id = used.api_key_id;
      end if;
      return query
        select g.id, g.client_id, least(t.expires_at, g.expires_at, k.expires_at),
               k.id, c.id, c.account_type, enabled_modules(c)
          from oauth_tokens t
          join oauth_grants g on g.id = t.grant_id
          join api_keys k on k.id = g.api_key_id
          join companies c on c.id = k.company_id
         where t.hash = token_hash;
    end $$;

    -- Drops what can be used no more. A client that nobody approved goes after a day, any other after 90 without a grant.
    create function sweep_oauth() returns void
      language sql security definer set search_path = public, pg_temp as $$
      delete from oauth_tokens where expires_at < now();
      delete from oauth_interactions where expires_at < now();
      delete from oauth_grants g using api_keys k
       where k.id = g.api_key_id and (g.expires_at < now() or not is_usable(k));
      delete from oauth_clients c
       where coalesce(c.approved_at + interval '90 days', c.created_at + interval '1 day') < now()
         and not exists (select from oauth_grants g where g.client_id = c.id);
    $$;

    revoke all on function find_oauth_grant(text), find_oauth_approval(bytea), find_oauth_caller(bytea, text),
      sweep_oauth() from public;
    grant execute on function find_oauth_grant(text), find_oauth_approval(bytea), find_oauth_caller(bytea, text),
      sweep_oauth() to awareness_service;
  `);
  for (const table of TABLES) {
    await knex.raw(`
      alter table ${table} enable row level security;
      create policy service on ${table} to awareness_service using (true) with check (true);
      grant select, insert, update, delete on ${table} to awareness_service;
    `);
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function sweep_oauth(), find_oauth_caller(bytea, text), find_oauth_approval(bytea), find_oauth_grant(text),
      is_usable(api_keys);
    drop table oauth_interactions, oauth_tokens, oauth_grants, oauth_clients;
  `);
}

const TABLES = ['oauth_clients', 'oauth_grants', 'oauth_tokens', 'oauth_interactions'];
