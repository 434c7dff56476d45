import type { Knex } from 'knex';

/** Creates courses, managed for all companies or a company's own, and the SCORM packages of own courses. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The owner of a managed course is the nil UUID; the owner of a company's own course is the company. References to
    -- a course repeat the owner, so that the database itself rejects a course of another company.
    create table courses (
      owner_id uuid not null,
      id uuid not null unique,
      -- The company that owns the course; null for a managed course.
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
      -- Number of months for which a pass counts; null if it does not expire.
      valid_for_months smallint check (valid_for_months between 1 and 120),
      locales text[] not null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      external_id text,
      retired_at timestamptz(3),
      removed_at timestamptz(3),
      localized_names jsonb not null default '{}' check (jsonb_typeof(localized_names) = 'object'),
      primary key (owner_id, id),
      check (type = 'training' or owner_id = managed_catalogue())
    );
    create unique index courses_one_gap_analysis on courses (type) where type = 'gap_analysis';
    create unique index courses_external_id on courses (external_id, owner_id) where external_id is not null;
    alter table courses enable row level security;
    create policy managed_and_own on courses for select to awareness_service
      using (owner_id = managed_catalogue() or owner_id = current_company());
    create policy own_added on courses for insert to awareness_service with check (owner_id = current_company());
    create policy own_changed on courses for update to awareness_service
      using (owner_id = current_company()) with check (owner_id = current_company());
    grant select, insert on courses to awareness_service;
    grant update (name, display_name, subject, difficulty, description, duration_minutes, pass_mark, valid_for_months,
      locales, updated_at, external_id, retired_at, removed_at) on courses to awareness_service;
    create trigger courses_unchanged before update of name, display_name, subject, difficulty, description,
      duration_minutes, pass_mark, valid_for_months, locales, external_id, retired_at on courses
      for each row execute function guard_updated_at();

    -- The courses in which new learners of a company are enrolled automatically.
    create table auto_enrolled_courses (
      company_id uuid not null references companies (id),
      course_id uuid not null,
      course_owner_id uuid not null,
      created_at timestamptz(3) not null default now(),
      primary key (company_id, course_id),
      constraint auto_enrolled_courses_course foreign key (course_owner_id, course_id)
        references courses on delete cascade,
      check (course_owner_id = managed_catalogue() or course_owner_id = company_id)
    );
    alter table auto_enrolled_courses enable row level security;
    create policy own_company on auto_enrolled_courses to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on auto_enrolled_courses to awareness_service;

    -- Contents of SCORM packages: ZIP files, each stored once per company.
    create table package_contents (
      company_id uuid not null references companies (id),
      sha256 bytea not null check (length(sha256) = 32),
      content bytea not null,
      primary key (company_id, sha256)
    );
    -- No compression, because ZIP files are already compressed, and the service reads parts of them.
    alter table package_contents alter column content set storage external;
    alter table package_contents enable row level security;
    create policy own_company on package_contents to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on package_contents to awareness_service;
    grant update (sha256) on package_contents to awareness_service;

    -- SCORM packages of courses. A package that was replaced or removed stays for a day, because learners might have it
    -- open.
    create table course_packages (
      company_id uuid not null,
      id uuid not null,
      course_id uuid not null,
      sha256 bytea not null,
      standard text not null check (standard in ('scorm_1_2', 'scorm_2004')),
      -- Version of SCORM as the manifest spells it.
      schema_version text,
      title text,
      launch_path text not null,
      -- Items of the manifest, in the manifest's order.
      items jsonb not null default '[]' check (jsonb_typeof(items) = 'array'),
      -- Findings of the inspection.
      report jsonb not null default '{}' check (jsonb_typeof(report) = 'object'),
      file_name text,
      size_bytes integer not null check (size_bytes > 0),
      unpacked_bytes integer not null check (unpacked_bytes > 0),
      file_count integer not null check (file_count > 0),
      uploaded_at timestamptz(3) not null default now(),
      -- Time at which the package was replaced or removed; null while learners can begin it.
      ended_at timestamptz(3),
      primary key (company_id, id),
      constraint course_packages_content foreign key (company_id, sha256) references package_contents,
      -- Matches only the company's own courses: the owner of a catalogue course is not a company.
      constraint course_packages_course foreign key (company_id, course_id) references courses
    );
    create unique index course_packages_current on course_packages (company_id, course_id) where ended_at is null;
    create index course_packages_content on course_packages (sha256, company_id);
    alter table course_packages enable row level security;
    create policy own_company on course_packages to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on course_packages to awareness_service;
    grant update (ended_at) on course_packages to awareness_service;

    -- The position of each file in its ZIP file, so that the service reads one file without the others.
    create table package_files (
      company_id uuid not null,
      package_id uuid not null,
      path text not null,
      -- The path in lower case, because links in packages often differ in case from the files.
      path_key text not null,
      content_type text not null,
      size_bytes integer not null check (size_bytes >= 0),
      packed_offset integer not null check (packed_offset >= 0),
      packed_bytes integer not null check (packed_bytes >= 0),
      is_deflated boolean not null,
      primary key (company_id, package_id, path_key),
      constraint package_files_package foreign key (company_id, package_id)
        references course_packages on delete cascade
    );
    alter table package_files enable row level security;
    create policy own_company on package_files to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on package_files to awareness_service;

    -- Deletes packages that ended more than a day ago, then contents without a package. Skips contents that another
    -- transaction has locked to use them.
    create function purge_packages() returns void
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      company uuid;
    begin
      for company in select distinct company_id from course_packages where ended_at < now() - interval '1 day' loop
        delete from course_packages p where p.company_id = company and p.ended_at < now() - interval '1 day';
      end loop;
      for company in
        select distinct c.company_id from package_contents c
         where not exists (select from course_packages p where p.company_id = c.company_id and p.sha256 = c.sha256)
      loop
        with unused as (
          select c.sha256 from package_contents c where c.company_id = company
           and not exists (select from course_packages p where p.company_id = company and p.sha256 = c.sha256)
           for update of c skip locked
        )
        delete from package_contents c using unused where c.company_id = company and c.sha256 = unused.sha256;
      end loop;
    end $$;

    revoke all on function purge_packages from public;
    grant execute on function purge_packages to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table package_files, course_packages, package_contents, auto_enrolled_courses, courses cascade;
    drop function purge_packages cascade;`);
}
