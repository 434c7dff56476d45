import type { Knex } from 'knex';

/**
 * What became of each try to send an event. No foreign key: an endpoint with a million tries is removed at once, and the
 * nightly purge takes what it leaves.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table webhook_tries (
      company_id uuid not null,
      endpoint_id uuid not null,
      id uuid not null,
      event_id uuid not null,
      event_type text not null,
      number integer not null check (number >= 1),
      tried_at timestamptz(3) not null,
      duration_ms integer not null check (duration_ms >= 0),
      delivered boolean not null,
      status integer,
      error text,
      answer text not null,
      next_try_at timestamptz(3),
      primary key (company_id, endpoint_id, id),
      check ((status is null) = (error is not null))
    );
    comment on column webhook_tries.id is 'In the order of the tries';
    create index webhook_tries_of_event on webhook_tries (company_id, endpoint_id, event_id);
    create index webhook_tries_failed on webhook_tries (company_id, endpoint_id, id) where not delivered;
    alter table webhook_tries enable row level security;
    create policy own_company on webhook_tries to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on webhook_tries to awareness_service;

    -- Deletes at most so many tries of the first endpoint after that of the given company and id: those that are too old, or all of an endpoint
    -- that was removed. Returns where to go on; null when no endpoint is left.
    create function purge_webhook_tries(days integer, after uuid[], most integer default 5000) returns uuid[]
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        company uuid;
        endpoint uuid;
        last uuid;
        ends timestamptz := now() - greatest(days, 1) * interval '1 day';
        is_there boolean;
        deleted integer;
      begin
        select t.company_id, t.endpoint_id into company, endpoint from webhook_tries t
         where (t.company_id, t.endpoint_id) > (after[1], after[2]) order by t.company_id, t.endpoint_id limit 1;
        if company is null then
          return null;
        end if;
        is_there := exists (select from webhook_endpoints e where e.company_id = company and e.id = endpoint);
        -- Up to a place in the index, without a join: without statistics one of thousands takes seconds.
        select o.id into last from webhook_tries o where o.company_id = company and o.endpoint_id = endpoint
         order by o.id offset greatest(most, 1) - 1 limit 1;
        delete from webhook_tries t
         where t.company_id = company and t.endpoint_id = endpoint and (last is null or t.id <= last)
           and (t.tried_at < ends or not is_there);
        get diagnostics deleted = row_count;
        return case when deleted = greatest(most, 1) then after else array[company, endpoint] end;
      end $$;
    revoke all on function purge_webhook_tries(integer, uuid[], integer) from public;
    grant execute on function purge_webhook_tries(integer, uuid[], integer) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function purge_webhook_tries(integer, uuid[], integer);
    drop table webhook_tries;
  `);
}
