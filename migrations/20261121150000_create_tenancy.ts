import type { Knex } from 'knex';

/**
 * Companies, their keys, their learners and groups.
 *
 * Every tenant table leads its primary key, its indexes and its foreign keys with company_id, and has row-level
 * security: the service's role, which owns nothing, sees the rows of the company that its transaction has set.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    do $$ begin
      if not exists (select from pg_roles where rolname = 'awareness_service') then
        create role awareness_service nologin;
      end if;
    end $$;

    create function current_company() returns uuid
      language sql stable parallel safe
      return nullif(current_setting('app.company_id', true), '')::uuid;

    create table companies (
      id uuid primary key,
      name text not null,
      account_type text not null check (account_type in ('tenant', 'prospect', 'msp', 'distributor')),
      parent_id uuid references companies (id),
      -- The parent and the parent's parent: who may read this company.
      managed_by uuid[] not null default '{}',
      plan_name text not null,
      learner_limit integer check (learner_limit >= 0),
      active_learner_count integer not null default 0 check (active_learner_count >= 0),
      domain text,
      domain_lock boolean not null default false,
      smlearn boolean not null default true,
      smphish boolean not null default true,
      smpolicy boolean not null default true,
      smbreachproenabled boolean not null default false,
      smbreachprodomains text[] not null default '{}',
      created_at timestamptz(3) not null default now(),
      check (not domain_lock or domain is not null)
    );
    create index companies_managed_by on companies using gin (managed_by);

    -- A directory, not tenant data: it is read before the company of a request is known.
    create table api_keys (
      id uuid primary key,
      company_id uuid not null references companies (id) on delete cascade,
      public_id text not null unique,
      key_hash bytea not null unique,
      name text not null,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3),
      last_used_at timestamptz(3),
      revoked_at timestamptz(3)
    );
    create index api_keys_company on api_keys (company_id);

    create table learners (
      company_id uuid not null references companies (id),
      id uuid not null,
      email text not null,
      first_name text not null,
      last_name text not null,
      external_learner_id text,
      locale text,
      inactive boolean not null default false,
      excluded_from_auto_enrol boolean not null default false,
      risk_score smallint not null default 0 check (risk_score between 0 and 100),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (company_id, id)
    );
    create unique index learners_email on learners (company_id, lower(email));
    create unique index learners_external_learner_id on learners (company_id, external_learner_id);

    create table groups (
      company_id uuid not null references companies (id),
      id uuid not null,
      name text not null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (company_id, id)
    );
    create unique index groups_name on groups (company_id, lower(name));

    create table group_learners (
      company_id uuid not null,
      group_id uuid not null,
      learner_id uuid not null,
      primary key (company_id, group_id, learner_id),
      constraint group_learners_group foreign key (company_id, group_id) references groups on delete cascade,
      constraint group_learners_learner foreign key (company_id, learner_id) references learners on delete cascade
    );
    create index group_learners_learner on group_learners (company_id, learner_id);

    create table group_managers (
      company_id uuid not null,
      group_id uuid not null,
      learner_id uuid not null,
      primary key (company_id, group_id, learner_id),
      constraint group_managers_group foreign key (company_id, group_id) references groups on delete cascade,
      constraint group_managers_learner foreign key (company_id, learner_id) references learners on delete cascade
    );
    create index group_managers_learner on group_managers (company_id, learner_id);

    -- Keeps companies.active_learner_count, and refuses to pass the plan's limit. The update locks the company's row,
    -- so that two transactions cannot both take the last place.
    create function adjust_active_learners(company uuid, difference integer) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      update companies
         set active_learner_count = active_learner_count + difference
       where id = company
         and (difference < 0 or learner_limit is null or active_learner_count + difference <= learner_limit);
      if not found then
        raise exception 'learner limit reached' using errcode = 'check_violation', constraint = 'learner_limit';
      end if;
    end $$;

    create function count_active_learners() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      if tg_op = 'INSERT' then
        perform adjust_active_learners(company_id, count(*)::integer)
           from added where not inactive group by company_id;
      elsif tg_op = 'DELETE' then
        perform adjust_active_learners(company_id, -count(*)::integer)
           from removed where not inactive group by company_id;
      else
        perform adjust_active_learners(company_id, sum(difference)::integer)
           from (select company_id, 1 as difference from added where not inactive
                 union all
                 select company_id, -1 from removed where not inactive) as differences
          group by company_id having sum(difference) <> 0;
      end if;
      return null;
    end $$;

    create trigger learners_counted_in after insert on learners
      referencing new table as added
      for each statement execute function count_active_learners();
    create trigger learners_counted_out after delete on learners
      referencing old table as removed
      for each statement execute function count_active_learners();
    create trigger learners_recounted after update on learners
      referencing old table as removed new table as added
      for each statement execute function count_active_learners();

    -- How many learners may still become active (null: no limit). Locks the company's row until the transaction ends:
    -- every change to the number of active learners starts with it, so that two of them queue instead of deadlocking.
    create function lock_free_seats() returns integer
      language sql security definer set search_path = public, pg_temp
      as 'select learner_limit - active_learner_count from companies where id = current_company() for no key update';

    -- Finds a usable key by its hash, and stamps its use at most once a minute.
    create function find_api_key(hash bytea)
      returns table (key_id uuid, company_id uuid, account_type text, expires_at timestamptz)
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      update api_keys set last_used_at = now()
       where api_keys.key_hash = hash and revoked_at is null
         and (api_keys.expires_at is null or api_keys.expires_at > now())
         and (last_used_at is null or last_used_at < now() - interval '1 minute');
      return query
        select api_keys.id, companies.id, companies.account_type, api_keys.expires_at
          from api_keys join companies on companies.id = api_keys.company_id
         where api_keys.key_hash = hash
           and api_keys.revoked_at is null
           and (api_keys.expires_at is null or api_keys.expires_at > now());
    end $$;

    revoke all on function find_api_key(bytea), lock_free_seats(), adjust_active_learners(uuid, integer),
      count_active_learners() from public;
    grant execute on function find_api_key(bytea), lock_free_seats() to awareness_service;

    alter table companies enable row level security;
    create policy own_and_managed on companies for select to awareness_service
      using (id = current_company()
             or (managed_by @> array[current_company()] and account_type in ('tenant', 'prospect')));
    grant select on companies to awareness_service;
  `);
  for (const table of TENANT_TABLES) {
    await knex.raw(`
      alter table ${table} enable row level security;
      create policy own_company on ${table} to awareness_service
        using (company_id = current_company()) with check (company_id = current_company());
      grant select, insert, update, delete on ${table} to awareness_service;
    `);
  }
  await knex.raw('alter table api_keys enable row level security');
  // What the service reads to know whether it is ready.
  await knex.raw('grant select on knex_migrations to awareness_service');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    revoke all on knex_migrations from awareness_service;
    drop table group_managers, group_learners, groups, learners, api_keys, companies;
    drop function find_api_key(bytea), lock_free_seats(), count_active_learners(),
      adjust_active_learners(uuid, integer), current_company();
  `);
}

const TENANT_TABLES = ['learners', 'groups', 'group_learners', 'group_managers'];
