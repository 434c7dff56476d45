import type { Knex } from 'knex';

/** Packages that learners have begun: what each has kept, and the secret in the address of the window that has it open. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table package_progress (
      company_id uuid not null,
      learner_id uuid not null,
      course_id uuid not null,
      attempt_id uuid not null,
      package_id uuid not null,
      begun_at timestamptz(3) not null,
      state jsonb not null,
      token_hash bytea not null check (length(token_hash) = 32),
      opened_at timestamptz(3) not null,
      primary key (company_id, learner_id, course_id),
      constraint package_progress_enrollment foreign key (company_id, learner_id, course_id)
        references enrollments (company_id, learner_id, course_id) on delete cascade,
      constraint package_progress_package foreign key (company_id, package_id) references course_packages on delete cascade
    );
    comment on column package_progress.attempt_id is 'What is kept of another attempt counts no more';
    comment on column package_progress.token_hash is 'SHA-256 of the secret of the window that opened it last';
    create unique index package_progress_token on package_progress (company_id, token_hash);
    create index package_progress_of_package on package_progress (company_id, package_id);

    alter table package_progress enable row level security;
    create policy own_company on package_progress to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update on package_progress to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table package_progress');
}
