import type { Knex } from 'knex';

const TAKES = `e.failures = 0 and coalesce(e.last_status between 200 and 299, false)`;

/** The due endpoints of some kind, of each company at most so many of those that take events and of those that do not. */
const DUE = (isDue: string): string => `
        select d.company_id, d.id, d.takes
          from (select e.company_id, e.id, ${TAKES} as takes, coalesce(e.last_tried_at, e.created_at) as waits_since,
                       row_number() over (partition by e.company_id, (${TAKES})
                                              order by coalesce(e.last_tried_at, e.created_at), e.id) as place
                  from webhook_endpoints e
                 where e.disabled_because is null and coalesce(e.paused_until, '-infinity') <= now()
                   and coalesce(e.claimed_until, '-infinity') <= now()
                   and not e.company_id = any(case when ${TAKES} then full_of_taking else full_of_others end)
                   and ${isDue}) as d
         where d.place <= share
         order by d.place, d.waits_since limit most`;

/**
 * Companies share the turns: the first endpoint of each comes before the second of any, and one that was just made has no
 * precedence. Endpoints that took their last event have a share of their own, so that others do not keep them waiting.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
  create function due_webhooks_by_company(most integer, share integer, full_of_taking uuid[], full_of_others uuid[])
    returns table (company_id uuid, endpoint_id uuid, takes boolean)
    language plpgsql stable security definer set search_path = public, pg_temp as $$
    begin
      return query ${DUE(`
                       (exists (select from webhook_deliveries w
                                 where w.company_id = e.company_id and w.endpoint_id = e.id and w.next_try_at <= now())
                     or not e.of_children
                        and (e.look_at <= now() or exists (select from events l
                              where l.company_id = e.company_id and (l.xact, l.id) > (e.cursor_xact, e.cursor_event))))`)};
      if exists (select from pg_extension where extname = 'citus') then return; end if;
      return query ${DUE(`e.of_children
                   and (e.look_at <= now() or exists (select from companies c join events l on l.company_id = c.id
                          where c.managed_by @> array[e.company_id] and c.account_type in ('tenant', 'prospect')
                            and (l.xact, l.id) > (e.cursor_xact, e.cursor_event)))`)};
    end $$;
  comment on function due_webhooks_by_company is 'Endpoints that something may be sent to, of each company at most a share';
  revoke all on function due_webhooks_by_company(integer, integer, uuid[], uuid[]) from public;
  grant execute on function due_webhooks_by_company(integer, integer, uuid[], uuid[]) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function due_webhooks_by_company(integer, integer, uuid[], uuid[])');
}
