import type { Knex } from 'knex';

/**
 * The finished attempts before the newest one, which is in `enrollments`. They are only added to: the statement that
 * begins a new attempt copies the one before. When an open attempt is removed, the one before it is the newest again,
 * and stays here too; those with a lower number than the newest are the earlier ones.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table enrollment_attempts (
      company_id uuid not null,
      learner_id uuid not null,
      course_id uuid not null,
      attempt_id uuid not null,
      attempt smallint not null,
      course_owner_id uuid not null,
      enroll_date date not null,
      start_date date not null,
      finish_date date not null,
      score numeric(5, 2) not null check (score between 0 and 100),
      passed boolean not null,
      reminded_at timestamptz(3),
      primary key (company_id, learner_id, course_id, attempt_id),
      constraint enrollment_attempts_learner foreign key (company_id, learner_id) references learners on delete cascade,
      constraint enrollment_attempts_course foreign key (course_owner_id, course_id) references courses,
      check (course_owner_id in (managed_catalogue(), company_id)),
      check (start_date >= enroll_date and finish_date >= start_date)
    );
    create index enrollment_attempts_course on enrollment_attempts (company_id, course_id, learner_id);

    alter table enrollment_attempts enable row level security;
    create policy own_company on enrollment_attempts to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on enrollment_attempts to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table enrollment_attempts');
}
