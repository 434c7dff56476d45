import type { Knex } from 'knex';

/**
 * The answers of calls with an `Idempotency-Key`, for 24 hours. A row is written in the transaction of its call, and its
 * primary key is what a second call with the same key waits for.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table idempotency_keys (
      company_id uuid not null references companies (id),
      key_hash bytea not null check (octet_length(key_hash) = 32),
      fingerprint bytea not null check (octet_length(fingerprint) = 32),
      created_at timestamptz(3) not null default now(),
      answer bytea not null default '',
      primary key (company_id, key_hash)
    );
    comment on column idempotency_keys.key_hash is 'SHA-256 of whose key it is and of the key';
    comment on column idempotency_keys.fingerprint is 'SHA-256 of what was asked, and of what the caller may';
    comment on column idempotency_keys.answer is 'Compressed, and sealed with the key that the caller sent; empty until the call ends';
    -- What is sealed cannot be compressed again.
    alter table idempotency_keys alter column answer set storage external;
    create index idempotency_keys_age on idempotency_keys (company_id, created_at);
    alter table idempotency_keys enable row level security;
    create policy own_company on idempotency_keys to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update (fingerprint, created_at, answer) on idempotency_keys to awareness_service;

    -- Ends keys after a day, so many of one company in a call: of the first that has any, from one on. Returns that company,
    -- to go on from; null when none has any. So no call is longer the more keys there are.
    create function purge_idempotency_keys(company uuid default ${FIRST}, most integer default 1000) returns uuid
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        ended timestamptz;
      begin
        select k.company_id into company from idempotency_keys k
         where k.company_id >= company and k.created_at < now() - interval '24 hours' order by k.company_id limit 1;
        if company is null then
          return null;
        end if;
        select max(old.created_at) into ended
          from (select k.created_at from idempotency_keys k
                 where k.company_id = company and k.created_at < now() - interval '24 hours'
                 order by k.created_at limit greatest(most, 1)) as old;
        delete from idempotency_keys k where k.company_id = company and k.created_at <= ended;
        return company;
      end $$;
    revoke all on function purge_idempotency_keys(uuid, integer) from public;
    grant execute on function purge_idempotency_keys(uuid, integer) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function purge_idempotency_keys(uuid, integer)');
  await knex.raw('drop table idempotency_keys');
}

const FIRST = `'00000000-0000-0000-0000-000000000000'`;
