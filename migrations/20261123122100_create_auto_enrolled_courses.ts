import type { Knex } from 'knex';

/** The courses that a company has its new learners enrolled in: managed ones, and its own. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table auto_enrolled_courses (
      company_id uuid not null references companies (id),
      course_id uuid not null,
      course_owner_id uuid not null,
      created_at timestamptz(3) not null default now(),
      primary key (company_id, course_id),
      constraint auto_enrolled_courses_course foreign key (course_owner_id, course_id) references courses on delete cascade,
      check (course_owner_id in (managed_catalogue(), company_id))
    );

    alter table auto_enrolled_courses enable row level security;
    create policy own_company on auto_enrolled_courses to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on auto_enrolled_courses to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table auto_enrolled_courses');
}
