import type { Knex } from 'knex';

/**
 * Creates tenancy: companies, their managers, and the functions that every other migration uses.
 *
 * Every table of a company has row-level security. The role of the service owns nothing, and sees only the rows of the
 * company that its transaction has set. Primary and foreign keys begin with company_id. Functions that read across
 * companies run with the owner's rights, check their arguments, and are granted individually. `down` keeps the role,
 * because other databases of the server might use it.
 *
 * Secondary indexes also begin with company_id, except on tables that foreign keys reference. There, an index begins
 * with its own column and ends with company_id. If a company is newer than the statistics, Postgres estimates that it
 * has one row. All indexes that begin with company_id then cost the same, so Postgres picks the one created last, and
 * might scan the whole company for each foreign-key check. Such checks took 18 s for 24,000 enrolments of 3,000
 * learners, and now take 2 s. If the first column of an index is mostly null, the index omits nulls. If several indexes
 * of a table begin with company_id, the best one for foreign keys is created last.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    do $$ begin
      if not exists (select from pg_roles where rolname = 'awareness_service') then
        create role awareness_service nologin;
      end if;
    end $$;
    -- The readiness check of the service reads this table.
    grant select on knex_migrations to awareness_service;

    create function current_company() returns uuid
      language sql stable parallel safe
      return nullif(current_setting('app.company_id', true), '')::uuid;

    -- Returns a UUIDv7, a random UUID that begins with the time, for statements that insert thousands of rows.
    create function new_id() returns uuid
      language sql parallel safe as $$
      select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1),
        53, 1), 'hex')::uuid
    $$;

    -- Enforces lower bounds on arguments of functions with the owner's rights, so that an attacker with the role of the
    -- service cannot purge everything by passing zero days.
    create function require_at_least(argument text, value integer, smallest integer) returns void
      language plpgsql immutable as $$
    begin
      if value is null or value < smallest then
        raise exception '% must be at least %, not %', argument, smallest, coalesce(value::text, 'null')
          using errcode = 'invalid_parameter_value';
      end if;
    end $$;

    -- Keeps updated_at, and with it the ETag, if an update changes nothing. Generated columns are still null in a
    -- BEFORE trigger, so custom_of, the only one in these tables, is ignored.
    create function guard_updated_at() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    declare
      ignored text[] := '{updated_at,custom_of}';
    begin
      if to_jsonb(new) - ignored = to_jsonb(old) - ignored then
        new.updated_at := old.updated_at;
      end if;
      return new;
    end $$;

    -- Makes the transaction commit without waiting for the disk. Used only for times of last use, because losing one in
    -- a crash does no harm.
    create function commit_without_waiting() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      perform set_config('synchronous_commit', 'off', true);
      return null;
    end $$;

    -- Returns the owner of the content that is managed for all companies.
    create function managed_catalogue() returns uuid
      language sql immutable parallel safe
      return '00000000-0000-0000-0000-000000000000'::uuid;

    create function enabled_modules(smlearn boolean, smphish boolean, smpolicy boolean, smbreachproenabled
        boolean)
      returns text[]
      language sql immutable
      return array_remove(array[
        case when smlearn then 'smlearn' end,
        case when smphish then 'smphish' end,
        case when smpolicy then 'smpolicy' end,
        case when smbreachproenabled then 'smbreachproenabled' end], null);

    create table companies (
      id uuid primary key,
      name text not null,
      account_type text not null check (account_type in ('tenant', 'prospect', 'msp', 'distributor')),
      parent_id uuid references companies (id),
      -- All companies above this one, nearest first. They can read this company unless it is an MSP or a distributor.
      managed_by uuid[] not null default '{}',
      plan_name text not null,
      -- The maximum number of active learners; null for no limit.
      learner_limit integer check (learner_limit >= 0),
      -- The e-mail domain of the company. If domain_lock is set, addresses at other domains are rejected.
      domain text,
      domain_lock boolean not null default false,
      -- The modules of the company, named as in the contract.
      smlearn boolean not null default true,
      smphish boolean not null default true,
      smpolicy boolean not null default true,
      smbreachproenabled boolean not null default false,
      -- The domains whose breached accounts the company sees.
      smbreachprodomains text[] not null default '{}',
      created_at timestamptz(3) not null default now(),
      check (not domain_lock or domain is not null),
      constraint companies_trial_limit check (plan_name <> 'freeTrial' or learner_limit is not null)
    );
    create index companies_managed_by on companies using gin (managed_by);
    alter table companies enable row level security;
    create policy own_and_managed on companies for select to awareness_service
      using (id = current_company()
             or (managed_by @> array[current_company()] and account_type in ('tenant', 'prospect')));
    grant select on companies to awareness_service;

    -- Derives managed_by from the parents of a company. An advisory lock makes changes of parents run one at a time.
    -- Citus allows no triggers on this table, so src/commands/keys writes managed_by there.
    create function derive_managers() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    declare
      above uuid := new.parent_id;
    begin
      new.managed_by := '{}';
      if above is not null or (tg_op = 'UPDATE' and old.parent_id is not null) then
        perform pg_advisory_xact_lock(hashtext('companies.parent_id'));
      end if;
      while above is not null loop
        if above = new.id or above = any(new.managed_by) then
          raise exception 'company % cannot be its own ancestor', new.id
            using errcode = 'check_violation', constraint = 'companies_no_circle';
        end if;
        new.managed_by := new.managed_by || above;
        select parent_id into above from companies where id = above;
      end loop;
      return new;
    end $$;
    create trigger managers_derived before insert or update of parent_id, managed_by on companies
      for each row execute function derive_managers();

    create function derive_managers_below() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      update companies set parent_id = parent_id where managed_by @> array[new.id];
      return null;
    end $$;
    create trigger managers_below_derived after update of parent_id on companies
      for each row when (old.parent_id is distinct from new.parent_id) execute function derive_managers_below();

    -- Sets the default learner limit on a new free trial that has none.
    create function limit_new_trial() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      new.learner_limit := 25;
      return new;
    end $$;
    create trigger new_trial_limited before insert on companies
      for each row when (new.plan_name = 'freeTrial' and new.learner_limit is null) execute function limit_new_trial();

    -- Returns the MSPs directly above the tenants and prospects that this company manages. Needed because row-level
    -- security shows a distributor only tenants and prospects.
    create function msps_of_children() returns table(company_id uuid, id uuid, name text)
      language sql stable security definer set search_path = public, pg_temp as $$
      select c.id, m.id, m.name from companies c join companies m on m.id = c.parent_id and m.account_type = 'msp'
       where c.managed_by @> array[current_company()] and c.account_type in ('tenant', 'prospect')
    $$;

    revoke all on function require_at_least, guard_updated_at, commit_without_waiting, derive_managers,
      derive_managers_below, limit_new_trial, msps_of_children from public;
    grant execute on function require_at_least, msps_of_children to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    revoke all on knex_migrations from awareness_service;
    drop table companies cascade;
    drop function msps_of_children, limit_new_trial, derive_managers_below, derive_managers, enabled_modules,
      managed_catalogue, commit_without_waiting, guard_updated_at, require_at_least, new_id, current_company cascade;`);
}
