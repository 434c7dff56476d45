import type { Knex } from 'knex';

/** What learners have read and answered in the attempt that they take on the pages of the service: one row for a pair. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table course_progress (
      company_id uuid not null,
      learner_id uuid not null,
      course_id uuid not null,
      attempt_id uuid not null,
      begun_at timestamptz(3) not null,
      parts jsonb not null,
      updated_at timestamptz(3) not null default now(),
      primary key (company_id, learner_id, course_id),
      constraint course_progress_enrollment foreign key (company_id, learner_id, course_id)
        references enrollments (company_id, learner_id, course_id) on delete cascade
    );
    comment on column course_progress.attempt_id is 'The progress of another attempt is none';
    comment on column course_progress.parts is 'Versions of lessons and questions by their keys, with the answers given';

    alter table course_progress enable row level security;
    create policy own_company on course_progress to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update on course_progress to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table course_progress');
}
