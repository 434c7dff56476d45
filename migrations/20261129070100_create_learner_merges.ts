import type { Knex } from 'knex';

/**
 * Tables whose rows a merge moves to another learner in place. The service could not change `learner_id` before, and
 * can now do so only in the transaction of a merge.
 */
const MOVED = [
  ...['attempt_versions', 'certificates', 'corrections', 'course_progress', 'course_result_events'],
  ...['enrollment_attempts', 'enrollments', 'membership_versions', 'package_progress', 'policy_results'],
  'policy_result_versions',
  ...['signature_events', 'signature_names', 'signatures', 'simulation_events', 'simulation_exclusions'],
  ...['simulation_recipient_addresses', 'simulation_recipients'],
];

/** The tables in which the service can already update every column. */
const UPDATABLE = ['course_progress', 'enrollments', 'package_progress', 'policy_results', 'simulation_exclusions'];

/** Tables from whose versions the service deletes those that a merge has added, when the merge is undone. */
const FORGOTTEN = ['attempt_versions', 'membership_versions'];

/** Creates the merges of learners. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table learner_merges (
      company_id uuid not null,
      id uuid not null default new_id(),
      -- The merged learner, who no longer exists.
      learner_id uuid not null,
      into_learner_id uuid not null,
      -- The learner who now replaces the merged one. Not into_learner_id if that learner was merged as well.
      current_learner_id uuid not null,
      -- Values by which other systems still name the merged learner.
      email_key text not null check (email_key = lower(email_key)),
      external_learner_id text,
      reason text check (char_length(reason) between 1 and 500),
      actor_type text not null,
      actor_id text not null,
      moved jsonb not null default '{}',
      merged_at timestamptz(3) not null default now(),
      undoable_until timestamptz(3) not null default now() + interval '720 hours',
      answers_until timestamptz(3) not null default now() + interval '8760 hours',
      -- The transaction that merges the learners or undoes the merge.
      transaction_id xid8 not null default pg_current_xact_id(),
      primary key (company_id, id),
      constraint learner_merges_learner unique (learner_id, company_id),
      constraint learner_merges_current_learner foreign key (company_id, current_learner_id)
        references learners on delete cascade
    );
    create index learner_merges_of_current on learner_merges (current_learner_id, company_id, learner_id);
    create index learner_merges_email on learner_merges (email_key, company_id);
    create index learner_merges_external_id on learner_merges (external_learner_id, company_id)
      where external_learner_id is not null;
    create index learner_merges_ended on learner_merges (answers_until, company_id);
    alter table learner_merges enable row level security;
    create policy own_company on learner_merges to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on learner_merges to awareness_service;
    grant update (current_learner_id, moved, transaction_id) on learner_merges to awareness_service;

    -- The rows of both learners before a merge, which undo the merge.
    create table learner_merge_records (
      company_id uuid not null,
      merge_id uuid not null,
      table_name text not null,
      -- Whether the rows belonged to the merged learner, or to the learner who replaced them.
      is_of_merged boolean not null,
      rows jsonb not null,
      kept_until timestamptz(3) not null default now() + interval '720 hours',
      primary key (company_id, merge_id, table_name, is_of_merged),
      constraint learner_merge_records_merge foreign key (company_id, merge_id)
        references learner_merges on delete cascade
    );
    create index learner_merge_records_ended on learner_merge_records (company_id, kept_until);
    alter table learner_merge_records enable row level security;
    create policy own_company on learner_merge_records to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on learner_merge_records to awareness_service;

    create function guard_learner_of_row() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      if not exists (
        select from learner_merges m
         where m.company_id = new.company_id and m.learner_id in (old.learner_id, new.learner_id)
           and m.current_learner_id in (old.learner_id, new.learner_id)
           and m.transaction_id = pg_current_xact_id()) then
        raise exception 'only a merge changes the learner of a row'
          using errcode = 'check_violation', constraint = 'learner_of_row';
      end if;
      return new;
    end $$;
    revoke all on function guard_learner_of_row from public;
    ${MOVED.map(
      (table) => `
        create trigger ${table}_learner before update of learner_id on ${table}
          for each row when (new.learner_id is distinct from old.learner_id) execute function guard_learner_of_row();`,
    ).join('')}
    ${ofColumn((table) => `grant update (learner_id) on ${table} to awareness_service;`)}

    -- The triggers above guard rows of which only the learner changes.
    create or replace trigger enrollments_forward
      before update of company_id, learner_id, course_id, attempt_id, attempt, start_date, finish_date, score, passed
      on enrollments for each row when (new.learner_id = old.learner_id or new.course_id <> old.course_id)
      execute function guard_results();
    create or replace trigger policy_results_forward
      before update of company_id, policy_id, learner_id, visited_at, signed, signed_version_id, signed_offline,
                       signed_from
      on policy_results for each row when (new.learner_id = old.learner_id or new.policy_id <> old.policy_id)
      execute function guard_signatures();
    create or replace trigger simulation_recipients_milestones before insert on simulation_recipients
      for each row execute function guard_milestones();
    create trigger simulation_recipients_forward before update on simulation_recipients
      for each row when (new.learner_id = old.learner_id or new.simulation_id <> old.simulation_id)
      execute function guard_milestones();
    grant delete on former_recipients to awareness_service;
    ${FORGOTTEN.map(
      (table) => `
        create policy undoing_of_merges on ${table} as restrictive for delete to awareness_service
          using (exists (select from learner_merges m
                          where m.company_id = ${table}.company_id and m.current_learner_id = ${table}.learner_id
                            and m.transaction_id = pg_current_xact_id()));
        grant delete on ${table} to awareness_service;`,
    ).join('')}

    -- A result that undoing a merge has removed from an attempt no longer counts for it, like a voided one.
    create or replace function is_voided_result(company uuid, event text) returns boolean
      language sql stable set search_path = public, pg_temp
      return exists (select from course_result_events r
                      where r.company_id = company and r.event_id = event
                        and (r.voided_at is not null
                             or exists (select from learner_merges m
                                         where m.company_id = company and m.learner_id = r.learner_id
                                           and m.transaction_id = pg_current_xact_id())));

    -- Deletes the rows that undo a merge after 30 days, and the merge itself after a year.
    create function purge_learner_merges(company uuid default '00000000-0000-0000-0000-000000000000',
                                         max_rows integer default 100) returns uuid
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      perform require_at_least('max_rows', max_rows, 1);
      select t.company_id into company from (
        (select r.company_id from learner_merge_records r
          where r.company_id >= company and r.kept_until < now() order by r.company_id limit 1)
        union all
        (select m.company_id from learner_merges m
          where m.company_id >= company and m.answers_until < now() order by m.company_id limit 1)) as t
       order by t.company_id limit 1;
      if company is null then
        return null;
      end if;
      delete from learner_merge_records r
       where r.company_id = company and (r.merge_id, r.table_name, r.is_of_merged) in (
         select o.merge_id, o.table_name, o.is_of_merged from learner_merge_records o
          where o.company_id = company and o.kept_until < now() order by o.kept_until limit max_rows);
      delete from learner_merges m
       where m.company_id = company and m.id in (
         select o.id from learner_merges o
          where o.company_id = company and o.answers_until < now() order by o.answers_until limit max_rows);
      return company;
    end $$;
    revoke all on function purge_learner_merges from public;
    grant execute on function purge_learner_merges to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function purge_learner_merges;
    create or replace function is_voided_result(company uuid, event text) returns boolean
      language sql stable set search_path = public, pg_temp
      return exists (select from course_result_events r
                      where r.company_id = company and r.event_id = event and r.voided_at is not null);
    revoke delete on former_recipients from awareness_service;
    ${FORGOTTEN.map(
      (table) => `
        revoke delete on ${table} from awareness_service;
        drop policy undoing_of_merges on ${table};`,
    ).join('')}
    drop trigger simulation_recipients_forward on simulation_recipients;
    create or replace trigger simulation_recipients_milestones before insert or update on simulation_recipients
      for each row execute function guard_milestones();
    create or replace trigger policy_results_forward
      before update of company_id, policy_id, learner_id, visited_at, signed, signed_version_id, signed_offline,
                       signed_from
      on policy_results for each row execute function guard_signatures();
    create or replace trigger enrollments_forward
      before update of company_id, learner_id, course_id, attempt_id, attempt, start_date, finish_date, score, passed
      on enrollments for each row execute function guard_results();
    ${MOVED.map((table) => `drop trigger ${table}_learner on ${table};`).join('')}
    ${ofColumn((table) => `revoke update (learner_id) on ${table} from awareness_service;`)}
    drop function guard_learner_of_row;
    drop table learner_merge_records, learner_merges;`);
}

/** Joins a statement for each table of which the service can update only some columns. */
function ofColumn(build: (table: string) => string): string {
  return MOVED.filter((table) => !UPDATABLE.includes(table))
    .map(build)
    .join('');
}
