import type { Knex } from 'knex';

const DUE = (isLook: string): string => `
  create or replace function due_webhooks(most integer) returns table (company_id uuid, endpoint_id uuid)
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
                and (${isLook}exists (select from events l
                              where l.company_id = e.company_id and (l.xact, l.id) > (e.cursor_xact, e.cursor_event))))
         order by e.last_tried_at nulls first limit most;
      if exists (select from pg_extension where extname = 'citus') then return; end if;
      return query
        select e.company_id, e.id
          from webhook_endpoints e
         where e.of_children and e.disabled_because is null and coalesce(e.paused_until, '-infinity') <= now()
           and coalesce(e.claimed_until, '-infinity') <= now()
           and (${isLook}exists (select from companies c join events l on l.company_id = c.id
                        where c.managed_by @> array[e.company_id] and c.account_type in ('tenant', 'prospect')
                          and (l.xact, l.id) > (e.cursor_xact, e.cursor_event)))
         order by e.last_tried_at nulls first limit most;
    end $$`;

/**
 * The place of an endpoint names the database whose transactions it counts: a dump that is restored elsewhere has another
 * count. Such a place may lie behind all events, so each endpoint is looked at now and then, whatever the log says.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_endpoints add column cursor_log text, add column look_at timestamptz(3) not null default now() + interval '1 hour';
    comment on column webhook_endpoints.cursor_log is 'The database that the cursor is of; null: unknown';
    comment on column webhook_endpoints.look_at is 'Has a turn then, also when the log has nothing for it';
    grant update (cursor_log, look_at) on webhook_endpoints to awareness_service;
  `);
  await knex.raw(DUE('e.look_at <= now() or '));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(DUE(''));
  await knex.raw('alter table webhook_endpoints drop column look_at, drop column cursor_log');
}
