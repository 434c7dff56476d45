import type { Knex } from 'knex';

/**
 * What the worker does for all companies is done company by company, or from one list: Citus locks rows of one company
 * in a statement, not of all.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function queue_for_companies(task text, day date) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        jobs graphile_worker.job_spec[];
      begin
        select array_agg((
          task, json_build_object('companyId', id, 'day', day), null, null, null, task || ':' || id || ':' || day, 20, null
        )::graphile_worker.job_spec) into jobs from companies;
        perform graphile_worker.add_jobs(jobs, true);
      end $$;

    -- Files that nothing uses any more, once they have expired; then contents without a file. What somebody is about to
    -- use is locked, and left alone.
    create or replace function purge_files() returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        company uuid;
      begin
        for company in select distinct company_id from policy_files where expires_at < now() loop
          with unused as (
            select f.id from policy_files f where f.company_id = company and expires_at < now()
             and not exists (select from policies p where p.company_id = company and p.file_id = f.id)
             and not exists (select from policy_drafts d where d.company_id = company and d.file_id = f.id)
             and not exists (select from policy_versions v where v.company_id = company and v.file_id = f.id)
             and not exists (select from policy_templates t where t.company_id = company and t.file_id = f.id)
             and not exists (select from policy_template_drafts d where d.company_id = company and d.file_id = f.id)
             for update of f skip locked
          )
          delete from policy_files f using unused where f.company_id = company and f.id = unused.id;
        end loop;
        for company in
          select distinct c.company_id from file_contents c
           where not exists (select from policy_files f where f.company_id = c.company_id and f.sha256 = c.sha256)
        loop
          with unused as (
            select c.sha256 from file_contents c where c.company_id = company
             and not exists (select from policy_files f where f.company_id = company and f.sha256 = c.sha256)
             for update of c skip locked
          )
          delete from file_contents c using unused where c.company_id = company and c.sha256 = unused.sha256;
        end loop;
      end $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function purge_files() returns void
      language sql security definer set search_path = public, pg_temp as $$
      with unused as (
        select f.company_id, f.id from policy_files f where expires_at < now()
         and not exists (select from policies p where p.company_id = f.company_id and p.file_id = f.id)
         and not exists (select from policy_drafts d where d.company_id = f.company_id and d.file_id = f.id)
         and not exists (select from policy_versions v where v.company_id = f.company_id and v.file_id = f.id)
         and not exists (select from policy_templates t where t.company_id = f.company_id and t.file_id = f.id)
         and not exists (select from policy_template_drafts d where d.company_id = f.company_id and d.file_id = f.id)
         for update skip locked
      )
      delete from policy_files f using unused where f.company_id = unused.company_id and f.id = unused.id;
      with unused as (
        select c.company_id, c.sha256 from file_contents c
         where not exists (select from policy_files f where f.company_id = c.company_id and f.sha256 = c.sha256)
         for update skip locked
      )
      delete from file_contents c using unused where c.company_id = unused.company_id and c.sha256 = unused.sha256
    $$;

    create or replace function queue_for_companies(task text, day date) returns void
      language sql security definer set search_path = public, pg_temp as $$
      select graphile_worker.add_jobs(array_agg((
        task, json_build_object('companyId', id, 'day', day), null, null, null, task || ':' || id || ':' || day, 20, null
      )::graphile_worker.job_spec), true) from companies
    $$;
  `);
}
