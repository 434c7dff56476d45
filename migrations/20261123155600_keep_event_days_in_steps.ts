import type { Knex } from 'knex';

/**
 * One step at a time, each in a transaction of its own: deletes a day of `events_other` that is over, drops a partition, or
 * makes one. To make a partition, Postgres locks the whole log and reads `events_other`, which has the rows of all days
 * without one: together, after a week in which the job did not run, these steps would keep changes waiting, and pass the
 * time-out of a statement.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function keep_event_days(integer);

    -- Returns whether there may be more to do. Gives up after two seconds of waiting for a lock.
    create function keep_event_days(days integer) returns boolean
      language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
      declare
        today date := (now() at time zone 'utc')::date;
        first date;
        part text;
      begin
        select min(day) into first from events_other;
        if first < today - days then
          delete from events_other where day = first;
          return true;
        end if;

        select c.relname into part from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'events'::regclass and c.relname ~ '^events_[0-9]{8}$'
           and to_date(right(c.relname, 8), 'YYYYMMDD') < today - days
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
    revoke all on function keep_event_days(integer) from public;
    grant execute on function keep_event_days(integer) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function keep_event_days(integer);
    create function keep_event_days(days integer) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        today date := (now() at time zone 'utc')::date;
        next date;
        old text;
      begin
        set local lock_timeout = '2s';
        for next in select today + n from generate_series(1, 7) as n loop
          if to_regclass(to_char(next, '"events_"YYYYMMDD')) is null then
            execute format('create table %I partition of events for values from (%L) to (%L)',
                           to_char(next, '"events_"YYYYMMDD'), next, next + 1);
          end if;
        end loop;
        for old in
          select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
           where i.inhparent = 'events'::regclass and c.relname ~ '^events_[0-9]{8}$'
             and to_date(right(c.relname, 8), 'YYYYMMDD') < today - days
        loop
          execute format('drop table %I', old);
        end loop;
        delete from events_other where day < today - days;
        delete from event_readers
         where greatest(own_read_at, children_read_at) < now() - days * interval '1 day';
        update event_readers set own_read_at = null where own_read_at < now() - days * interval '1 day';
        update event_readers set children_read_at = null where children_read_at < now() - days * interval '1 day';
      end $$;
    revoke all on function keep_event_days(integer) from public;
    grant execute on function keep_event_days(integer) to awareness_service;
  `);
}
