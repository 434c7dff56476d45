import type { Knex } from 'knex';

const TO_ADMINS = [
  'admin_invite',
  'admin_sign_in',
  'api_key_expiring',
  'api_key_leaked',
  'webhook_failing',
  'webhook_disabled',
  'admin_added',
  'admin_address_changed',
  'admin_role_changed',
  'sign_in_settings_changed',
  'admin_passkeys_changed',
  'admin_provisioning_changed',
  'last_owner_kept',
  'emergency_sign_in',
  'certificate_expiring',
  'keep_passkeys',
  'passkey_added',
  'admin_new_network',
  'api_key_created',
  'simulation_test',
];
const TO_LEARNERS = [
  'course_enrollment',
  'course_reminder',
  'policy_request',
  'policy_reminder',
  'sign_in',
  'policy_receipt',
  'signature_voided',
  'simulation',
  'learner_address_changed',
];
const literal = (text: string) => `'${text}'`;

/**
 * Tables of graphile-worker, which enables row-level security on them but creates no policies. The migrate command
 * installs them before it runs the migrations.
 */
const QUEUE_TABLES = ['_private_jobs', '_private_job_queues', '_private_tasks', '_private_known_crontabs'];

/**
 * Creates outgoing email. The service writes a row and a queue job for each message, in the transaction of the change
 * that causes it. mail_log counts the messages of the last day by company and e-mail address, for the limits on mail.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table messages (
      company_id uuid not null references companies (id),
      id uuid not null,
      kind text not null,
      admin_id uuid,
      learner_id uuid,
      -- The ids that the message is about, depending on its kind: courses, policies, a simulation or others.
      subject_ids uuid[],
      -- The secret of the link in the message; null if there is no link, and once the message is settled.
      setup_token text,
      status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'cancelled')),
      attempts smallint not null default 0,
      -- Reason why the last attempt failed, or why the service made no attempt.
      reason text,
      created_at timestamptz(3) not null default now(),
      settled_at timestamptz(3),
      -- The origin of a request for a sign-in link: the word device for a known device, otherwise the network of the
      -- client. Null for other messages.
      asked_from text,
      -- The previous e-mail address, to which the notice of the change is sent; null for other messages, and once the
      -- notice is settled.
      to_address text,
      primary key (company_id, id),
      constraint messages_admin foreign key (company_id, admin_id) references admins on delete cascade,
      constraint messages_learner foreign key (company_id, learner_id) references learners on delete cascade,
      check ((status = 'queued') = (settled_at is null)),
      constraint messages_known_kinds check (kind in (${[...TO_ADMINS, ...TO_LEARNERS].map(literal).join(', ')})),
      constraint messages_known_recipients check (
        (kind in (${TO_ADMINS.map(literal).join(', ')})) = (admin_id is not null)
        and (admin_id is null) = (learner_id is not null))
    );
    -- Queueing messages for learners reads the company's messages of the last hour.
    create index messages_time on messages (company_id, created_at);
    -- Few messages fail, but the table holds all messages of 90 days.
    create index messages_failed on messages (company_id, learner_id) where status = 'failed';
    -- Bulk calls look up the queued messages of each learner. With an index on all queued messages of the company and
    -- without statistics, Postgres read that whole index for each learner: ten thousand learners exceeded the timeout.
    create index messages_queued_learner on messages (company_id, learner_id) where status = 'queued';
    create index messages_admin on messages (admin_id, company_id) where admin_id is not null;
    create index messages_learner on messages (learner_id, company_id) where learner_id is not null;
    alter table messages enable row level security;
    create policy own_company on messages to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on messages to awareness_service;

    -- Deletes up to max_rows messages of one company that were settled more than the given number of days ago. Returns
    -- false if no company has such messages.
    create function purge_messages(days integer, max_rows integer) returns boolean
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      company uuid;
      ends timestamptz := now() - days * interval '1 day';
    begin
      perform require_at_least('days', days, 30);
      perform require_at_least('max_rows', max_rows, 1);
      select m.company_id into company from messages m where m.settled_at < ends limit 1;
      if company is null then return false; end if;
      delete from messages m using (
        select l.id from messages l where l.company_id = company and l.settled_at < ends limit max_rows) as old
       where m.company_id = company and m.id = old.id;
      return true;
    end $$;

    -- The messages queued in the last day, for the limits on mail. Rows of messages are deleted with their person, and
    -- an address can move to another person, so this log counts by address. The log stores only the hash of an address.
    create table mail_log (
      -- No foreign key: for rows that are kept for only a day, it is not worth checking each message of a bulk call.
      company_id uuid not null,
      address_hash bytea not null,
      is_invite boolean not null,
      -- Not now(), because a transaction might first wait for the locks of lock_invites.
      queued_at timestamptz not null default clock_timestamp(),
      primary key (company_id, address_hash, queued_at)
    );
    -- Invitations to an address are counted across all companies.
    create index mail_log_invites on mail_log (address_hash, queued_at) where is_invite;
    create index mail_log_invites_of_company on mail_log (company_id, queued_at) where is_invite;
    alter table mail_log enable row level security;
    create policy own_company on mail_log to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on mail_log to awareness_service;

    create function address_hash(address text) returns bytea
      language sql stable parallel safe
      return sha256(convert_to(lower(address), 'UTF8'));

    -- Returns how many seconds ago the invitations of the last day were queued, latest first: those to the address from
    -- all companies, and those of this company. Locks the company, then the address, until the transaction ends, so
    -- that two calls cannot both take the last invitation.
    create function lock_invites(address text)
      returns table(to_address double precision[], of_company double precision[])
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      hash bytea := address_hash(address);
    begin
      perform pg_advisory_xact_lock(hashtextextended('invitations of ' || current_company(), 0));
      perform pg_advisory_xact_lock(hashtextextended('invitations to ' || encode(hash, 'hex'), 0));
      return query select
        array(select extract(epoch from clock_timestamp() - queued_at)::double precision from mail_log
               where is_invite and mail_log.address_hash = hash and queued_at > now() - interval '1 day' order by 1),
        array(select extract(epoch from clock_timestamp() - queued_at)::double precision from mail_log
               where is_invite and company_id = current_company() and queued_at > now() - interval '1 day' order by 1);
    end $$;

    -- Returns the columns of lock_invites and, in from_company, the ages of the invitations of this company to the
    -- address. Takes the locks of lock_invites.
    create function lock_invite_places(address text)
      returns table(from_company double precision[], to_address double precision[], of_company double precision[])
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      hash bytea := address_hash(address);
      counted record;
    begin
      select * into counted from lock_invites(address);
      -- A separate statement sees the rows that were committed while lock_invites waited for its locks.
      return query select
        array(select extract(epoch from clock_timestamp() - queued_at)::double precision from mail_log
               where is_invite and company_id = current_company() and mail_log.address_hash = hash
                 and queued_at > now() - interval '1 day' order by 1),
        counted.to_address, counted.of_company;
    end $$;

    create function sweep_mail_log() returns void
      language sql security definer set search_path = public, pg_temp as $$
      delete from mail_log where queued_at < now() - interval '1 day'
    $$;

    -- Queues a job for each of the companies. A repeated call on the same day queues no second job while the first one
    -- waits.
    create function queue_daily_jobs(task text, day date, company_ids uuid[]) returns void
      language plpgsql set search_path = public, pg_temp as $$
    declare
      jobs graphile_worker.job_spec[];
    begin
      select array_agg((
        task, json_build_object('companyId', id, 'day', day), null, null, null, task || ':' || id || ':' || day, 20, null
      )::graphile_worker.job_spec) into jobs from unnest(company_ids) as id;
      perform graphile_worker.add_jobs(coalesce(jobs, '{}'), true);
    end $$;

    -- Queues a job for each company.
    create function queue_for_companies(task text, day date) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      perform queue_daily_jobs(task, day, array(select id from companies));
    end $$;

    -- Queues a job for each company that has removed users to purge.
    create function queue_for_removed_users(task text, day date, kept_days integer) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      perform require_at_least('kept_days', kept_days, 30);
      perform queue_daily_jobs(task, day, array(
        select distinct company_id from directory_learners where removed_at < now() - kept_days * interval '1 day'));
    end $$;

    revoke all on function purge_messages, lock_invites, lock_invite_places, sweep_mail_log, queue_daily_jobs,
      queue_for_companies, queue_for_removed_users from public;
    grant execute on function purge_messages, lock_invites, lock_invite_places, sweep_mail_log, queue_for_companies,
      queue_for_removed_users to awareness_service;

    grant usage on schema graphile_worker to awareness_service;
    grant select, insert, update, delete on all tables in schema graphile_worker to awareness_service;
    grant usage on all sequences in schema graphile_worker to awareness_service;
    grant execute on all functions in schema graphile_worker to awareness_service;`);
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
    drop table mail_log, messages cascade;
    drop function queue_for_removed_users, queue_for_companies, queue_daily_jobs, sweep_mail_log, lock_invite_places, lock_invites,
      address_hash, purge_messages cascade;`);
}
