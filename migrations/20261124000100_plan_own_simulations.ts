import type { Knex } from 'knex';

/**
 * Simulations that the service runs itself: what they are made of, whom they may reach, and what stops them.
 *
 * A template of the managed catalogue has the nil UUID for its owner, one of a company's own has the company, as courses do.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table simulation_templates (
      owner_id uuid not null,
      id uuid not null,
      custom_of uuid generated always as (nullif(owner_id, '00000000-0000-0000-0000-000000000000'::uuid)) stored
        references companies (id),
      name text not null,
      delivery_method text not null check (delivery_method in ('email', 'qr_code', 'attachment')),
      difficulty smallint not null check (difficulty between 1 and 5),
      locales text[] not null check (cardinality(locales) > 0),
      -- By language: the sender, the subject, the text, the HTML, the cues and the lesson.
      content jsonb not null,
      retired_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (owner_id, id),
      unique (id)
    );
    create index simulation_templates_custom_of on simulation_templates (custom_of);

    create table simulation_domains (
      company_id uuid not null references companies (id),
      id uuid not null,
      domain text not null check (domain = lower(domain)),
      challenge text not null,
      created_at timestamptz(3) not null default now(),
      proved_at timestamptz(3),
      checked_at timestamptz(3),
      primary key (company_id, id),
      constraint simulation_domains_domain unique (company_id, domain),
      check (proved_at is null or checked_at is not null)
    );
    comment on column simulation_domains.challenge is 'What a DNS record of the domain is to say';
    comment on column simulation_domains.proved_at is 'Since when the record has been there; null when the last look did not find it';

    create table simulation_exclusions (
      company_id uuid not null references companies (id),
      id uuid not null,
      learner_id uuid,
      group_id uuid,
      from_date date,
      to_date date,
      note text,
      created_at timestamptz(3) not null default now(),
      primary key (company_id, id),
      constraint simulation_exclusions_learner foreign key (company_id, learner_id) references learners on delete cascade,
      constraint simulation_exclusions_group foreign key (company_id, group_id) references groups on delete cascade,
      check (num_nonnulls(learner_id, group_id, from_date) = 1),
      check ((from_date is null) = (to_date is null) and to_date >= from_date),
      check (isfinite(from_date) and isfinite(to_date))
    );
    comment on table simulation_exclusions is 'Who gets no message of a simulation, and on which days nobody does';
    create index simulation_exclusions_learner on simulation_exclusions (company_id, learner_id);
    create index simulation_exclusions_group on simulation_exclusions (company_id, group_id);

    create table simulation_settings (
      company_id uuid not null references companies (id),
      header_secret text not null,
      stopped_at timestamptz(3),
      primary key (company_id)
    );
    comment on column simulation_settings.header_secret is 'By which the mail team of the company knows our messages';
    comment on column simulation_settings.stopped_at is 'Since when the company sends nothing';

    create table simulation_switch (
      only_row boolean primary key default true check (only_row),
      stopped_at timestamptz(3)
    );
    comment on table simulation_switch is 'Since when the operator lets nobody send';
    insert into simulation_switch default values;

    alter table simulations
      add column is_own boolean not null default false,
      add column plan jsonb,
      add column training_course_id uuid,
      add column training_course_owner_id uuid,
      add column scheduled_at timestamptz(3),
      add column needs_approval boolean not null default false,
      add column approved_by uuid[] not null default '{}',
      add column blocked_because text,
      add column updated_at timestamptz(3) not null default now();
    alter table simulations
      add constraint simulations_own check (is_own = (plan is not null)) not valid,
      add constraint simulations_training_course foreign key (training_course_owner_id, training_course_id)
        references courses not valid;
    comment on column simulations.plan is 'What was asked for: templates, sender, recipients, hours and seed';
    comment on column simulations.scheduled_at is 'When its recipients were fixed';
    comment on column simulations.approved_by is 'The admins who have said yes';
    comment on column simulations.blocked_because is 'Why nothing of it is sent at the moment';
    grant update (plan, training_course_id, training_course_owner_id, scheduled_at, needs_approval, approved_by,
                  blocked_because, updated_at), delete on simulations to awareness_service;

    alter table simulation_recipients
      add column template_id uuid,
      add column locale text,
      add column token_hash bytea check (length(token_hash) = 32),
      add column message_id uuid,
      add column failed_at timestamptz(3),
      add column failure text,
      add column taught_at timestamptz(3);
    comment on column simulation_recipients.token_hash is 'SHA-256 of the secret in the links of the message';
    comment on column simulation_recipients.message_id is 'The message of the queue. Who has one gets no other';
    create unique index simulation_recipients_token on simulation_recipients (company_id, token_hash);
    grant update (template_id, locale, token_hash, message_id, failed_at, failure, taught_at), delete
      on simulation_recipients to awareness_service;

    alter table simulation_templates enable row level security;
    create policy managed_and_own on simulation_templates for select to awareness_service
      using (owner_id = managed_catalogue() or owner_id = current_company());
    create policy own on simulation_templates to awareness_service
      using (owner_id = current_company()) with check (owner_id = current_company());
    alter table simulation_domains enable row level security;
    create policy own_company on simulation_domains to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    alter table simulation_exclusions enable row level security;
    create policy own_company on simulation_exclusions to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    alter table simulation_settings enable row level security;
    create policy own_company on simulation_settings to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on simulation_templates, simulation_domains, simulation_exclusions
      to awareness_service;
    grant select, insert, update on simulation_settings to awareness_service;
    grant select on simulation_switch to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table simulation_recipients drop column template_id, drop column locale, drop column token_hash,
      drop column message_id, drop column failed_at, drop column failure, drop column taught_at;
    alter table simulations drop constraint simulations_own, drop constraint simulations_training_course,
      drop column is_own, drop column plan, drop column training_course_id, drop column training_course_owner_id,
      drop column scheduled_at, drop column needs_approval, drop column approved_by, drop column blocked_because,
      drop column updated_at;
    revoke delete on simulations, simulation_recipients from awareness_service;
    drop table simulation_switch, simulation_settings, simulation_exclusions, simulation_domains, simulation_templates;
  `);
}
