import type { Knex } from 'knex';

/**
 * Creates the sync index: the recent changes of each company, for clients that read only changes. The index has a row
 * for each statement that changed something, with the ids of all changed items. An item that is in the index but not in
 * its list was removed.
 *
 * Every transaction below `pg_snapshot_xmin` has ended, so a client that continues from that `transaction_id` misses
 * nothing.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sync_index (
      company_id uuid not null,
      kind text not null check (kind in ('person', 'learner', 'group', 'enrollment', 'policy_result')),
      transaction_id xid8 not null default pg_current_xact_id(),
      id uuid not null,
      at timestamptz(3) not null default statement_timestamp(),
      ids uuid[] not null,
      -- The courses or policies of pairs, in the order of the learners in ids; null for other kinds.
      targets uuid[],
      primary key (company_id, kind, transaction_id, id)
    );
    alter table sync_index enable row level security;
    create policy own_company on sync_index to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on sync_index to awareness_service;

    create function index_changes(company uuid, of_kind text, as_id uuid, of_ids uuid[], with_targets uuid[])
      returns void
      language plpgsql as $$
    begin
      insert into public.sync_index (company_id, kind, id, ids, targets)
      values (company, of_kind, as_id, of_ids, with_targets) on conflict do nothing;
    end $$;

    -- Indexes the ids, with their targets if given, of learners who still exist. Deleted learners are indexed
    -- themselves.
    create function index_changes_of_existing(company uuid, of_kind text, of_ids uuid[], of_targets uuid[])
      returns void
      language plpgsql as $$
    declare
      existing uuid[];
      targets uuid[];
    begin
      select array_agg(r.id), array_agg(r.target) into existing, targets
        from unnest(of_ids, of_targets) as r (id, target) where (
         select o.id from public.learners o where o.company_id = (select company) and o.id = r.id limit 1) is not null;
      if existing is null then return; end if;
      perform public.index_changes(company, of_kind, gen_random_uuid(), existing,
                                    case when of_targets is not null then targets end);
    end $$;

    -- Deletes up to max_rows rows of one company that are older than the given days. Returns the company to continue
    -- from, or null after the last one. Finds rows by ctid, without a join: the oldest rows are the first of each kind.
    create function purge_sync_index(days integer, company uuid default '00000000-0000-0000-0000-000000000000'::uuid,
        max_rows integer default 5000)
      returns uuid
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      deleted integer;
    begin
      perform require_at_least('days', days, 30);
      perform require_at_least('max_rows', max_rows, 1);
      delete from sync_index c
       where c.company_id = company and c.ctid = any (array(
         select o.ctid from sync_index o
          where o.company_id = company and o.at < now() - days * interval '1 day' limit max_rows));
      get diagnostics deleted = row_count;
      if deleted = max_rows then
        return company;
      end if;
      return (select c.company_id from sync_index c where c.company_id > company order by c.company_id limit 1);
    end $$;

    revoke all on function index_changes, index_changes_of_existing, purge_sync_index from public;
    grant execute on function index_changes, index_changes_of_existing, purge_sync_index to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table sync_index cascade;
    drop function purge_sync_index, index_changes_of_existing, index_changes cascade;`);
}
