import type { Knex } from 'knex';

/** Creates the content of companies' own courses, in the format of authored courses. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The files of a course: the files that learners see, and the files of the draft.
    create table course_contents (
      company_id uuid not null references companies (id),
      course_id uuid not null,
      state text not null check (state in ('draft', 'published')),
      -- Changes with each save, so that processes know whether they have read the files.
      revision uuid not null,
      -- The contents of the files by path.
      files jsonb not null check (jsonb_typeof(files) = 'object'),
      size_bytes integer not null check (size_bytes > 0),
      saved_at timestamptz(3) not null,
      -- Number of publications, and the time of the last one; null for a draft.
      version integer check (version > 0),
      published_at timestamptz(3),
      primary key (company_id, course_id, state),
      check ((state = 'published') = (version is not null and published_at is not null)),
      -- Matches only the company's own courses: the owner of a catalogue course is not a company.
      constraint course_contents_course foreign key (company_id, course_id) references courses
    );
    alter table course_contents enable row level security;
    create policy own_company on course_contents to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on course_contents to awareness_service;
    grant update (localized_names) on courses to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    revoke update (localized_names) on courses from awareness_service;
    drop table course_contents;`);
}
