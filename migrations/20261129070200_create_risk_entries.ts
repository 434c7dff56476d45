import type { Knex } from 'knex';

const TABLES = ['company_settings', 'learner_risks', 'group_risks'];
const FACTORS = ['simulations', 'courses', 'policies', 'breaches'];

/** Creates the settings of companies, and the risk scores of learners and groups over time with their factors. */
export async function up(knex: Knex): Promise<void> {
  // Risks of the factors, from 0 to 100; null if the company lacks the module.
  const factors = FACTORS.map((name) => `${name} numeric(4,1) check (${name} between 0 and 100),`).join('\n      ');
  await knex.raw(`
    create table company_settings (
      company_id uuid primary key references companies (id),
      -- Minimum number of people for whom a mean is shown; null while the company has not set it.
      min_group_size smallint check (min_group_size between 2 and 100),
      -- The time zone in which days begin; null for UTC.
      time_zone text check (char_length(time_zone) between 1 and 64),
      -- Whether admins need a passkey to sign in to the console, unless an identity provider identifies them.
      admin_passkeys text not null default 'optional' check (admin_passkeys in ('optional', 'required')),
      -- The effect of a finished gap analysis: none, proposals, or enrolments in the proposed courses.
      gap_analysis_follow_up text not null default 'propose'
        check (gap_analysis_follow_up in ('off', 'propose', 'enrol')),
      -- How people report a suspicious message: address, phone and instructions. Null while the company has not set it.
      reporting jsonb check (jsonb_typeof(reporting) = 'object')
    );
    grant select, insert, update on company_settings to awareness_service;

    -- An entry applies until the next one. It is written only if the score or a factor has changed.
    create table learner_risks (
      company_id uuid not null,
      learner_id uuid not null,
      date date not null,
      score smallint not null check (score between 0 and 100),
      ${factors}
      primary key (company_id, learner_id, date),
      constraint learner_risks_learner foreign key (company_id, learner_id) references learners on delete cascade
    );
    grant select, insert, update on learner_risks to awareness_service;

    -- Means over the active members of a group. An entry applies until the next one.
    create table group_risks (
      company_id uuid not null,
      group_id uuid not null,
      date date not null,
      learner_count integer not null check (learner_count >= 0),
      -- Smallest number of people by which the company, or another group that contains this whole group, exceeds this
      -- group; null if 100 or more.
      rest_count integer check (rest_count > 0),
      average_score numeric(4,1) check (average_score between 0 and 100),
      ${factors}
      primary key (company_id, group_id, date),
      constraint group_risks_group foreign key (company_id, group_id) references groups on delete cascade,
      -- The score of one person must not outlive the person.
      check ((learner_count < 2) = (average_score is null))
    );
    grant select, insert, update on group_risks to awareness_service;`);
  for (const table of TABLES) {
    await knex.raw(`
      alter table ${table} enable row level security;
      create policy own_company on ${table} to awareness_service
        using (company_id = current_company()) with check (company_id = current_company());`);
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`drop table ${TABLES.join(', ')}`);
}
