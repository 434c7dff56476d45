import type { Knex } from 'knex';

/**
 * What a directory says of learners and groups beside what they are here. A learner without a row is known to directories
 * by the address. One that a directory has deleted is inactive and hidden from directories, until it is purged.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table directory_learners (
      company_id uuid not null,
      learner_id uuid not null,
      user_name text not null,
      user_name_key text not null check (user_name_key = lower(user_name)),
      external_id text,
      display_name text,
      removed_at timestamptz(3),
      primary key (company_id, learner_id),
      constraint directory_learners_learner foreign key (company_id, learner_id) references learners on delete cascade
    );
    comment on column directory_learners.user_name_key is 'In lower case, to be found by an index';
    comment on column directory_learners.removed_at is 'When a directory has deleted the user';
    create unique index directory_learners_user_name on directory_learners (company_id, user_name_key);
    create index directory_learners_external_id on directory_learners (company_id, external_id);
    create index directory_learners_removed on directory_learners (company_id, removed_at) where removed_at is not null;
    alter table directory_learners enable row level security;
    create policy own_company on directory_learners to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update (user_name, user_name_key, external_id, display_name, removed_at)
      on directory_learners to awareness_service;

    create table directory_groups (
      company_id uuid not null,
      group_id uuid not null,
      external_id text,
      primary key (company_id, group_id),
      constraint directory_groups_group foreign key (company_id, group_id) references groups on delete cascade
    );
    create index directory_groups_external_id on directory_groups (company_id, external_id);
    alter table directory_groups enable row level security;
    create policy own_company on directory_groups to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update (external_id) on directory_groups to awareness_service;

    -- A job for each company that has users to purge, once a day however often it is called.
    create function queue_for_removed_users(task text, day date, kept_days integer) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        jobs graphile_worker.job_spec[];
      begin
        select array_agg((
          task, json_build_object('companyId', company_id, 'day', day), null, null, null,
          task || ':' || company_id || ':' || day, 20, null
        )::graphile_worker.job_spec) into jobs from (
          select distinct company_id from directory_learners
           where removed_at < now() - kept_days * interval '1 day') as of_companies;
        perform graphile_worker.add_jobs(coalesce(jobs, '{}'), true);
      end $$;
    revoke all on function queue_for_removed_users(text, date, integer) from public;
    grant execute on function queue_for_removed_users(text, date, integer) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function queue_for_removed_users(text, date, integer);
    drop table directory_groups, directory_learners;
  `);
}
