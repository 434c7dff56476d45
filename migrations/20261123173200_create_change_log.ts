import type { Knex } from 'knex';

/**
 * What has changed in a company lately, for clients that read changes alone: a row for each statement that changed
 * something, with the ids of all that it changed. What is named here and is not there any more was removed.
 *
 * `xact` is the transaction. Every transaction below `pg_snapshot_xmin` has ended: who has read, and reads next from
 * there on, misses nothing.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table changes (
      company_id uuid not null,
      kind text not null
        check (kind in ('begin', 'person', 'learner', 'group', 'enrollment', 'policy_result')),
      xact xid8 not null default pg_current_xact_id(),
      id uuid not null,
      at timestamptz(3) not null default statement_timestamp(),
      ids uuid[] not null,
      -- Of pairs: the courses or policies, in the order of the learners.
      targets uuid[],
      primary key (company_id, kind, xact, id)
    );
    alter table changes enable row level security;
    create policy own_company on changes to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on changes to awareness_service;

    create function note_changes(company uuid, of_kind text, as_id uuid, of_ids uuid[], with_targets uuid[]) returns void
      language plpgsql as $$
      begin
        insert into public.changes (company_id, kind, id, ids, targets)
        values (company, of_kind, as_id, of_ids, with_targets) on conflict do nothing;
      end $$;
    revoke all on function note_changes(uuid, text, uuid, uuid[], uuid[]) from public;
    grant execute on function note_changes(uuid, text, uuid, uuid[], uuid[]) to awareness_service;

    -- Ends the changes of a company that are too old, so many in a call. Returns the company to go on from; null behind the
    -- last one. By their places, without a join: the oldest are the first of each kind.
    create function purge_changes(days integer, company uuid default ${FIRST}, most integer default 5000) returns uuid
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        deleted integer;
      begin
        delete from changes c
         where c.company_id = company and c.ctid = any (array(
           select o.ctid from changes o
            where o.company_id = company and o.at < now() - days * interval '1 day' limit greatest(most, 1)));
        get diagnostics deleted = row_count;
        if deleted = greatest(most, 1) then
          return company;
        end if;
        return (select c.company_id from changes c where c.company_id > company order by c.company_id limit 1);
      end $$;
    revoke all on function purge_changes(integer, uuid, integer) from public;
    grant execute on function purge_changes(integer, uuid, integer) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function purge_changes(integer, uuid, integer), note_changes(uuid, text, uuid, uuid[], uuid[]);
    drop table changes;
  `);
}

const FIRST = `'00000000-0000-0000-0000-000000000000'`;
