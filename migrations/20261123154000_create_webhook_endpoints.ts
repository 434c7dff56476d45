import type { Knex } from 'knex';

/**
 * Where events are posted to. Each endpoint has a place in the event log, up to which its events were sent or stand in
 * `webhook_deliveries`: what was not taken there, and waits for its next try.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table webhook_endpoints (
      company_id uuid not null references companies (id),
      id uuid not null,
      url text not null check (char_length(url) between 1 and 2000),
      types text[],
      of_children boolean not null default false,
      sealed_secret bytea not null,
      previous_sealed bytea,
      previous_until timestamptz(3),
      rotated_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      disabled_because text check (disabled_because in ('requested', 'gone', 'failing')),
      cursor_xact xid8 not null,
      cursor_event uuid not null,
      cursor_day date not null,
      claimed_until timestamptz(3),
      failures integer not null default 0 check (failures >= 0),
      paused_until timestamptz(3),
      last_tried_at timestamptz(3),
      last_status integer,
      primary key (company_id, id),
      check ((previous_sealed is null) = (previous_until is null))
    );
    comment on column webhook_endpoints.disabled_because is 'Null while it is on';
    comment on column webhook_endpoints.claimed_until is 'A worker sends to it, and no other one does until then';
    comment on column webhook_endpoints.failures is 'Turns in a row in which nothing was taken';
    alter table webhook_endpoints enable row level security;
    create policy own_company on webhook_endpoints to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete,
          update (url, types, sealed_secret, previous_sealed, previous_until, rotated_at, disabled_because, cursor_xact,
                  cursor_event, cursor_day, claimed_until, failures, paused_until, last_tried_at, last_status)
      on webhook_endpoints to awareness_service;

    create table webhook_deliveries (
      company_id uuid not null,
      endpoint_id uuid not null,
      event_id uuid not null,
      body text not null,
      tries integer not null check (tries >= 0),
      next_try_at timestamptz(3) not null,
      primary key (company_id, endpoint_id, event_id),
      constraint webhook_deliveries_endpoint
        foreign key (company_id, endpoint_id) references webhook_endpoints on delete cascade
    );
    create index webhook_deliveries_due on webhook_deliveries (company_id, endpoint_id, next_try_at);
    alter table webhook_deliveries enable row level security;
    create policy own_company on webhook_deliveries to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on webhook_deliveries to awareness_service;

    -- Endpoints that something may be sent to now, those first that waited longest. An event that is not to be read yet
    -- makes its endpoint due, too. On Citus, the events of children have no common order, and are not sent.
    create function due_webhooks(most integer) returns table (company_id uuid, endpoint_id uuid)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
      begin
        return query
          select e.company_id, e.id
            from webhook_endpoints e
           where e.disabled_because is null and coalesce(e.paused_until, '-infinity') <= now()
             and coalesce(e.claimed_until, '-infinity') <= now()
             and (exists (select from webhook_deliveries d
                           where d.company_id = e.company_id and d.endpoint_id = e.id and d.next_try_at <= now())
               or not e.of_children
                  and exists (select from events l
                               where l.company_id = e.company_id and (l.xact, l.id) > (e.cursor_xact, e.cursor_event)))
           order by e.last_tried_at nulls first limit most;
        if exists (select from pg_extension where extname = 'citus') then return; end if;
        return query
          select e.company_id, e.id
            from webhook_endpoints e
           where e.of_children and e.disabled_because is null and coalesce(e.paused_until, '-infinity') <= now()
             and coalesce(e.claimed_until, '-infinity') <= now()
             and exists (select from companies c join events l on l.company_id = c.id
                          where c.managed_by @> array[e.company_id] and c.account_type in ('tenant', 'prospect')
                            and (l.xact, l.id) > (e.cursor_xact, e.cursor_event))
           order by e.last_tried_at nulls first limit most;
      end $$;
    revoke all on function due_webhooks(integer) from public;
    grant execute on function due_webhooks(integer) to awareness_service;

    -- Endpoints that are on read the log, also when nothing happens.
    create function note_webhook_readers() returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        insert into event_readers as r (company_id, own_read_at, children_read_at)
        select e.company_id, max(now()) filter (where not e.of_children), max(now()) filter (where e.of_children)
          from webhook_endpoints e where e.disabled_because is null group by e.company_id
        on conflict (company_id) do update
          set own_read_at = greatest(r.own_read_at, excluded.own_read_at),
              children_read_at = greatest(r.children_read_at, excluded.children_read_at);
      end $$;
    revoke all on function note_webhook_readers() from public;
    grant execute on function note_webhook_readers() to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function note_webhook_readers(), due_webhooks(integer);
    drop table webhook_deliveries, webhook_endpoints;
  `);
}
