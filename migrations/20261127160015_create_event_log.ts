import type { Knex } from 'knex';

/**
 * Builds the condition that a row exists, as a subquery with a limit. Postgres never turns such a subquery into a join,
 * which might read a whole table for one row.
 */
const exists = (table: string, field: string) => `(
           select o.id from public.${table} o
            where o.company_id = (select company) and o.id = (r.data ->> '${field}')::uuid limit 1) is not null`;

/**
 * Creates the event log: the changes of each company, in the order of their transactions. The transaction of a change
 * writes the events of the change, but only for companies whose events somebody reads.
 *
 * Readers read only rows whose `transaction_id` is below `pg_snapshot_xmin`. Every transaction below that has ended, so
 * no row can appear behind a reader.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Returns a UUIDv7 with a fraction of the millisecond, so that statements of one transaction keep their order
    -- unless the clock steps back.
    create function new_event_id() returns uuid
      language sql parallel safe as $$
      select (overlay(lpad(to_hex((extract(epoch from clock_timestamp()) * 4096000)::bigint), 15, '0')
                        placing '7' from 13 for 0)
              || right(gen_random_uuid()::text, 17))::uuid
    $$;

    create table events (
      company_id uuid not null,
      day date not null default (now() at time zone 'utc')::date,
      transaction_id xid8 not null default pg_current_xact_id(),
      id uuid not null default new_event_id(),
      type text not null,
      occurred_at timestamptz(3) not null default statement_timestamp(),
      data jsonb not null,
      primary key (company_id, transaction_id, id, day)
    ) partition by range (day);
    create table events_other partition of events default;
    alter table events enable row level security;
    create policy own_company on events to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on events to awareness_service;

    -- The times at which a company last read its own events and those of all companies below it.
    create table event_readers (
      company_id uuid primary key references companies (id) on delete cascade,
      own_read_at timestamptz(3),
      children_read_at timestamptz(3)
    );
    alter table event_readers enable row level security;
    -- A child must see that a company above it reads events. The times reveal nothing about companies, and Citus
    -- rejects the subquery that would narrow this policy.
    create policy of_parents on event_readers for select to awareness_service using (children_read_at is not null);
    create policy own_company on event_readers to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update on event_readers to awareness_service;

    -- Reports whether anybody reads the events of a company. Every statement that changes rows calls this function.
    create function events_are_read(company uuid) returns boolean
      language plpgsql stable as $$
    begin
      return exists (select from public.event_readers r where r.company_id = company and r.own_read_at is not null)
          or exists (select from public.companies k join public.event_readers r on r.company_id = any (k.managed_by)
                      where k.id = company and k.account_type in ('tenant', 'prospect')
                        and r.children_read_at is not null);
    end $$;

    -- Writes events, the n-th type with the n-th facts. Types and facts are arrays, because on Citus an insert cannot
    -- read the rows of a trigger.
    create function write_events(company uuid, types text[], facts jsonb[]) returns void
      language plpgsql set search_path = public, pg_temp as $$
    declare
      written integer;
    begin
      if types is null then return; end if;
      with added as (
        insert into events (company_id, type, data)
        select company, e.type, e.data from unnest(types, facts) as e (type, data) returning company_id
      ) select count(*) into written from added;
    end $$;

    -- Writes the events of rows whose learner, group or policy still exists. A row that was deleted with one of these
    -- has no event. Types and facts are arrays, because Citus cannot join the rows of a trigger with a table. A
    -- subquery hides the company from the planner, which expects no rows of a company that is missing from the
    -- statistics.
    create function write_events_of_existing(company uuid, of_types text[], of_facts jsonb[]) returns void
      language plpgsql as $$
    declare
      types text[];
      facts jsonb[];
    begin
      select array_agg(r.type), array_agg(r.data) into types, facts
        from unnest(of_types, of_facts) as r (type, data)
       where ${exists('learners', 'learnerId')}
         and (r.data -> 'groupId' is null or ${exists('groups', 'groupId')})
         and (r.data -> 'policyId' is null or ${exists('policies', 'policyId')});
      perform public.write_events(company, types, facts);
    end $$;

    -- Returns the events of all companies below this one, which row-level security hides from it. Fails on Citus, where
    -- the transactions of several nodes have no common order.
    create function events_of_children(after_transaction_id xid8, after_id uuid, before_transaction_id xid8, from_day date,
        of_types text[], max_rows integer)
      returns table(company_id uuid, transaction_id xid8, id uuid, type text, occurred_at timestamptz, data jsonb)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    begin
      if exists (select from pg_extension where extname = 'citus') then
        raise exception 'events of several companies have no common order on Citus'
          using errcode = 'check_violation', constraint = 'events_on_one_server';
      end if;
      return query
        select e.company_id, e.transaction_id, e.id, e.type, e.occurred_at, e.data
          from companies c
         cross join lateral (
           select * from events l
            where l.company_id = c.id and (l.transaction_id, l.id) > (after_transaction_id, after_id)
              and l.transaction_id < before_transaction_id
              and l.day >= from_day and (of_types is null or l.type = any (of_types))
            order by l.transaction_id, l.id limit max_rows) as e
         where c.managed_by @> array[current_company()] and c.account_type in ('tenant', 'prospect')
         order by e.transaction_id, e.id limit max_rows;
    end $$;

    -- Returns the events at the given positions, of companies below this one.
    create function events_of_children_at(companies uuid[], transaction_ids xid8[], ids uuid[])
      returns table(company_id uuid, transaction_id xid8, id uuid, type text, occurred_at timestamptz, data jsonb)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    begin
      return query
        select e.company_id, e.transaction_id, e.id, e.type, e.occurred_at, e.data
          from unnest(companies, transaction_ids, ids) as a (company, transaction_id, id)
         cross join lateral (select from companies c
                              where c.id = a.company and c.managed_by @> array[current_company()]
                                and c.account_type in ('tenant', 'prospect') offset 0) as c
         cross join lateral (select * from events l
                              where l.company_id = a.company and l.transaction_id = a.transaction_id and l.id = a.id
                              offset 0) as e;
    end $$;

    create function events_of_children_between(after_transaction_id xid8, after_id uuid, before_transaction_id xid8,
        from_time timestamptz, to_time timestamptz, of_types text[], max_rows integer)
      returns table(company_id uuid, transaction_id xid8, id uuid, type text, occurred_at timestamptz, data jsonb)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    begin
      if exists (select from pg_extension where extname = 'citus') then
        raise exception 'events of several companies have no common order on Citus'
          using errcode = 'check_violation', constraint = 'events_on_one_server';
      end if;
      return query
        select e.company_id, e.transaction_id, e.id, e.type, e.occurred_at, e.data
          from companies c
         cross join lateral (
           select * from events l
            where l.company_id = c.id and (l.transaction_id, l.id) > (after_transaction_id, after_id)
              and l.transaction_id < before_transaction_id
              and l.day between (from_time at time zone 'utc')::date - 1 and (to_time at time zone 'utc')::date
              and l.occurred_at >= from_time and l.occurred_at < to_time
              and (of_types is null or l.type = any (of_types))
            order by l.transaction_id, l.id limit max_rows) as e
         where c.managed_by @> array[current_company()] and c.account_type in ('tenant', 'prospect')
         order by e.transaction_id, e.id limit max_rows;
    end $$;

    -- Does one step: deletes an expired day of events_other, drops an expired partition, creates a partition or, as the
    -- last step, removes readers that have not read for the given number of days. Creating a partition locks the whole
    -- log and reads events_other, which has the rows of all days without a partition. Running all steps in one
    -- transaction would therefore block changes. Returns whether more steps might follow. Fails if it waits two seconds
    -- for a lock.
    create function rotate_event_log_partitions(days integer) returns boolean
      language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
    declare
      today date := (now() at time zone 'utc')::date;
      first date;
      part text;
    begin
      perform require_at_least('days', days, 30);
      select min(day) into first from events_other;
      if first < today - days then
        delete from events_other where day = first;
        return true;
      end if;

      select c.relname into part from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'events'::regclass
         and case when c.relname ~ '^events_[0-9]{8}$' then to_date(right(c.relname, 8), 'YYYYMMDD') < today - days end
       order by 1 limit 1;
      if part is not null then
        execute format('drop table %I', part);
        return true;
      end if;

      select today + n into first from generate_series(1, 7) as n
       where to_regclass(to_char(today + n, '"events_"YYYYMMDD')) is null order by 1 limit 1;
      if first is not null then
        execute format('create table %I partition of events for values from (%L) to (%L)',
                       to_char(first, '"events_"YYYYMMDD'), first, first + 1);
        return true;
      end if;

      delete from event_readers
       where greatest(own_read_at, children_read_at) < now() - days * interval '1 day';
      update event_readers set own_read_at = null where own_read_at < now() - days * interval '1 day';
      update event_readers set children_read_at = null where children_read_at < now() - days * interval '1 day';
      return false;
    end $$;

    revoke all on function events_are_read, write_events, write_events_of_existing, events_of_children,
      events_of_children_at, events_of_children_between, rotate_event_log_partitions from public;
    grant execute on function events_are_read, write_events, write_events_of_existing, events_of_children,
      events_of_children_at, events_of_children_between, rotate_event_log_partitions to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table event_readers, events cascade;
    drop function rotate_event_log_partitions, events_of_children_between,
      events_of_children_at, events_of_children, write_events_of_existing, write_events, events_are_read, new_event_id
      cascade;`);
}
