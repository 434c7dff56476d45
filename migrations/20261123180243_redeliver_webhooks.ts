import type { Knex } from 'knex';

/**
 * A second place in the log, for the events of a time that are sent again, and the place of each event that was tried. The
 * events of children are found by the owner's functions, as when they are read.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_endpoints
      add column replay_begun_at timestamptz(3), add column replay_from timestamptz(3), add column replay_to timestamptz(3),
      add column replay_xact xid8, add column replay_event uuid,
      add constraint webhook_endpoints_replay
        check (num_nulls(replay_begun_at, replay_from, replay_to, replay_xact, replay_event) in (0, 5));
    comment on column webhook_endpoints.replay_begun_at is 'Null while nothing is sent again';
    grant update (replay_begun_at, replay_from, replay_to, replay_xact, replay_event)
      on webhook_endpoints to awareness_service;
    alter table webhook_tries add column event_company_id uuid, add column event_xact xid8;
    comment on column webhook_tries.event_xact is 'Null for a later try, and for a test';

    create function events_of_children_between(after_xact xid8, after_id uuid, before_xact xid8, from_time timestamptz,
                                               to_time timestamptz, of_types text[], most integer)
      returns table (company_id uuid, xact xid8, id uuid, type text, occurred_at timestamptz, data jsonb)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
      begin
        if exists (select from pg_extension where extname = 'citus') then
          raise exception 'companies on several nodes' using errcode = 'check_violation', constraint = 'events_on_one_server';
        end if;
        return query
          select e.company_id, e.xact, e.id, e.type, e.occurred_at, e.data
            from companies c
           cross join lateral (
             select * from events l
              where l.company_id = c.id and (l.xact, l.id) > (after_xact, after_id) and l.xact < before_xact
                and l.day between (from_time at time zone 'utc')::date - 1 and (to_time at time zone 'utc')::date
                and l.occurred_at >= from_time and l.occurred_at < to_time
                and (of_types is null or l.type = any (of_types))
              order by l.xact, l.id limit most) as e
           where c.managed_by @> array[current_company()] and c.account_type in ('tenant', 'prospect')
           order by e.xact, e.id limit most;
      end $$;
    revoke all on function events_of_children_between(xid8, uuid, xid8, timestamptz, timestamptz, text[], integer)
      from public;
    grant execute on function events_of_children_between(xid8, uuid, xid8, timestamptz, timestamptz, text[], integer)
      to awareness_service;

    create function events_of_children_at(companies uuid[], xacts xid8[], ids uuid[])
      returns table (company_id uuid, xact xid8, id uuid, type text, occurred_at timestamptz, data jsonb)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
      begin
        return query
          select e.company_id, e.xact, e.id, e.type, e.occurred_at, e.data
            from unnest(companies, xacts, ids) as a (company, xact, id)
           cross join lateral (select from companies c
                                where c.id = a.company and c.managed_by @> array[current_company()]
                                  and c.account_type in ('tenant', 'prospect') offset 0) as c
           cross join lateral (select * from events l
                                where l.company_id = a.company and l.xact = a.xact and l.id = a.id offset 0) as e;
      end $$;
    revoke all on function events_of_children_at(uuid[], xid8[], uuid[]) from public;
    grant execute on function events_of_children_at(uuid[], xid8[], uuid[]) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function events_of_children_at(uuid[], xid8[], uuid[]),
                  events_of_children_between(xid8, uuid, xid8, timestamptz, timestamptz, text[], integer);
    alter table webhook_tries drop column event_xact, drop column event_company_id;
    alter table webhook_endpoints
      drop column replay_event, drop column replay_xact, drop column replay_to, drop column replay_from,
      drop column replay_begun_at;
  `);
}
