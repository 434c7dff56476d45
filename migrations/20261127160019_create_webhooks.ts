import type { Knex } from 'knex';

const ACCEPTS = `e.failures = 0 and coalesce(e.last_status between 200 and 299, false)`;
const AFTER_CURSOR = '(l.transaction_id, l.id) > (e.cursor_transaction_id, e.cursor_event)';

/**
 * Builds the query of due endpoints: per company, up to `share` endpoints that accept events, and up to `share` that do
 * not.
 */
const dueEndpoints = (isDue: string): string => `
        select d.company_id, d.id, d.accepts
          from (select e.company_id, e.id, ${ACCEPTS} as accepts, coalesce(e.last_tried_at, e.created_at) as waits_since,
                       row_number() over (partition by e.company_id, (${ACCEPTS})
                                              order by coalesce(e.last_tried_at, e.created_at), e.id) as position
                  from webhook_endpoints e
                 where e.disabled_because is null and coalesce(e.paused_until, '-infinity') <= now()
                   and coalesce(e.claimed_until, '-infinity') <= now()
                   and not e.company_id = any(case when ${ACCEPTS} then full_of_accepting else full_of_others end)
                   and (${isDue})) as d
         where d.position <= share
         order by d.position, d.waits_since limit max_rows`;

/**
 * Creates webhooks: the endpoints of companies with their positions in the event log, the deliveries to retry, and the
 * attempts of the last days, which `GET …/deliveries` lists.
 *
 * Companies share the workers: the first endpoint of each company comes before the second of any, and new endpoints
 * have no precedence. Endpoints that accepted their last event have a separate share, so that failing endpoints do not
 * delay them.
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
      -- Reason why the endpoint is disabled; null while it is enabled.
      disabled_because text check (disabled_because in ('requested', 'gone', 'failing')),
      cursor_transaction_id xid8 not null,
      cursor_event uuid not null,
      cursor_day date not null,
      -- End of the lease with which a worker sends to the endpoint; no other worker sends before then.
      claimed_until timestamptz(3),
      -- Number of consecutive batches in which the endpoint accepted nothing.
      failures integer not null default 0 check (failures >= 0),
      paused_until timestamptz(3),
      last_tried_at timestamptz(3),
      last_status integer,
      -- Simulations to whose events the endpoint is limited; empty for no limit.
      simulation_ids uuid[] not null default '{}',
      -- Groups to whose events, and whose members' events, the endpoint is limited; empty for no limit.
      group_ids uuid[] not null default '{}',
      -- The name of the database whose transactions the cursor counts; null if unknown.
      cursor_timeline text,
      -- Time from which the endpoint is due even if the log has no events for the endpoint.
      next_poll_at timestamptz(3) not null default now() + interval '1 hour',
      -- Time at which the first of the consecutive failed batches ended; null if failures is 0.
      failing_since timestamptz(3),
      -- The last notice sent to the admins; null while the endpoint works.
      admin_notice text check (admin_notice in ('failing', 'disabled')),
      -- Start time of the current replay; null if no replay is running.
      replay_begun_at timestamptz(3),
      replay_from timestamptz(3),
      replay_to timestamptz(3),
      replay_transaction_id xid8,
      replay_event uuid,
      created_by uuid,
      primary key (company_id, id),
      check ((previous_sealed is null) = (previous_until is null)),
      constraint webhook_endpoints_replay check (
        num_nulls(replay_begun_at, replay_from, replay_to, replay_transaction_id, replay_event) = any (array[0, 5])),
      constraint webhook_groups_of_own check (not of_children or cardinality(group_ids) = 0),
      constraint webhook_simulations_of_own check (not of_children or cardinality(simulation_ids) = 0)
    );
    alter table webhook_endpoints enable row level security;
    create policy own_company on webhook_endpoints to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on webhook_endpoints to awareness_service;
    grant update (url, types, sealed_secret, previous_sealed, previous_until, rotated_at, disabled_because,
      cursor_transaction_id, cursor_event, cursor_day, claimed_until, failures, paused_until, last_tried_at, last_status,
      simulation_ids, group_ids, cursor_timeline, next_poll_at, admin_notice, replay_begun_at, replay_from, replay_to,
      replay_transaction_id, replay_event) on webhook_endpoints to awareness_service;

    create table webhook_retries (
      company_id uuid not null,
      endpoint_id uuid not null,
      event_id uuid not null,
      body text not null,
      attempts integer not null check (attempts >= 0),
      next_try_at timestamptz(3) not null,
      primary key (company_id, endpoint_id, event_id),
      constraint webhook_retries_endpoint foreign key (company_id, endpoint_id)
        references webhook_endpoints on delete cascade
    );
    create index webhook_retries_due on webhook_retries (company_id, endpoint_id, next_try_at);
    alter table webhook_retries enable row level security;
    create policy own_company on webhook_retries to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on webhook_retries to awareness_service;

    create table webhook_delivery_attempts (
      company_id uuid not null,
      endpoint_id uuid not null,
      -- A UUID that sorts by the order of the attempts.
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
      event_company_id uuid,
      -- The transaction of the event in the log, for a first attempt; null for a retry or a test.
      event_transaction_id xid8,
      primary key (company_id, endpoint_id, id),
      check ((status is null) = (error is not null))
    );
    create index webhook_delivery_attempts_of_event on webhook_delivery_attempts (company_id, endpoint_id, event_id);
    create index webhook_delivery_attempts_failed on webhook_delivery_attempts (company_id, endpoint_id, id)
      where not delivered;
    alter table webhook_delivery_attempts enable row level security;
    create policy own_company on webhook_delivery_attempts to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on webhook_delivery_attempts to awareness_service;

    -- Returns endpoints that might have events to receive, limited to a share of each company.
    create function due_webhooks(max_rows integer, share integer, full_of_accepting uuid[],
        full_of_others uuid[])
      returns table(company_id uuid, endpoint_id uuid, accepts boolean)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    begin
      perform require_at_least('max_rows', max_rows, 1);
      perform require_at_least('share', share, 1);
      return query ${dueEndpoints(`
        exists (select from webhook_retries w
                 where w.company_id = e.company_id and w.endpoint_id = e.id and w.next_try_at <= now())
        or not e.of_children
           and (e.next_poll_at <= now() or exists (
             select from events l where l.company_id = e.company_id and ${AFTER_CURSOR}))`)};
      if exists (select from pg_extension where extname = 'citus') then return; end if;
      return query ${dueEndpoints(`
        e.of_children
        and (e.next_poll_at <= now() or exists (
          select from companies c join events l on l.company_id = c.id
           where c.managed_by @> array[e.company_id] and c.account_type in ('tenant', 'prospect') and ${AFTER_CURSOR}))`)};
    end $$;

    create function track_failing_since() returns trigger
      language plpgsql as $$
    begin
      if new.failures > 0 then
        new.failing_since := coalesce(old.failing_since, statement_timestamp());
      else
        new.failing_since := null;
        if new.disabled_because is null then new.admin_notice := null; end if;
      end if;
      return new;
    end $$;
    create trigger webhook_endpoints_failing before update on webhook_endpoints
      for each row
      when (new.failures <> old.failures or new.disabled_because is distinct from old.disabled_because)
      execute function track_failing_since();

    create function webhook_figures()
      returns table(enabled integer, paused integer, disabled integer, oldest double precision)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    declare
      since timestamptz;
      since_children timestamptz;
    begin
      select min(least(d.at, l.at)) into since
        from webhook_endpoints e
        left join lateral (select d.next_try_at as at from webhook_retries d
                            where d.company_id = e.company_id and d.endpoint_id = e.id
                            order by d.next_try_at limit 1) as d on d.at <= now()
        left join lateral (select l.occurred_at as at from events l
                            where l.company_id = e.company_id and ${AFTER_CURSOR}
                              and (e.types is null or l.type = any (e.types))
                              and (l.data ->> 'webhookEndpointId')::uuid is distinct from e.id
                            order by l.transaction_id, l.id limit 1) as l on not e.of_children
       where e.disabled_because is null and coalesce(e.paused_until, '-infinity') <= now();
      if not exists (select from pg_extension where extname = 'citus') then
        select min(l.at) into since_children
          from webhook_endpoints e
          join companies c on c.managed_by @> array[e.company_id] and c.account_type in ('tenant', 'prospect')
         cross join lateral (select l.occurred_at as at from events l
                              where l.company_id = c.id and ${AFTER_CURSOR}
                                and (e.types is null or l.type = any (e.types))
                              order by l.transaction_id, l.id limit 1) as l
         where e.of_children and e.disabled_because is null and coalesce(e.paused_until, '-infinity') <= now();
      end if;
      return query
        select (count(*) filter (where e.disabled_because is null and coalesce(e.paused_until, '-infinity') <= now()))::integer,
               (count(*) filter (where e.disabled_because is null and e.paused_until > now()))::integer,
               (count(*) filter (where e.disabled_because is not null))::integer,
               coalesce(extract(epoch from now() - least(since, since_children)), 0)::float8
          from webhook_endpoints e;
    end $$;

    -- Deletes up to max_rows attempts of the first endpoint after the given company and endpoint: expired attempts, or
    -- all attempts of a removed endpoint. Returns the position to continue from, or null if no endpoint is left.
    create function purge_webhook_delivery_attempts(days integer, after uuid[], max_rows integer default 5000)
      returns uuid[]
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      company uuid;
      endpoint uuid;
      last uuid;
      ends timestamptz := now() - greatest(days, 1) * interval '1 day';
      is_there boolean;
      deleted integer;
    begin
      perform require_at_least('days', days, 7);
      perform require_at_least('max_rows', max_rows, 1);
      select t.company_id, t.endpoint_id into company, endpoint from webhook_delivery_attempts t
       where (t.company_id, t.endpoint_id) > (after[1], after[2]) order by t.company_id, t.endpoint_id limit 1;
      if company is null then
        return null;
      end if;
      is_there := exists (select from webhook_endpoints e where e.company_id = company and e.id = endpoint);
      -- Deletes all rows up to an id instead of joining: without statistics, a join of thousands of rows takes seconds.
      select o.id into last from webhook_delivery_attempts o where o.company_id = company and o.endpoint_id = endpoint
       order by o.id offset max_rows - 1 limit 1;
      delete from webhook_delivery_attempts t
       where t.company_id = company and t.endpoint_id = endpoint and (last is null or t.id <= last)
         and (t.tried_at < ends or not is_there);
      get diagnostics deleted = row_count;
      return case when deleted = max_rows then after else array[company, endpoint] end;
    end $$;

    -- Marks companies with enabled endpoints as readers of the event log, even if they have no new events.
    create function record_webhook_readers() returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      insert into event_readers as r (company_id, own_read_at, children_read_at)
      select e.company_id, max(now()) filter (where not e.of_children), max(now()) filter (where e.of_children)
        from webhook_endpoints e where e.disabled_because is null group by e.company_id
      on conflict (company_id) do update
        set own_read_at = greatest(r.own_read_at, excluded.own_read_at),
            children_read_at = greatest(r.children_read_at, excluded.children_read_at);
    end $$;

    -- Queues a job for each company with an endpoint to report to its admins, at most one job per company at a time.
    create function queue_for_failing_webhooks(task text) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      jobs graphile_worker.job_spec[];
    begin
      select array_agg((
        task, json_build_object('companyId', company_id), null, null, null, task || ':' || company_id, 20, null
      )::graphile_worker.job_spec) into jobs from (
        select distinct company_id from webhook_endpoints
         where disabled_because in ('gone', 'failing') and admin_notice is distinct from 'disabled'
            or disabled_because is null and admin_notice is null and failing_since <= now() - interval '1 day') as of_companies;
      perform graphile_worker.add_jobs(coalesce(jobs, '{}'), true);
    end $$;

    revoke all on function due_webhooks, track_failing_since, webhook_figures, purge_webhook_delivery_attempts,
      record_webhook_readers,
      queue_for_failing_webhooks from public;
    grant execute on function due_webhooks, webhook_figures, purge_webhook_delivery_attempts, record_webhook_readers,
      queue_for_failing_webhooks to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table webhook_delivery_attempts, webhook_retries, webhook_endpoints cascade;
    drop function queue_for_failing_webhooks, record_webhook_readers,
      purge_webhook_delivery_attempts, webhook_figures, track_failing_since, due_webhooks cascade;`);
}
