import type { Knex } from 'knex';

/**
 * How many active learners a company has, in a table of its own, which Citus keeps beside the company's learners.
 *
 * companies.active_learner_count stays right beside it, by its own triggers, as long as the release before runs.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table company_seats (
      company_id uuid primary key references companies (id) on delete cascade,
      active integer not null check (active >= 0)
    );
    alter table company_seats enable row level security;
    create policy own_company on company_seats to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update on company_seats to awareness_service;

    -- Refuses to pass the plan's limit. The row stays locked, so that two transactions cannot both take the last seat.
    create function take_seats(company uuid, difference integer) returns void
      language plpgsql set search_path = public, pg_temp as $$
    declare
      seated integer;
    begin
      insert into company_seats as s (company_id, active) values (company, greatest(difference, 0))
        on conflict (company_id) do update set active = s.active + difference
        returning active into seated;
      if difference > 0 and seated > (select learner_limit from companies where id = company) then
        -- Where Citus tells of it, the message is all there is.
        raise exception 'the active learners of the company violate check constraint "learner_limit"'
          using errcode = 'check_violation', constraint = 'learner_limit';
      end if;
    end $$;

    revoke all on function take_seats(uuid, integer) from public;
    grant execute on function take_seats(uuid, integer) to awareness_service;

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
    revoke all on function seat_learners() from public;

    -- From here on nobody writes learners until all of this commits.
    create trigger learners_seated_in after insert on learners
      referencing new table as added
      for each statement execute function seat_learners();
    create trigger learners_seated_out after delete on learners
      referencing old table as removed
      for each statement execute function seat_learners();
    create trigger learners_reseated after update on learners
      referencing old table as removed new table as added
      for each statement execute function seat_learners();
    insert into company_seats (company_id, active) select id, active_learner_count from companies;

    -- What the release before locks first: the same row as this one does, so that the two do not deadlock.
    create or replace function lock_free_seats() returns integer
      language sql security definer set search_path = public, pg_temp as $$
      select 1 from company_seats where company_id = current_company() for no key update;
      select learner_limit - active_learner_count from companies where id = current_company() for no key update;
    $$;

    -- The active learners of the companies below this one, which row-level security does not show it.
    create function seats_of_children() returns table (company_id uuid, active integer)
      language sql stable security definer set search_path = public, pg_temp as $$
      select s.company_id, s.active from company_seats s join companies c on c.id = s.company_id
       where c.managed_by @> array[current_company()] and c.account_type in ('tenant', 'prospect')
    $$;
    revoke all on function seats_of_children() from public;
    grant execute on function seats_of_children() to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function seats_of_children();
    create or replace function lock_free_seats() returns integer
      language sql security definer set search_path = public, pg_temp
      as 'select learner_limit - active_learner_count from companies where id = current_company() for no key update';
    drop trigger learners_seated_in on learners;
    drop trigger learners_seated_out on learners;
    drop trigger learners_reseated on learners;
    drop function seat_learners(), take_seats(uuid, integer);
    drop table company_seats;
  `);
}
