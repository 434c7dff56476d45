import type { Knex } from 'knex';

/**
 * What learners were mailed about an attempt, for longer than messages are kept: when they were asked, when they were
 * last reminded, and when a message failed for good. What the worker gives up is recorded as well.
 */
export async function up(knex: Knex): Promise<void> {
  for (const table of ['enrollments', 'enrollment_attempts']) {
    await knex.raw(`
      alter table ${table} add column asked_at timestamptz(3),
                           add column reminder_sent_at timestamptz(3),
                           add column mail_failed_at timestamptz(3)`);
  }
  await knex.raw(`
    create or replace function settle_orphaned_messages() returns void
      language sql security definer set search_path = public, pg_temp as $$
      with given_up as (
        update messages set status = 'failed', reason = 'given up', setup_token = null, settled_at = now()
         where status = 'queued' and created_at < now() - interval '1 day'
           and id::text not in (select payload ->> 'messageId' from graphile_worker._private_jobs
                                 where payload ->> 'messageId' is not null and attempts < max_attempts)
        returning company_id, learner_id, kind, subject_ids, settled_at
      )
      update enrollments e set mail_failed_at = g.settled_at from given_up g
       where e.company_id = g.company_id and e.learner_id = g.learner_id and e.course_id = any(g.subject_ids)
         and g.kind like 'course%' and e.finish_date is null
    $$`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function settle_orphaned_messages() returns void
      language sql security definer set search_path = public, pg_temp as $$
      update messages set status = 'failed', reason = 'given up', setup_token = null, settled_at = now()
       where status = 'queued' and created_at < now() - interval '1 day'
         and id::text not in (select payload ->> 'messageId' from graphile_worker._private_jobs
                               where payload ->> 'messageId' is not null and attempts < max_attempts)
    $$`);
  for (const table of ['enrollment_attempts', 'enrollments']) {
    await knex.raw(`
      alter table ${table} drop column mail_failed_at, drop column reminder_sent_at, drop column asked_at`);
  }
}
