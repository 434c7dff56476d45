import type { Knex } from 'knex';

/**
 * The outbound post: one row for each message, and a job for it in the queue of graphile-worker, which the tools install
 * before the migrations. Its tables have row-level security without a policy; the service takes and adds jobs there.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table messages (
      company_id uuid not null references companies (id),
      id uuid not null,
      kind text not null check (kind in ('admin_invite', 'course_enrollment', 'course_reminder')),
      admin_id uuid,
      learner_id uuid,
      -- What an enrolment or a reminder is about.
      course_ids uuid[],
      -- The secret of a setup link, until the message is sent or given up.
      setup_token text,
      status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'cancelled')),
      attempts smallint not null default 0,
      -- Why the last attempt failed, or why there was none.
      reason text,
      created_at timestamptz(3) not null default now(),
      settled_at timestamptz(3),
      primary key (company_id, id),
      constraint messages_admin foreign key (company_id, admin_id) references admins on delete cascade,
      constraint messages_learner foreign key (company_id, learner_id) references learners on delete cascade,
      check ((kind = 'admin_invite') = (admin_id is not null) and (kind = 'admin_invite') = (learner_id is null)),
      check ((status = 'queued') = (settled_at is null))
    );
    create index messages_admin on messages (company_id, admin_id);
    create index messages_learner on messages (company_id, learner_id);

    alter table messages enable row level security;
    create policy own_company on messages to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on messages to awareness_service;

    -- Messages that are settled are kept for a while, for whoever asks what was sent.
    create function purge_messages(days integer) returns void
      language sql security definer set search_path = public, pg_temp
      as $$ delete from messages where settled_at < now() - days * interval '1 day' $$;
    revoke all on function purge_messages(integer) from public;
    grant execute on function purge_messages(integer) to awareness_service;

    grant usage on schema graphile_worker to awareness_service;
    grant select, insert, update, delete on all tables in schema graphile_worker to awareness_service;
    grant usage on all sequences in schema graphile_worker to awareness_service;
    grant execute on all functions in schema graphile_worker to awareness_service;
  `);
  for (const table of QUEUE_TABLES) {
    await knex.raw(
      `create policy service on graphile_worker.${table} to awareness_service using (true) with check (true)`,
    );
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const table of QUEUE_TABLES) await knex.raw(`drop policy service on graphile_worker.${table}`);
  await knex.raw(`
    revoke all on all tables in schema graphile_worker from awareness_service;
    revoke all on all sequences in schema graphile_worker from awareness_service;
    revoke all on all functions in schema graphile_worker from awareness_service;
    revoke all on schema graphile_worker from awareness_service;
    drop function purge_messages(integer);
    drop table messages;
  `);
}

const QUEUE_TABLES = ['_private_jobs', '_private_job_queues', '_private_tasks', '_private_known_crontabs'];
