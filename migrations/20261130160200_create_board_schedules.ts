import type { Knex } from 'knex';

/** Creates the schedules of the board report, with its recipients, files and emails. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table board_schedules (
      company_id uuid not null references companies (id),
      id uuid not null,
      name text not null check (char_length(name) between 1 and 200),
      language text not null check (language in ('en', 'de', 'fr')),
      period text not null check (period in ('month', 'quarter', 'year')),
      day smallint not null check (day between 1 and 28),
      month smallint not null check (month between 1 and 12),
      is_paused boolean not null default false,
      -- The day of the next report in the time zone of the company. It does not advance while the schedule is paused.
      next_on date not null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (company_id, id)
    );
    create index board_schedules_due on board_schedules (next_on, company_id) where not is_paused;
    alter table board_schedules enable row level security;
    create policy own_company on board_schedules to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on board_schedules to awareness_service;

    create table board_recipients (
      company_id uuid not null,
      id uuid not null,
      schedule_id uuid not null,
      name text not null,
      email text not null,
      -- A removed recipient who has unsubscribed keeps the row, so that adding the address again sends nothing.
      is_listed boolean not null default true,
      unsubscribed_at timestamptz(3),
      primary key (company_id, id),
      constraint board_recipients_schedule foreign key (company_id, schedule_id)
        references board_schedules on delete cascade
    );
    create unique index board_recipients_email on board_recipients (schedule_id, lower(email), company_id);
    alter table board_recipients enable row level security;
    create policy own_company on board_recipients to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on board_recipients to awareness_service;

    create table board_reports (
      company_id uuid not null,
      id uuid not null,
      schedule_id uuid not null,
      -- The day on which the report was due; null for a report that an admin requested.
      due_on date,
      period_from date not null,
      period_to date not null,
      -- The file, from when it is rendered until the next report of the schedule replaces it.
      pdf bytea,
      drawn_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      primary key (company_id, id),
      constraint board_reports_once unique (schedule_id, due_on, company_id),
      constraint board_reports_schedule foreign key (company_id, schedule_id)
        references board_schedules on delete cascade
    );
    create index board_reports_undrawn on board_reports (created_at, company_id) where drawn_at is null;
    alter table board_reports enable row level security;
    create policy own_company on board_reports to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on board_reports to awareness_service;
    grant update (pdf, drawn_at) on board_reports to awareness_service;

    -- The emails of a report, each with the id of its message.
    create table board_deliveries (
      company_id uuid not null,
      id uuid not null,
      schedule_id uuid not null,
      report_id uuid not null,
      -- Null for a report that an admin requested.
      recipient_id uuid,
      name text not null,
      email text not null,
      -- The SHA-256 of the secret in the link that unsubscribes; null until the message is queued, and for a requested
      -- report.
      token_hash bytea check (octet_length(token_hash) = 32),
      status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'cancelled')),
      reason text,
      created_at timestamptz(3) not null default now(),
      settled_at timestamptz(3),
      primary key (company_id, id),
      check ((status = 'queued') = (settled_at is null)),
      constraint board_deliveries_schedule foreign key (company_id, schedule_id)
        references board_schedules on delete cascade,
      constraint board_deliveries_report foreign key (company_id, report_id) references board_reports on delete cascade
    );
    create index board_deliveries_list on board_deliveries (schedule_id, created_at, id, company_id);
    create index board_deliveries_report_id on board_deliveries (report_id, company_id);
    create unique index board_deliveries_token on board_deliveries (token_hash, company_id) where token_hash is not null;
    alter table board_deliveries enable row level security;
    create policy own_company on board_deliveries to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on board_deliveries to awareness_service;
    grant update (token_hash, status, reason, settled_at) on board_deliveries to awareness_service;

    -- Queues a job for each company that has a report to make: one that has been due since seven o'clock in the
    -- company's morning, or one that was begun within two days and has not been rendered yet.
    create function queue_for_board_reports(task text, hour timestamptz) returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      perform queue_daily_jobs(task, hour::date, array(
        select s.company_id from board_schedules s
          left join company_settings c on c.company_id = s.company_id
         where not s.is_paused and s.next_on <= (hour at time zone 'UTC')::date + 1
           and s.next_on <= ((hour - interval '7 hours') at time zone coalesce(c.time_zone, 'UTC'))::date
        union
        select r.company_id from board_reports r
         where r.drawn_at is null and r.created_at > hour - interval '48 hours'));
    end $$;
    revoke all on function queue_for_board_reports from public;
    grant execute on function queue_for_board_reports to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function queue_for_board_reports;
    drop table board_deliveries, board_reports, board_recipients, board_schedules;`);
}
