import type { Knex } from 'knex';

/**
 * The SCORM packages of a company's own courses. A ZIP file is stored once for each company; `package_files` says where each
 * file is in it, so that one is read without the others. A package that another one has taken the place of stays for a day:
 * somebody may have it open.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table package_contents (
      company_id uuid not null references companies (id),
      sha256 bytea not null check (length(sha256) = 32),
      content bytea not null,
      primary key (company_id, sha256)
    );
    -- ZIP files are compressed already, and are read in parts.
    alter table package_contents alter column content set storage external;

    create table course_packages (
      company_id uuid not null,
      id uuid not null,
      course_id uuid not null,
      sha256 bytea not null,
      standard text not null check (standard in ('scorm_1_2', 'scorm_2004')),
      title text,
      launch_path text not null,
      file_name text,
      size_bytes integer not null check (size_bytes > 0),
      unpacked_bytes integer not null check (unpacked_bytes > 0),
      file_count integer not null check (file_count > 0),
      uploaded_at timestamptz(3) not null default now(),
      ended_at timestamptz(3),
      primary key (company_id, id),
      -- A course of the company's own: the owner of one of the catalogue is nobody's company.
      constraint course_packages_course foreign key (company_id, course_id) references courses,
      constraint course_packages_content foreign key (company_id, sha256) references package_contents
    );
    comment on column course_packages.ended_at is 'Since when nobody begins it any more';
    create unique index course_packages_current on course_packages (company_id, course_id) where ended_at is null;
    create index course_packages_content on course_packages (company_id, sha256);

    create table package_files (
      company_id uuid not null,
      package_id uuid not null,
      path text not null,
      content_type text not null,
      size_bytes integer not null check (size_bytes >= 0),
      packed_offset integer not null check (packed_offset >= 0),
      packed_bytes integer not null check (packed_bytes >= 0),
      is_deflated boolean not null,
      primary key (company_id, package_id, path),
      constraint package_files_package foreign key (company_id, package_id) references course_packages on delete cascade
    );

    alter table package_contents enable row level security;
    create policy own_company on package_contents to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    alter table course_packages enable row level security;
    create policy own_company on course_packages to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    alter table package_files enable row level security;
    create policy own_company on package_files to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update (sha256) on package_contents to awareness_service;
    grant select, insert, update (ended_at) on course_packages to awareness_service;
    grant select, insert on package_files to awareness_service;

    -- Packages that ended more than a day ago; then contents without a package. What somebody is about to use is locked,
    -- and left alone.
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
    revoke all on function purge_packages() from public;
    grant execute on function purge_packages() to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function purge_packages()');
  await knex.raw('drop table package_files, course_packages, package_contents');
}
