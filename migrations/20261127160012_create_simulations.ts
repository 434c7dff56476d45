import type { Knex } from 'knex';

/**
 * Creates phishing simulations, their recipients with milestones, and the events that milestones are derived from. The
 * figures of deleted learners are kept.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table simulation_templates (
      owner_id uuid not null,
      id uuid not null unique,
      -- The company that owns the template; null for a managed template.
      custom_of uuid generated always as (nullif(owner_id, '00000000-0000-0000-0000-000000000000'::uuid)) stored
        references companies (id),
      name text not null,
      delivery_method text not null check (delivery_method in ('email', 'qr_code', 'attachment')),
      difficulty smallint not null check (difficulty between 1 and 5),
      locales text[] not null check (cardinality(locales) > 0),
      -- The sender, the subject, the text, the HTML, the cues and the lesson, by language.
      content jsonb not null,
      retired_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (owner_id, id)
    );
    create index simulation_templates_custom_of on simulation_templates (custom_of);
    alter table simulation_templates enable row level security;
    create policy managed_and_own on simulation_templates for select to awareness_service
      using (owner_id = managed_catalogue() or owner_id = current_company());
    create policy own on simulation_templates to awareness_service
      using (owner_id = current_company()) with check (owner_id = current_company());
    grant select, insert, update, delete on simulation_templates to awareness_service;
    create trigger simulation_templates_unchanged before update of name, delivery_method, difficulty, locales,
      content, retired_at on simulation_templates
      for each row execute function guard_updated_at();

    create table simulations (
      company_id uuid not null references companies (id),
      id uuid not null,
      name text not null,
      status text not null check (status in ('draft', 'scheduled', 'running', 'completed', 'cancelled')),
      delivery_method text not null check (delivery_method in ('email', 'qr_code', 'attachment')),
      start_date timestamptz(3),
      end_date timestamptz(3),
      created_at timestamptz(3) not null default now(),
      external_id text,
      is_own boolean not null default false,
      -- The requested templates, sender, recipients, hours and seed.
      plan jsonb,
      training_course_id uuid,
      training_course_owner_id uuid,
      -- Time at which the recipients were fixed.
      scheduled_at timestamptz(3),
      needs_approval boolean not null default false,
      -- The admins who have approved the simulation.
      approved_by uuid[] not null default '{}',
      -- The reason why the scheduled simulation cannot begin; null if nothing blocks it.
      blocked_because text,
      updated_at timestamptz(3) not null default now(),
      -- The admin or the API key that scheduled the simulation.
      scheduled_by uuid,
      primary key (company_id, id),
      constraint simulations_training_course foreign key (training_course_owner_id, training_course_id)
        references courses,
      check (isfinite(start_date) and isfinite(end_date)),
      check (end_date >= start_date),
      check (status in ('draft', 'cancelled') or start_date is not null),
      constraint simulations_own check (is_own = (plan is not null))
    );
    create unique index simulations_external_id on simulations (company_id, external_id);
    create index simulations_to_send on simulations (company_id, status)
      where is_own and status in ('scheduled', 'running');
    create index simulations_with_training on simulations (company_id, id)
      where is_own and training_course_id is not null;
    alter table simulations enable row level security;
    create policy own_company on simulations to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    create policy own_drafts on simulations as restrictive for delete to awareness_service
      using (is_own and status = 'draft');
    grant select, insert, delete on simulations to awareness_service;
    grant update (name, status, delivery_method, start_date, end_date, external_id, plan, training_course_id,
      training_course_owner_id, scheduled_at, needs_approval, approved_by, blocked_because, updated_at, scheduled_by)
      on simulations to awareness_service;
    create trigger simulations_unchanged before update of name, delivery_method, start_date, end_date, plan,
      training_course_id, training_course_owner_id on simulations
      for each row execute function guard_updated_at();

    create function guard_simulation_status() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      if old.status in ('completed', 'cancelled')
         or array_position('{draft,scheduled,running,completed,cancelled}', new.status)
            < array_position('{draft,scheduled,running,completed,cancelled}', old.status) then
        raise exception 'the status of a simulation cannot change from % to %', old.status, new.status
          using errcode = 'check_violation', constraint = 'simulations_status_forward';
      end if;
      return new;
    end $$;
    create trigger simulations_status_forward before update of status on simulations
      for each row when (old.status <> new.status) execute function guard_simulation_status();

    create table simulation_recipients (
      company_id uuid not null,
      simulation_id uuid not null,
      learner_id uuid not null,
      id uuid not null default new_id(),
      scheduled_at timestamptz(3),
      sent_at timestamptz(3),
      opened_at timestamptz(3),
      visited_at timestamptz(3),
      compromised_at timestamptz(3),
      reported_at timestamptz(3),
      evaluated_at timestamptz(3),
      withdrawn_at timestamptz(3),
      template_id uuid,
      locale text,
      -- SHA-256 of the secret in the links of the message.
      token_hash bytea check (length(token_hash) = 32),
      -- The queued message; a recipient never gets a second message.
      message_id uuid,
      failed_at timestamptz(3),
      failure text,
      training_assigned_at timestamptz(3),
      withdrawn_because text,
      primary key (company_id, simulation_id, learner_id),
      constraint simulation_recipients_learner foreign key (company_id, learner_id)
        references learners on delete cascade,
      constraint simulation_recipients_simulation foreign key (company_id, simulation_id)
        references simulations on delete cascade,
      check (isfinite(scheduled_at) and isfinite(sent_at) and isfinite(opened_at) and isfinite(visited_at) and
             isfinite(compromised_at) and isfinite(reported_at)),
      check (opened_at >= sent_at and visited_at >= opened_at and compromised_at >= visited_at and reported_at >=
             sent_at),
      check (sent_at is not null or coalesce(opened_at, visited_at, compromised_at, reported_at) is null),
      check (opened_at is not null or visited_at is null),
      check (visited_at is not null or compromised_at is null)
    );
    create index simulation_recipients_due on simulation_recipients (company_id, simulation_id, scheduled_at)
      where template_id is not null and message_id is null and failed_at is null and sent_at is null;
    create index simulation_recipients_to_train on simulation_recipients (company_id, simulation_id, visited_at)
      where template_id is not null and visited_at is not null and training_assigned_at is null;
    create index simulation_recipients_learner on simulation_recipients (learner_id, company_id);
    create index simulation_recipients_visited on simulation_recipients (company_id, learner_id) where visited_at is not null;
    create unique index simulation_recipients_token on simulation_recipients (token_hash, company_id) where token_hash is not null;
    create unique index simulation_recipients_id on simulation_recipients (id, company_id);
    alter table simulation_recipients enable row level security;
    create policy own_company on simulation_recipients to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on simulation_recipients to awareness_service;
    grant update (scheduled_at, sent_at, opened_at, visited_at, compromised_at, reported_at, evaluated_at,
      withdrawn_at, template_id, locale, token_hash, message_id, failed_at, failure, training_assigned_at,
      withdrawn_because) on simulation_recipients to awareness_service;

    -- Lets milestones only move forward, and fills in the milestones that a later one implies. Only an update that sets
    -- evaluated_at, to evaluate the events again, can move milestones freely; other updates keep the first times.
    create function guard_milestones() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      if tg_op = 'UPDATE' then
        if (old.company_id, old.simulation_id, old.learner_id, old.id)
           <> (new.company_id, new.simulation_id, new.learner_id, new.id) then
          raise exception 'the company, simulation, learner and id of a recipient cannot be changed'
            using errcode = 'check_violation', constraint = 'simulation_recipients_forward';
        end if;
        if new.evaluated_at is not distinct from old.evaluated_at then
          if (old.scheduled_at is not null and new.scheduled_at is null)
             or (old.sent_at is not null and new.sent_at is null)
             or (old.opened_at is not null and new.opened_at is null)
             or (old.visited_at is not null and new.visited_at is null)
             or (old.compromised_at is not null and new.compromised_at is null)
             or (old.reported_at is not null and new.reported_at is null) then
            raise exception 'scheduled_at and the milestones cannot be removed once they are set'
              using errcode = 'check_violation', constraint = 'simulation_recipients_forward';
          end if;
          if old.sent_at is not null then new.scheduled_at := old.scheduled_at; end if;
          -- The first time counts, so a repeated or late event changes nothing.
          new.sent_at := coalesce(old.sent_at, new.sent_at);
          new.opened_at := coalesce(old.opened_at, new.opened_at);
          new.visited_at := coalesce(old.visited_at, new.visited_at);
          new.compromised_at := coalesce(old.compromised_at, new.compromised_at);
          new.reported_at := coalesce(old.reported_at, new.reported_at);
        end if;
      end if;
      -- A recipient who submitted data has visited the page, and one who visited the page has opened the message.
      new.visited_at := coalesce(new.visited_at, new.compromised_at);
      new.opened_at := coalesce(new.opened_at, new.visited_at);
      return new;
    end $$;
    create trigger simulation_recipients_milestones before insert or update on simulation_recipients
      for each row execute function guard_milestones();

    create table former_recipients (
      company_id uuid not null,
      simulation_id uuid not null,
      id uuid not null,
      sent_at timestamptz(3),
      opened_at timestamptz(3),
      visited_at timestamptz(3),
      compromised_at timestamptz(3),
      reported_at timestamptz(3),
      primary key (company_id, simulation_id, id),
      constraint former_recipients_simulation foreign key (company_id, simulation_id)
        references simulations on delete cascade
    );
    alter table former_recipients enable row level security;
    create policy own_company on former_recipients to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on former_recipients to awareness_service;

    -- Keeps the milestones of deleted learners in the figures, without anything that identifies them. An unsent message
    -- counts only if its simulation is over; otherwise the simulation will never send it.
    create function archive_recipient_figures() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      insert into former_recipients (company_id, simulation_id, id, sent_at, opened_at, visited_at, compromised_at,
                                     reported_at)
      select r.company_id, r.simulation_id, gen_random_uuid(), r.sent_at, r.opened_at, r.visited_at, r.compromised_at,
             r.reported_at
        from simulation_recipients r
        join simulations s on s.company_id = r.company_id and s.id = r.simulation_id
       where r.company_id = old.company_id and r.learner_id = old.id
         and (r.sent_at is not null or s.status in ('completed', 'cancelled'));
      return old;
    end $$;
    create trigger learners_archive_figures before delete on learners
      for each row execute function archive_recipient_figures();

    -- Observed events of messages, with a verdict on each. The milestones of recipients are derived from them.
    create table simulation_events (
      company_id uuid not null,
      event_id text not null check (char_length(event_id) between 1 and 200),
      simulation_id uuid not null,
      learner_id uuid not null,
      type text not null check (type in ('scheduled', 'sent', 'opened', 'visited', 'compromised', 'reported')),
      occurred_at timestamptz(3) not null check (isfinite(occurred_at)),
      evidence jsonb not null,
      address text generated always as ((evidence ->> 'address')) stored,
      -- Marks set because of related events from the same IP address, or by an admin who withdrew the milestone.
      signals text[] not null default '{}',
      verdict text not null default 'unsure' check (verdict in ('human', 'automated', 'unsure')),
      reasons text[] not null default '{}',
      received_at timestamptz(3) not null default now(),
      message_id text generated always as (btrim((evidence ->> 'messageId'), '<>')) stored,
      primary key (company_id, event_id),
      constraint simulation_events_recipient foreign key (company_id, simulation_id, learner_id)
        references simulation_recipients on delete cascade
    );
    create index simulation_events_address on simulation_events (company_id, address, occurred_at);
    create index simulation_events_message on simulation_events (company_id, message_id) where message_id is not null;
    create index simulation_events_in_order
      on simulation_events (company_id, simulation_id, learner_id, occurred_at, event_id);
    alter table simulation_events enable row level security;
    create policy own_company on simulation_events to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on simulation_events to awareness_service;
    grant update (signals, verdict, reasons) on simulation_events to awareness_service;

    -- The e-mail addresses to which recipients' messages were sent. A later report that names the address is about that
    -- recipient, even if another learner has the address by then. The index without a company serves the report
    -- mailbox, which knows only the sender's address.
    create table simulation_recipient_addresses (
      company_id uuid not null,
      simulation_id uuid not null,
      email_key text not null check (email_key = lower(email_key)),
      learner_id uuid not null,
      since timestamptz(3) not null check (isfinite(since)),
      primary key (company_id, simulation_id, email_key, learner_id),
      constraint simulation_recipient_addresses_recipient foreign key (company_id, simulation_id, learner_id)
        references simulation_recipients on delete cascade
    );
    create index simulation_recipient_addresses_recipient
      on simulation_recipient_addresses (company_id, simulation_id, learner_id);
    create index simulation_recipient_addresses_address on simulation_recipient_addresses (email_key);
    alter table simulation_recipient_addresses enable row level security;
    create policy own_company on simulation_recipient_addresses to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on simulation_recipient_addresses to awareness_service;
    grant update (since) on simulation_recipient_addresses to awareness_service;

    create function find_recipients_by_email(address text) returns table(company_id uuid, learner_id uuid)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    begin
      return query
        select distinct l.company_id, l.id
          from simulation_recipient_addresses a
          join learners l on l.company_id = a.company_id and l.id = a.learner_id and not l.inactive
         where a.email_key = lower(address) order by 1, 2 limit 20;
    end $$;

    revoke all on function archive_recipient_figures, find_recipients_by_email from public;
    grant execute on function find_recipients_by_email to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table simulation_recipient_addresses, simulation_events, former_recipients, simulation_recipients, simulations,
      simulation_templates cascade;
    drop function find_recipients_by_email, archive_recipient_figures, guard_milestones, guard_simulation_status
      cascade;`);
}
