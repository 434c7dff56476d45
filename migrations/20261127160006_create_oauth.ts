import type { Knex } from 'knex';

/**
 * Creates the OAuth clients, grants and tokens of the MCP server. The service reads them before it knows the company of
 * a request, so its role can read all of them. A grant ends with its API key.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table oauth_clients (
      id text primary key,
      metadata jsonb not null,
      created_at timestamptz(3) not null default now(),
      approved_at timestamptz(3)
    );
    alter table oauth_clients enable row level security;
    create policy service on oauth_clients to awareness_service using (true) with check (true);
    grant select, insert, update, delete on oauth_clients to awareness_service;

    create table oauth_grants (
      id text primary key,
      api_key_id uuid not null references api_keys (id) on delete cascade,
      -- An id of oauth_clients, or the URL of a metadata document.
      client_id text not null,
      client_name text,
      redirect_host text,
      payload jsonb not null,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      last_used_at timestamptz(3),
      connection_id uuid not null default new_id()
    );
    create index oauth_grants_api_key on oauth_grants (api_key_id);
    create index oauth_grants_client on oauth_grants (client_id);
    create unique index oauth_grants_connection on oauth_grants (connection_id);
    alter table oauth_grants enable row level security;
    create policy service on oauth_grants to awareness_service using (true) with check (true);
    grant select, insert, update, delete on oauth_grants to awareness_service;
    create trigger oauth_grants_used before update of last_used_at on oauth_grants
      for each statement execute function commit_without_waiting();

    create table oauth_tokens (
      hash bytea primary key,
      kind text not null check (kind in ('AccessToken', 'RefreshToken', 'AuthorizationCode')),
      grant_id text not null references oauth_grants (id) on delete cascade,
      payload jsonb not null,
      expires_at timestamptz(3) not null,
      consumed_at timestamptz(3)
    );
    create index oauth_tokens_grant on oauth_tokens (grant_id);
    create index oauth_tokens_expiry on oauth_tokens (expires_at);
    alter table oauth_tokens enable row level security;
    create policy service on oauth_tokens to awareness_service using (true) with check (true);
    grant select, insert, update, delete on oauth_tokens to awareness_service;

    create table oauth_interactions (
      hash bytea primary key,
      payload jsonb not null,
      expires_at timestamptz(3) not null,
      -- The number of API keys that were entered, valid or not.
      tries smallint not null default 0,
      -- The API key that was entered and is awaiting the person's approval.
      api_key_id uuid references api_keys (id) on delete cascade
    );
    alter table oauth_interactions enable row level security;
    create policy service on oauth_interactions to awareness_service using (true) with check (true);
    grant select, insert, update, delete on oauth_interactions to awareness_service;

    create function find_approval(interaction_hash bytea)
      returns table(key_id uuid, public_id text, company_name text, scopes text[])
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    begin
      return query
        select k.id, k.public_id, c.name, k.scopes
          from oauth_interactions i
          left join api_keys k on k.id = i.api_key_id and is_usable(k.revoked_at, k.expires_at)
          left join companies c on c.id = k.company_id
         where i.hash = interaction_hash and i.expires_at > now();
    end $$;

    -- Finds a grant. Returns nothing if its API key is revoked or expired.
    create function find_oauth_grant(grant_id text) returns table(payload jsonb, expires_at timestamptz)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    begin
      return query
        select g.payload, g.expires_at
          from oauth_grants g join api_keys k on k.id = g.api_key_id
         where g.id = grant_id and is_usable(k.revoked_at, k.expires_at);
    end $$;

    -- Finds the caller of an access token, with the scopes of its API key and, separated by spaces, the granted scopes.
    -- Records the time of use of the grant and of the key at most once a minute.
    create function find_token_caller(token_hash bytea, audience text)
      returns table(grant_id text, client_id text, token_expires_at timestamptz, granted text, key_id uuid,
        company_id uuid, account_type text, modules text[], scopes text[], expires_at timestamptz)
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      used record;
    begin
      select t.grant_id, g.api_key_id, g.last_used_at into used
        from oauth_tokens t
        join oauth_grants g on g.id = t.grant_id
        join api_keys k on k.id = g.api_key_id
       where t.hash = token_hash and t.kind = 'AccessToken' and t.payload ->> 'aud' = audience
         and t.expires_at > now() and g.expires_at > now() and is_usable(k.revoked_at, k.expires_at);
      if not found then
        return;
      end if;
      if used.last_used_at is null or used.last_used_at < now() - interval '1 minute' then
        update oauth_grants g set last_used_at = now() where g.id = used.grant_id;
        update api_keys k set last_used_at = now() where k.id = used.api_key_id;
      end if;
      return query
        select g.id, g.client_id, least(t.expires_at, g.expires_at, k.expires_at), t.payload ->> 'scope', k.id, c.id,
               c.account_type, enabled_modules(c.smlearn, c.smphish, c.smpolicy, c.smbreachproenabled), k.scopes,
               k.expires_at
          from oauth_tokens t
          join oauth_grants g on g.id = t.grant_id
          join api_keys k on k.id = g.api_key_id
          join companies c on c.id = k.company_id
         where t.hash = token_hash;
    end $$;

    -- Records the approval of a grant. The row of the grant exists already, but no token has been issued for it.
    create function approve_grant(grant_id text, client text, host text, request_id text, address text) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      approved record;
    begin
      update oauth_grants g set client_name = client, redirect_host = host from api_keys k
       where g.id = grant_id and k.id = g.api_key_id
      returning g.client_id, k.id, k.company_id into approved;
      if not found then return; end if;
      update oauth_clients c set approved_at = now() where c.id = approved.client_id;
      insert into audit_log (company_id, actor_type, actor_id, actor_company_id, operation, outcome, targets, fields,
                             request_id, address)
      values (approved.company_id, 'key', approved.id, approved.company_id, 'approveGrant', 'done',
              jsonb_build_array(jsonb_build_object('field', 'grantId', 'count', 1, 'ids', array[grant_id])), '{}',
              request_id, address);
    end $$;

    -- Deletes a grant. Its tokens are deleted by a cascade.
    create function end_grant(grant_id text, request_id text, address text) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      ended record;
    begin
      for ended in
        delete from oauth_grants g using api_keys k where g.id = grant_id and k.id = g.api_key_id returning k.company_id
      loop
        insert into audit_log (company_id, actor_type, actor_id, actor_company_id, operation, outcome, targets, fields,
                               request_id, address)
        values (ended.company_id, 'grant', grant_id, ended.company_id, 'endGrant', 'done',
                jsonb_build_array(jsonb_build_object('field', 'grantId', 'count', 1, 'ids', array[grant_id])), '{}',
                request_id, address);
      end loop;
    end $$;

    -- Deletes expired tokens and interactions, and grants that can no longer be used. Deletes clients without a grant a
    -- day after their registration, or 90 days after their last approval.
    create function sweep_oauth() returns void
      language sql security definer set search_path = public, pg_temp as $$
      delete from oauth_tokens where expires_at < now();
      delete from oauth_interactions where expires_at < now();
      delete from oauth_grants g using api_keys k
       where k.id = g.api_key_id and (g.expires_at < now() or not is_usable(k.revoked_at, k.expires_at));
      delete from oauth_clients c
       where coalesce(c.approved_at + interval '90 days', c.created_at + interval '1 day') < now()
         and not exists (select from oauth_grants g where g.client_id = c.id);
    $$;

    revoke all on function find_approval, find_oauth_grant, find_token_caller, approve_grant, end_grant, sweep_oauth
      from public;
    grant execute on function find_approval, find_oauth_grant, find_token_caller, approve_grant, end_grant,
      sweep_oauth to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table oauth_interactions, oauth_tokens, oauth_grants, oauth_clients cascade;
    drop function sweep_oauth, end_grant, approve_grant, find_token_caller, find_oauth_grant, find_approval cascade;`);
}
