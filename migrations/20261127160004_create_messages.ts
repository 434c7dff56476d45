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
  'passkey_added',
  'api_key_created',
];
const TO_LEARNERS = [
  'course_enrollment',
  'course_reminder',
  'policy_request',
  'policy_reminder',
  'sign_in',
  'policy_receipt',
  'simulation',
  'learner_address_changed',
];
const literal = (text: string) => `'${text}'`;

/** The tables of graphile-worker, which the command that migrates installs first. They have row-level security without a policy. */
const QUEUE_TABLES = ['_private_jobs', '_private_job_queues', '_private_tasks', '_private_known_crontabs'];

/**
 * Outbound mail: a row for each message and a job for it in the queue, which the service writes in the transaction of whatever
 * asks for the message, and the invitations of the last day, which are counted by sender and by address.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table messages (
      company_id uuid not null references companies (id),
      id uuid not null,
      kind text not null,
      admin_id uuid,
      learner_id uuid,
      -- Courses or policies, by the kind of the message.
      subject_ids uuid[],
      -- The secret of a setup link, until the message is sent or given up.
      setup_token text,
      status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'cancelled')),
      attempts smallint not null default 0,
      -- Why the last attempt failed, or why there was none.
      reason text,
      created_at timestamptz(3) not null default now(),
      settled_at timestamptz(3),
      -- Of a sign-in link: device, or the network that asked for it; null for other messages.
      asked_from text,
      -- The address of before, for the message about its change, until that is settled.
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
    -- What is queued for learners asks for the company's messages of the last hour.
    create index messages_time on messages (company_id, created_at);
    -- Few messages fail; there are those of months.
    create index messages_failed on messages (company_id, learner_id) where status = 'failed';
    -- Bulk calls look up the queued messages of each learner. Without statistics Postgres searched the index of all
    -- queued messages of the company for that, and ten thousand learners took longer than the timeout.
    create index messages_queued_learner on messages (company_id, learner_id) where status = 'queued';
    create index messages_admin on messages (admin_id, company_id) where admin_id is not null;
    create index messages_learner on messages (learner_id, company_id) where learner_id is not null;
    alter table messages enable row level security;
    create policy own_company on messages to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on messages to awareness_service;

    -- Deletes messages so many days after they were sent or given up.
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

    -- To whom messages were queued in the last day, for the limits on mail. The messages of a person who is deleted go
    -- with them, and an address can move from one person to another: this log counts by address all the same. It holds
    -- no address, only its hash.
    create table mail_log (
      -- Refers to no company: what is kept for a day needs no check for each message of a bulk call.
      company_id uuid not null,
      address_hash bytea not null,
      is_invite boolean not null,
      -- Not now(): a transaction may wait for its turn.
      queued_at timestamptz not null default clock_timestamp(),
      primary key (company_id, address_hash, queued_at)
    );
    -- Invitations to an address are counted over all companies.
    create index mail_log_invites on mail_log (address_hash, queued_at) where is_invite;
    create index mail_log_invites_of_company on mail_log (company_id, queued_at) where is_invite;
    alter table mail_log enable row level security;
    create policy own_company on mail_log to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on mail_log to awareness_service;

    create function address_hash(address text) returns bytea
      language sql stable parallel safe
      return sha256(convert_to(lower(address), 'UTF8'));

    -- How many seconds ago invitations of the last day were queued, the latest first. Whoever asks for the same
    -- company or the same address waits until the transaction ends, so that two calls never take the last one.
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

    -- How many seconds ago invitations of the last day were queued, the latest first. Whoever asks for the same
    -- company or the same address waits until the transaction ends, so that two calls never take the last one.
    create function lock_invite_places(address text)
      returns table(from_company double precision[], to_address double precision[], of_company double precision[])
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      hash bytea := address_hash(address);
      counted record;
    begin
      select * into counted from lock_invites(address);
      -- A statement of its own, which sees what was committed while it waited for the locks.
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

    -- A job for each company, once a day however often it is called.
    create function queue_for_companies(task text, day date) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      jobs graphile_worker.job_spec[];
    begin
      select array_agg((
        task, json_build_object('companyId', id, 'day', day), null, null, null, task || ':' || id || ':' || day, 20, null
      )::graphile_worker.job_spec) into jobs from companies;
      perform graphile_worker.add_jobs(jobs, true);
    end $$;

    -- A job for each company that has users to purge, once a day however often it is called.
    create function queue_for_removed_users(task text, day date, kept_days integer) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      jobs graphile_worker.job_spec[];
    begin
      perform require_at_least('kept_days', kept_days, 30);
      select array_agg((
        task, json_build_object('companyId', company_id, 'day', day), null, null, null,
        task || ':' || company_id || ':' || day, 20, null
      )::graphile_worker.job_spec) into jobs from (
        select distinct company_id from directory_learners
         where removed_at < now() - kept_days * interval '1 day') as of_companies;
      perform graphile_worker.add_jobs(coalesce(jobs, '{}'), true);
    end $$;

    revoke all on function purge_messages, lock_invites, lock_invite_places, sweep_mail_log, queue_for_companies,
      queue_for_removed_users from public;
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
    drop function queue_for_removed_users, queue_for_companies, sweep_mail_log, lock_invite_places, lock_invites,
      address_hash, purge_messages cascade;`);
}
