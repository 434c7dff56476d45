import type { Knex } from 'knex';

/** An MSP or a distributor enters what it has read of several children at once, each in the log of the child. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Once for each actor, child and hour: a list of events is read again and again.
    create function enter_reads_of_children(children uuid[], entry jsonb) returns integer
      language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
      declare
        entered integer;
      begin
        with added as (
          insert into audit_log (company_id, actor_type, actor_id, actor_company_id, operation, outcome, targets, fields,
                                 request_id, address)
          select c.id, entry ->> 'actorType', entry ->> 'actorId', current_company(), entry ->> 'operation', 'done',
                 '[]', '{}', entry ->> 'requestId', entry ->> 'address'
            from unnest(children) as child (id)
           cross join lateral (select * from companies where id = child.id offset 0) as c
           where c.managed_by @> array[current_company()] and c.account_type in ('tenant', 'prospect')
             and not exists (
               select from audit_log l
                where l.company_id = c.id and l.occurred_at >= date_trunc('hour', now())
                  and l.actor_id = entry ->> 'actorId' and l.operation = entry ->> 'operation' and l.outcome = 'done')
          returning company_id
        ) select count(*) into entered from added;
        return entered;
      end $$;
    revoke all on function enter_reads_of_children(uuid[], jsonb) from public;
    grant execute on function enter_reads_of_children(uuid[], jsonb) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function enter_reads_of_children(uuid[], jsonb)');
}
