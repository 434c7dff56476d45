import type { Knex } from 'knex';

/**
 * Creates the audit log: who did what, in monthly partitions, for 400 days. The service appends to it only through
 * functions, which take the company from the session and the time from the clock.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table audit_log (
      -- No foreign key, because it would lock the row of the company for each entry.
      company_id uuid not null,
      occurred_at timestamptz(3) not null default clock_timestamp(),
      id uuid not null default new_id(),
      actor_type text not null,
      actor_id text not null,
      actor_company_id uuid not null,
      operation text not null,
      outcome text not null check (outcome in ('done', 'denied')),
      code text,
      targets jsonb not null,
      fields text[] not null,
      request_id text,
      address text,
      primary key (company_id, occurred_at, id),
      constraint audit_log_actor_kind check (
        actor_type in ('key', 'grant', 'admin', 'source', 'webhook_endpoint', 'identity_provider', 'operator', 'learner'))
    ) partition by range (occurred_at);
    create table audit_log_default partition of audit_log default;
    alter table audit_log_default enable row level security;
    alter table audit_log enable row level security;
    create policy own_company on audit_log to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select on audit_log to awareness_service;

    -- Rejects entries of the operator and invalid operation names. The service writes entries only for its callers.
    create function require_entry_of_service(actor_type text, operation text) returns void
      language plpgsql immutable set search_path = public, pg_temp as $$
    begin
      if actor_type is null or actor_type = 'operator' or coalesce(operation !~ '^[a-z][A-Za-z0-9]{0,99}$', true) then
        raise exception 'invalid actor type or operation' using errcode = 'insufficient_privilege';
      end if;
    end $$;

    create function write_audit_entry(actor_type text, actor_id text, actor_company uuid, operation text, outcome
        text, code text, targets jsonb, fields text[], request_id text, address text, always boolean)
      returns setof uuid
      language plpgsql security definer rows 1 set search_path = public, pg_temp as $$
    declare
      company uuid := current_company();
    begin
      if not always and pg_current_xact_id_if_assigned() is null then return; end if;
      if company is null then
        raise exception 'app.company_id is not set' using errcode = 'insufficient_privilege';
      end if;
      perform require_entry_of_service(actor_type, operation);
      if jsonb_typeof(targets) <> 'array' then
        raise exception 'targets must be an array' using errcode = 'insufficient_privilege';
      end if;
      if actor_company <> company
         and not exists (select from companies c where c.id = company and c.managed_by @> array[actor_company]) then
        raise exception 'actor_company does not manage the current company' using errcode = 'insufficient_privilege';
      end if;
      insert into audit_log (company_id, actor_type, actor_id, actor_company_id, operation, outcome, code, targets, fields,
                             request_id, address)
      values (company, actor_type, actor_id, actor_company, operation, outcome, code, targets, fields, request_id, address)
      on conflict do nothing;
      -- The returned row reports that an entry was written.
      return next company;
    end $$;

    -- Records in the audit log of each child that this company read the child's data. Writes one entry per actor,
    -- operation, child and hour, because clients poll lists of events. Returns the number of new entries.
    create function audit_child_reads(children uuid[], entry jsonb) returns integer
      language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
    declare
      entered integer;
    begin
      perform require_entry_of_service(entry ->> 'actorType', entry ->> 'operation');
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

    -- Runs each night. Creates the partitions of the next two months, and drops partitions whose entries are all older
    -- than 400 days. The default partition holds the entries of months without a partition. A month that has not begun
    -- has no entries there, so its partition can be created.
    create function rotate_audit_log_partitions() returns void
      language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' set timezone = 'UTC' as $$
    declare
      -- Not a parameter, because any caller could then delete all entries.
      oldest timestamptz := now() - interval '400 days';
      month timestamptz;
      part text;
    begin
      for month in
        select date_trunc('month', now()) + n * interval '1 month' from generate_series(1, 2) as n
      loop
        part := to_char(month, '"audit_log_"YYYY_MM');
        continue when to_regclass(part) is not null;
        execute format('create table %I partition of audit_log for values from (%L) to (%L)',
                       part, month, month + interval '1 month');
        execute format('alter table %I enable row level security', part);
      end loop;
      for part in
        select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'audit_log'::regclass
           and case when c.relname ~ '^audit_log_[0-9]{4}_[0-9]{2}$'
                 then to_timestamp(right(c.relname, 7), 'YYYY_MM') + interval '1 month' < oldest end
      loop
        execute format('drop table %I', part);
      end loop;
      delete from audit_log_default where occurred_at < oldest;
    end $$;

    -- Makes transactions that write tables on every node run one at a time on Citus, where they would otherwise
    -- deadlock whatever the order of their rows. Locks nothing on a single server.
    create function take_advisory_lock_on_citus() returns void
      language plpgsql as $$
    begin
      if exists (select from pg_extension where extname = 'citus') then
        perform pg_advisory_xact_lock(hashtextextended('tables on every node', 0));
      end if;
    end $$;

    revoke all on function require_entry_of_service, write_audit_entry, audit_child_reads, rotate_audit_log_partitions,
      take_advisory_lock_on_citus from public;
    grant execute on function require_entry_of_service, write_audit_entry, audit_child_reads, rotate_audit_log_partitions,
      take_advisory_lock_on_citus to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table audit_log cascade;
    drop function take_advisory_lock_on_citus, rotate_audit_log_partitions, audit_child_reads, write_audit_entry,
      require_entry_of_service cascade;`);
}
