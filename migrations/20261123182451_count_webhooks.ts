import type { Knex } from 'knex';

/** What the metrics say of webhook endpoints: how many there are in each state, and since when the oldest event is due. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function webhook_figures() returns table (enabled integer, paused integer, disabled integer, oldest float8)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
      declare
        since timestamptz;
        since_children timestamptz;
      begin
        select min(least(d.at, l.at)) into since
          from webhook_endpoints e
          left join lateral (select d.next_try_at as at from webhook_deliveries d
                              where d.company_id = e.company_id and d.endpoint_id = e.id
                              order by d.next_try_at limit 1) as d on d.at <= now()
          left join lateral (select l.occurred_at as at from events l
                              where l.company_id = e.company_id and (l.xact, l.id) > (e.cursor_xact, e.cursor_event)
                                and (e.types is null or l.type = any (e.types))
                                and (l.data ->> 'webhookEndpointId')::uuid is distinct from e.id
                              order by l.xact, l.id limit 1) as l on not e.of_children
         where e.disabled_because is null and coalesce(e.paused_until, '-infinity') <= now();
        if not exists (select from pg_extension where extname = 'citus') then
          select min(l.at) into since_children
            from webhook_endpoints e
            join companies c on c.managed_by @> array[e.company_id] and c.account_type in ('tenant', 'prospect')
           cross join lateral (select l.occurred_at as at from events l
                                where l.company_id = c.id and (l.xact, l.id) > (e.cursor_xact, e.cursor_event)
                                  and (e.types is null or l.type = any (e.types))
                                order by l.xact, l.id limit 1) as l
           where e.of_children and e.disabled_because is null and coalesce(e.paused_until, '-infinity') <= now();
        end if;
        return query
          select (count(*) filter (where e.disabled_because is null and coalesce(e.paused_until, '-infinity') <= now()))::integer,
                 (count(*) filter (where e.disabled_because is null and e.paused_until > now()))::integer,
                 (count(*) filter (where e.disabled_because is not null))::integer,
                 coalesce(extract(epoch from now() - least(since, since_children)), 0)::float8
            from webhook_endpoints e;
      end $$;
    revoke all on function webhook_figures() from public;
    grant execute on function webhook_figures() to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function webhook_figures()');
}
