import type { Knex } from 'knex';

/**
 * Creates the credentials of callers: API keys, and the sources that report facts. The service looks both up before it
 * knows the company of a request.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A lookup table rather than tenant data: find_key_caller reads it before the company of a request is known.
    create table api_keys (
      id uuid primary key,
      company_id uuid not null references companies (id) on delete cascade,
      public_id text not null unique,
      key_hash bytea not null unique,
      name text not null,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3),
      last_used_at timestamptz(3),
      revoked_at timestamptz(3),
      scopes text[] check (cardinality(scopes) > 0),
      replaced_by uuid references api_keys (id) on delete set null,
      -- Number of days before the expiry at which the admins were last notified.
      expiry_notice_days smallint,
      created_by uuid
    );
    create index api_keys_company on api_keys (company_id);
    alter table api_keys enable row level security;
    create policy own_company on api_keys to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant insert (id, company_id, public_id, key_hash, name, expires_at, scopes, created_by) on api_keys to
      awareness_service;
    grant select (id, company_id, public_id, name, created_at, expires_at, last_used_at, revoked_at, scopes,
      replaced_by, expiry_notice_days, created_by) on api_keys to awareness_service;
    grant update (expires_at, revoked_at, replaced_by, expiry_notice_days) on api_keys to awareness_service;
    create trigger api_keys_used before update of last_used_at on api_keys
      for each statement execute function commit_without_waiting();

    create function is_usable(revoked_at timestamptz, expires_at timestamptz) returns boolean
      language sql stable
      return ((revoked_at is null) and ((expires_at is null) or (expires_at > now())));

    create function guard_api_key() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      if not row_security_active(tg_relid) then return new; end if;
      if old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at then
        raise exception 'revoked_at cannot be changed once it is set' using errcode = 'restrict_violation';
      end if;
      if new.revoked_at is not null and old.revoked_at is null and new.revoked_at > now() + interval '1 second' then
        raise exception 'revoked_at cannot be in the future' using errcode = 'restrict_violation';
      end if;
      if old.expires_at is not null and (new.expires_at is null or new.expires_at > old.expires_at) then
        raise exception 'expires_at can only be moved earlier' using errcode = 'restrict_violation';
      end if;
      if old.replaced_by is not null and new.replaced_by is distinct from old.replaced_by then
        raise exception 'replaced_by cannot be changed once it is set' using errcode = 'restrict_violation';
      end if;
      return new;
    end $$;
    create trigger api_keys_guarded before update of revoked_at, expires_at, replaced_by on api_keys
      for each row execute function guard_api_key();

    -- Makes the processes of the service drop their cached keys.
    create function notify_key_change() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      notify api_keys;
      return null;
    end $$;
    create trigger api_keys_notify after delete or update of revoked_at, expires_at on api_keys
      for each statement execute function notify_key_change();

    -- Finds the caller of a usable key by the hash of the key. Records the time of use at most once a minute.
    create function find_key_caller(hash bytea)
      returns table(key_id uuid, company_id uuid, account_type text, modules text[], scopes text[], expires_at
        timestamptz)
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      update api_keys set last_used_at = now()
     where api_keys.key_hash = hash and revoked_at is null
       and (api_keys.expires_at is null or api_keys.expires_at > now())
       and (last_used_at is null or last_used_at < now() - interval '1 minute');
      return query
        select api_keys.id, companies.id, companies.account_type,
               enabled_modules(companies.smlearn, companies.smphish, companies.smpolicy, companies.smbreachproenabled),
               api_keys.scopes, api_keys.expires_at
          from api_keys join companies on companies.id = api_keys.company_id
       where api_keys.key_hash = hash
         and api_keys.revoked_at is null
         and (api_keys.expires_at is null or api_keys.expires_at > now());
    end $$;

    create function revoke_keys(hashes bytea[], request_id text, address text) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      found_key record;
      jobs graphile_worker.job_spec[];
    begin
      -- Even an update that matches no row fires api_keys_notify, which makes every process drop its cached keys.
      if not exists (select from api_keys where key_hash = any (hashes) and revoked_at is null) then
        return;
      end if;
      select array_agg((
        'notify_leaked_keys', json_build_object('companyId', of_company.id, 'keyIds', of_company.key_ids), null, null, null,
        null, 20, null
      )::graphile_worker.job_spec) into jobs from (
        select k.company_id as id, array_agg(k.id) as key_ids from api_keys k
         where k.key_hash = any (hashes) and k.revoked_at is null group by k.company_id) as of_company;
      perform graphile_worker.add_jobs(jobs);
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

    -- Queues a job for each company with a key that expires within 30 days.
    create function queue_for_expiring_keys(task text, day date) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      perform queue_daily_jobs(task, day, array(
        select distinct company_id from api_keys
         where revoked_at is null and replaced_by is null
           and expires_at between now() and now() + interval '30 days'));
    end $$;

    -- Systems that can record one kind of fact for a company. A secret that is only compared is stored as a hash. A
    -- secret that signs requests is also stored encrypted, with a key that the database does not have.
    create table sources (
      company_id uuid not null references companies (id),
      id uuid not null,
      name text not null check (char_length(name) between 1 and 200),
      kind text not null check (kind in ('gophish', 'xapi', 'reported_messages')),
      secret_hash bytea not null check (octet_length(secret_hash) = 32),
      sealed_secret bytea,
      -- The previous secret, valid until previous_until.
      previous_hash bytea,
      previous_sealed bytea,
      previous_until timestamptz(3),
      rotated_at timestamptz(3),
      last_used_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      created_by uuid,
      primary key (company_id, id),
      check ((kind = 'gophish') = (sealed_secret is not null)),
      check ((previous_hash is null) = (previous_until is null))
    );
    create index sources_id on sources (id);
    alter table sources enable row level security;
    create policy own_company on sources to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on sources to awareness_service;
    grant update (secret_hash, sealed_secret, previous_hash, previous_sealed, previous_until, rotated_at,
      last_used_at) on sources to awareness_service;
    create trigger sources_used before update of last_used_at on sources
      for each statement execute function commit_without_waiting();

    -- Finds a source before its company is known, with the hashes and sealed secrets that verify its requests.
    create function find_source(source_id uuid)
      returns table(key_id uuid, company_id uuid, account_type text, modules text[], kind text, secret_hash bytea,
        sealed_secret bytea, previous_hash bytea, previous_sealed bytea)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    begin
      return query
        select s.id, s.company_id, c.account_type,
               enabled_modules(c.smlearn, c.smphish, c.smpolicy, c.smbreachproenabled), s.kind, s.secret_hash,
               s.sealed_secret, case when s.previous_until > now() then s.previous_hash end,
               case when s.previous_until > now() then s.previous_sealed end
          from sources s join companies c on c.id = s.company_id
         where s.id = source_id;
    end $$;

    revoke all on function guard_api_key, notify_key_change, find_key_caller, revoke_keys, queue_for_expiring_keys,
      find_source from public;
    grant execute on function find_key_caller, revoke_keys, queue_for_expiring_keys, find_source to
      awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table sources, api_keys cascade;
    drop function find_source, queue_for_expiring_keys, revoke_keys, find_key_caller, guard_api_key, notify_key_change,
      is_usable cascade;`);
}
