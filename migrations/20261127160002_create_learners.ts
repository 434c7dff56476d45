import type { Knex } from 'knex';

/** Creates learners, the seats that they take in their company's plan, groups, and the SCIM attributes of both. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table learners (
      company_id uuid not null references companies (id),
      id uuid not null,
      email text not null,
      first_name text not null,
      last_name text not null,
      external_learner_id text,
      locale text,
      department text,
      job_title text,
      -- ISO 3166-1 alpha-2, in upper case.
      country text,
      location text,
      -- An IANA time zone name.
      time_zone text,
      -- The learner's own manager, who takes precedence over group managers while active.
      manager_id uuid,
      inactive boolean not null default false,
      excluded_from_auto_enrol boolean not null default false,
      risk_score smallint not null default 0 check (risk_score between 0 and 100),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      -- The email in lower case. Under row-level security, Postgres uses no index on lower(email), because lower() is
      -- not leakproof. The column is not generated: bulk calls set it, and a trigger sets it for other writers.
      email_key text not null,
      -- Time at which the email last changed; null if it has never changed.
      email_changed_at timestamptz(3),
      primary key (company_id, id),
      constraint learners_email_key_check check (email_key = lower(email)),
      -- The service clears managers before it deletes them. Deleting 10,000 learners spends 0.2 to 0.4 s on this
      -- constraint, and 2.0 to 2.9 s with "on delete set null" (2026-11-28, two busy cores).
      constraint learners_manager foreign key (company_id, manager_id) references learners,
      constraint learners_manager_is_another check (manager_id <> id)
    );
    create index learners_of_manager on learners (company_id, manager_id, id);
    create unique index learners_email on learners (email_key, company_id);
    create unique index learners_external_learner_id on learners (external_learner_id, company_id)
      where external_learner_id is not null;
    alter table learners enable row level security;
    create policy own_company on learners to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on learners to awareness_service;

    create function set_learner_email_key() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      new.email_key := lower(new.email);
      if tg_op = 'UPDATE' then new.email_changed_at := now(); end if;
      return new;
    end $$;
    create trigger learners_email_key before insert or update of email on learners
      for each row when (new.email_key is distinct from lower(new.email)) execute function set_learner_email_key();

    -- The number of active learners of each company. Not a column of companies, because on Citus that table is on every
    -- node, and an update would lock all nodes.
    create table company_seats (
      company_id uuid primary key references companies (id) on delete cascade,
      active integer not null check (active >= 0)
    );
    alter table company_seats enable row level security;
    create policy own_company on company_seats to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update on company_seats to awareness_service;

    -- Changes the number of active learners of a company. Rejects a number that exceeds the plan's limit. The row stays
    -- locked until the transaction ends, so two transactions cannot both take the last seat.
    create function take_seats(company uuid, difference integer) returns void
      language plpgsql set search_path = public, pg_temp as $$
    declare
      seated integer;
    begin
      insert into company_seats as s (company_id, active) values (company, greatest(difference, 0))
        on conflict (company_id) do update set active = s.active + difference
        returning active into seated;
      if difference > 0 and seated > (select learner_limit from companies where id = company) then
        -- Citus relays only the message of an error on another node, so the message names the constraint.
        raise exception 'the active learners of the company violate check constraint "learner_limit"'
          using errcode = 'check_violation', constraint = 'learner_limit';
      end if;
    end $$;

    create function seat_learners() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    declare
      change record;
    begin
      if tg_op = 'INSERT' then
        for change in select company_id, count(*)::integer as difference from added where not inactive group by 1 loop
          perform take_seats(change.company_id, change.difference);
        end loop;
      elsif tg_op = 'DELETE' then
        for change in select company_id, -count(*)::integer as difference from removed where not inactive group by 1 loop
          perform take_seats(change.company_id, change.difference);
        end loop;
      else
        for change in
          select company_id, sum(difference)::integer as difference
            from (select company_id, 1 as difference from added where not inactive
                  union all
                  select company_id, -1 from removed where not inactive) as differences
           group by 1 having sum(difference) <> 0
        loop
          perform take_seats(change.company_id, change.difference);
        end loop;
      end if;
      return null;
    end $$;
    create trigger learners_reseated after update on learners
      referencing old table as removed new table as added
      for each statement execute function seat_learners();
    create trigger learners_seated_in after insert on learners
      referencing new table as added
      for each statement execute function seat_learners();
    create trigger learners_seated_out after delete on learners
      referencing old table as removed
      for each statement execute function seat_learners();

    -- Returns the number of active learners of each company below this one, which row-level security hides from it.
    create function seats_of_children() returns table(company_id uuid, active integer)
      language sql stable security definer set search_path = public, pg_temp as $$
      select s.company_id, s.active from company_seats s join companies c on c.id = s.company_id
       where c.managed_by @> array[current_company()] and c.account_type in ('tenant', 'prospect')
    $$;

    -- Returns the level of a risk score. The levels must match LEVEL_ENDS in src/resources/risk/risk-rules.ts.
    create function risk_level(score smallint) returns text
      language sql immutable parallel safe
      return case when score < 25 then 'low' when score < 50 then 'moderate' when score < 75 then 'high'
                  else 'critical' end;

    create table groups (
      company_id uuid not null references companies (id),
      id uuid not null,
      name text not null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (company_id, id)
    );
    create unique index groups_name on groups (lower(name), company_id);
    alter table groups enable row level security;
    create policy own_company on groups to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on groups to awareness_service;
    create trigger groups_unchanged before update of name on groups
      for each row execute function guard_updated_at();

    create table group_learners (
      company_id uuid not null,
      group_id uuid not null,
      learner_id uuid not null,
      primary key (company_id, group_id, learner_id),
      constraint group_learners_group foreign key (company_id, group_id) references groups on delete cascade,
      constraint group_learners_learner foreign key (company_id, learner_id) references learners on delete cascade
    );
    create index group_learners_learner on group_learners (company_id, learner_id);
    alter table group_learners enable row level security;
    create policy own_company on group_learners to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on group_learners to awareness_service;

    create table group_managers (
      company_id uuid not null,
      group_id uuid not null,
      learner_id uuid not null,
      primary key (company_id, group_id, learner_id),
      constraint group_managers_group foreign key (company_id, group_id) references groups on delete cascade,
      constraint group_managers_learner foreign key (company_id, learner_id) references learners on delete cascade
    );
    -- The key begins with the learner, so that the managers of a group are looked up by the primary key. With few
    -- statistics, Postgres would read all managers of the company instead.
    create index group_managers_learner on group_managers (learner_id, company_id);
    alter table group_managers enable row level security;
    create policy own_company on group_managers to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on group_managers to awareness_service;

    -- The SCIM attributes of learners. After a SCIM DELETE the row stays, with removed_at, until the learner is
    -- deleted.
    create table directory_learners (
      company_id uuid not null,
      learner_id uuid not null,
      user_name text not null,
      -- The user name in lower case, for lookups by index.
      user_name_key text not null,
      external_id text,
      display_name text,
      -- Time at which the directory deleted the user; null if it has not.
      removed_at timestamptz(3),
      primary key (company_id, learner_id),
      constraint directory_learners_learner foreign key (company_id, learner_id)
        references learners on delete cascade,
      check (user_name_key = lower(user_name))
    );
    create unique index directory_learners_user_name on directory_learners (company_id, user_name_key);
    create index directory_learners_external_id on directory_learners (company_id, external_id);
    create index directory_learners_removed on directory_learners (company_id, removed_at)
      where removed_at is not null;
    alter table directory_learners enable row level security;
    create policy own_company on directory_learners to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on directory_learners to awareness_service;
    grant update (user_name, user_name_key, external_id, display_name, removed_at) on directory_learners to
      awareness_service;

    create table directory_groups (
      company_id uuid not null,
      group_id uuid not null,
      external_id text,
      primary key (company_id, group_id),
      constraint directory_groups_group foreign key (company_id, group_id) references groups on delete cascade
    );
    create index directory_groups_external_id on directory_groups (company_id, external_id);
    alter table directory_groups enable row level security;
    create policy own_company on directory_groups to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on directory_groups to awareness_service;
    grant update (external_id) on directory_groups to awareness_service;

    revoke all on function take_seats, seat_learners, seats_of_children from public;
    grant execute on function take_seats, seats_of_children to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table directory_groups, directory_learners, group_managers, group_learners, groups, company_seats, learners
      cascade;
    drop function risk_level, seats_of_children, seat_learners, take_seats, set_learner_email_key cascade;`);
}
