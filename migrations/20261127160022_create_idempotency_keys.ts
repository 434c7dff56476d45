import type { Knex } from 'knex';

/**
 * Creates the records of API calls: stored responses of idempotent calls, counts for rate limits, and uses of
 * deprecated parts of the contract.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table idempotency_keys (
      company_id uuid not null references companies (id),
      -- SHA-256 of the owner, which is the company or a source, and the idempotency key.
      key_hash bytea not null check (octet_length(key_hash) = 32),
      -- SHA-256 of the request, the scopes of the caller and, if the response holds a secret, the API key.
      fingerprint bytea not null check (octet_length(fingerprint) = 32),
      created_at timestamptz(3) not null default now(),
      -- The response, compressed and sealed with a key derived from the idempotency key; empty until the call ends.
      answer bytea not null default '\\x',
      primary key (company_id, key_hash)
    );
    create index idempotency_keys_age on idempotency_keys (company_id, created_at);
    -- No compression, because sealed responses cannot be compressed.
    alter table idempotency_keys alter column answer set storage external;
    alter table idempotency_keys enable row level security;
    create policy own_company on idempotency_keys to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on idempotency_keys to awareness_service;
    grant update (fingerprint, created_at, answer) on idempotency_keys to awareness_service;

    -- Total size of the responses stored for a company, by hour, in bytes. A row is reused 26 hours later, when its
    -- responses have expired, so no purge is needed.
    create table idempotency_bytes (
      company_id uuid not null references companies (id),
      -- The hour, counted from 1970, modulo 26.
      slot smallint not null check (slot between 0 and 25),
      hour timestamptz not null,
      bytes bigint not null check (bytes >= 0),
      primary key (company_id, slot)
    );
    alter table idempotency_bytes enable row level security;
    create policy own_company on idempotency_bytes to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on idempotency_bytes to awareness_service;
    grant update (hour, bytes) on idempotency_bytes to awareness_service;

    -- Deletes keys older than a day, about max_rows per call, of the first company at or after the given one that has
    -- any. Returns that company, or null if no company has any. The duration of a call therefore does not grow with the
    -- number of keys.
    create function purge_idempotency_keys(company uuid default '00000000-0000-0000-0000-000000000000'::uuid, max_rows
        integer default 1000)
      returns uuid
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      ended timestamptz;
    begin
      perform require_at_least('max_rows', max_rows, 1);
      select k.company_id into company from idempotency_keys k
       where k.company_id >= company and k.created_at < now() - interval '24 hours' order by k.company_id limit 1;
      if company is null then
        return null;
      end if;
      select max(old.created_at) into ended
        from (select k.created_at from idempotency_keys k
               where k.company_id = company and k.created_at < now() - interval '24 hours'
               order by k.created_at limit max_rows) as old;
      delete from idempotency_keys k where k.company_id = company and k.created_at <= ended;
      return company;
    end $$;

    -- Counts for rate limits, shared by all processes.
    create unlogged table call_counts (
      limiter text not null,
      counted text not null,
      count integer not null,
      resets_at timestamptz not null,
      primary key (limiter, counted)
    );
    grant select, insert, update, delete on call_counts to awareness_service;

    -- Deprecated parts of the contract that API keys still use.
    create table deprecated_uses (
      company_id uuid not null references companies (id),
      api_key_id uuid not null,
      operation_id text not null,
      part text not null,
      first_used_at timestamptz(3) not null default now(),
      last_used_at timestamptz(3) not null default now(),
      primary key (company_id, api_key_id, operation_id, part)
    );
    alter table deprecated_uses enable row level security;
    create policy own_company on deprecated_uses to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on deprecated_uses to awareness_service;
    grant update (last_used_at) on deprecated_uses to awareness_service;

    revoke all on function purge_idempotency_keys from public;
    grant execute on function purge_idempotency_keys to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table deprecated_uses, call_counts, idempotency_bytes, idempotency_keys cascade;
    drop function purge_idempotency_keys cascade;`);
}
