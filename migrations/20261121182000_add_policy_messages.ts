import type { Knex } from 'knex';

/** Messages about policies, and what the worker does by the clock for policies and files. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table messages rename column course_ids to subject_ids;
    comment on column messages.subject_ids is 'Courses or policies, by the kind of the message.';
    alter table messages drop constraint messages_kind_check;
    alter table messages add constraint messages_kind_check
      check (kind in ('admin_invite', 'course_enrollment', 'course_reminder', 'policy_request', 'policy_reminder'));

    create index messages_queued on messages (company_id) where status = 'queued';

    -- A message whose job is gone, because recording what became of it failed time and again, is given up.
    create function settle_orphaned_messages() returns void
      language sql security definer set search_path = public, pg_temp as $$
      update messages set status = 'failed', reason = 'given up', setup_token = null, settled_at = now()
       where status = 'queued' and created_at < now() - interval '1 day'
         and id::text not in (select payload ->> 'messageId' from graphile_worker._private_jobs
                               where payload ->> 'messageId' is not null and attempts < max_attempts)
    $$;
    revoke all on function settle_orphaned_messages() from public;
    grant execute on function settle_orphaned_messages() to awareness_service;

    -- A job for each company, once a day however often it is called.
    create function queue_for_companies(task text, day date) returns void
      language sql security definer set search_path = public, pg_temp as $$
      select graphile_worker.add_jobs(array_agg((
        task, json_build_object('companyId', id, 'day', day), null, null, null, task || ':' || id || ':' || day, 20, null
      )::graphile_worker.job_spec), true) from companies
    $$;
    revoke all on function queue_for_companies(text, date) from public;
    grant execute on function queue_for_companies(text, date) to awareness_service;

    -- Files that nothing uses any more, once they have expired; then contents without a file. What somebody is about to
    -- use is locked, and left alone.
    create function purge_files() returns void
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
    revoke all on function purge_files() from public;
    grant execute on function purge_files() to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function queue_for_companies(text, date), purge_files(), settle_orphaned_messages();
    drop index messages_queued;
    delete from messages where kind like 'policy%';
    alter table messages drop constraint messages_kind_check;
    alter table messages add constraint messages_kind_check
      check (kind in ('admin_invite', 'course_enrollment', 'course_reminder'));
    comment on column messages.subject_ids is null;
    alter table messages rename column subject_ids to course_ids;
  `);
}
