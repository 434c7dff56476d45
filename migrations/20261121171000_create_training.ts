import type { Knex } from 'knex';

/**
 * Courses and who is enrolled in them.
 *
 * A course of the managed catalogue has the nil UUID for its owner, one of a company's own has the company. An
 * enrolment repeats the owner, so that the database itself refuses one in a course of another company.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function managed_catalogue() returns uuid
      language sql immutable parallel safe
      return '00000000-0000-0000-0000-000000000000'::uuid;

    create table courses (
      owner_id uuid not null,
      id uuid not null,
      custom_of uuid generated always as (nullif(owner_id, '00000000-0000-0000-0000-000000000000'::uuid)) stored
        references companies (id),
      type text not null check (type in ('training', 'gap_analysis')),
      name text not null,
      display_name text not null,
      subject text not null,
      difficulty smallint not null check (difficulty between 1 and 5),
      description text,
      duration_minutes integer check (duration_minutes >= 0),
      pass_mark smallint not null check (pass_mark between 0 and 100),
      locales text[] not null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (owner_id, id),
      unique (id),
      check (type = 'training' or owner_id = managed_catalogue())
    );
    create unique index courses_one_gap_analysis on courses (type) where type = 'gap_analysis';

    alter table courses enable row level security;
    create policy managed_and_own on courses for select to awareness_service
      using (owner_id = managed_catalogue() or owner_id = current_company());
    grant select on courses to awareness_service;

    create table enrollments (
      company_id uuid not null,
      learner_id uuid not null,
      course_id uuid not null,
      course_owner_id uuid not null,
      enroll_date date not null,
      start_date date,
      finish_date date,
      score numeric(5, 2) check (score between 0 and 100),
      passed boolean,
      reminded_at timestamptz(3),
      primary key (company_id, learner_id, course_id),
      constraint enrollments_learner foreign key (company_id, learner_id) references learners on delete cascade,
      constraint enrollments_course foreign key (course_owner_id, course_id) references courses,
      check (course_owner_id in (managed_catalogue(), company_id)),
      check (start_date >= enroll_date and finish_date >= start_date),
      check ((finish_date is null) = (score is null) and (finish_date is null) = (passed is null)),
      check (finish_date is null or start_date is not null)
    );
    create index enrollments_course on enrollments (company_id, course_id);

    alter table enrollments enable row level security;
    create policy own_company on enrollments to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on enrollments to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table enrollments, courses; drop function managed_catalogue()');
}
