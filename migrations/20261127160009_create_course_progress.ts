import type { Knex } from 'knex';

/** Creates the progress of learners in courses and packages on the pages of the service, and their certificates. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The lessons that learners have read and the questions that they have answered in their current attempt.
    create table course_progress (
      company_id uuid not null,
      learner_id uuid not null,
      course_id uuid not null,
      -- The attempt in which the progress was made; a new attempt begins without progress.
      attempt_id uuid not null,
      begun_at timestamptz(3) not null,
      -- The versions of lessons and questions by their keys, with the answers to the questions.
      parts jsonb not null,
      updated_at timestamptz(3) not null default now(),
      primary key (company_id, learner_id, course_id),
      constraint course_progress_enrollment foreign key (company_id, learner_id, course_id)
        references enrollments on delete cascade
    );
    alter table course_progress enable row level security;
    create policy own_company on course_progress to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update on course_progress to awareness_service;

    -- The state that a package has stored for a learner, and the hash of the secret in the URL of the window that has
    -- the package open.
    create table package_progress (
      company_id uuid not null,
      learner_id uuid not null,
      course_id uuid not null,
      -- The attempt in which the state was stored; a new attempt begins without state.
      attempt_id uuid not null,
      package_id uuid not null,
      begun_at timestamptz(3) not null,
      state jsonb not null,
      -- SHA-256 of the secret that belongs to the window that last opened the package.
      token_hash bytea not null check (length(token_hash) = 32),
      opened_at timestamptz(3) not null,
      -- SHA-256 of the session in which the window was opened; null if a link of a message opened it.
      session_hash bytea check (length(session_hash) = 32),
      -- Number of the newest report of the window, by which reports that arrive out of order are recognised.
      report_number integer not null default 0 check (report_number >= 0),
      primary key (company_id, learner_id, course_id),
      constraint package_progress_enrollment foreign key (company_id, learner_id, course_id)
        references enrollments on delete cascade,
      constraint package_progress_package foreign key (company_id, package_id)
        references course_packages on delete cascade
    );
    create unique index package_progress_token on package_progress (company_id, token_hash);
    create index package_progress_of_package on package_progress (company_id, package_id);
    alter table package_progress enable row level security;
    create policy own_company on package_progress to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update on package_progress to awareness_service;

    -- A certificate keeps its course name, but shows the current names of the learner and the company. Its finish date
    -- is the finish date of the attempt, or the stored date if the attempt is no longer passed. Its number is looked up
    -- across companies, so the index on the number omits the company and is not unique: 100 random bits need no
    -- constraint.
    create table certificates (
      company_id uuid not null references companies (id),
      learner_id uuid not null,
      attempt_id uuid not null,
      number text not null check (number ~ '^[0-9A-HJKMNP-TV-Z]{20}$'),
      course_name text not null,
      finish_date date not null,
      -- Number of months for which the course counted when the certificate was issued; null if it does not expire.
      valid_for_months smallint,
      issued_at timestamptz(3) not null default now(),
      primary key (company_id, learner_id, attempt_id),
      constraint certificates_learner foreign key (company_id, learner_id) references learners on delete cascade
    );
    create index certificates_number on certificates (number);
    alter table certificates enable row level security;
    create policy own_company on certificates to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on certificates to awareness_service;

    create function find_certificate(certificate_number text)
      returns table(company_name text, course_name text, finish_date date, valid_for_months smallint, holder text,
                    is_valid boolean)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    begin
      return query
        select k.name, c.course_name, coalesce(a.finish_date, c.finish_date), c.valid_for_months,
               rtrim(l.first_name || ' ' || l.last_name), a.finish_date is not null
          from certificates c
          join companies k on k.id = c.company_id
          join learners l on l.company_id = c.company_id and l.id = c.learner_id
          left join lateral (
            select e.finish_date from enrollments e
             where e.company_id = c.company_id and e.learner_id = c.learner_id and e.attempt_id = c.attempt_id
               and e.passed
            union all
            select b.finish_date from enrollment_attempts b
             where b.company_id = c.company_id and b.learner_id = c.learner_id and b.attempt_id = c.attempt_id
               and b.passed
             limit 1) as a on true
         where c.number = certificate_number;
    end $$;

    revoke all on function find_certificate from public;
    grant execute on function find_certificate to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table certificates, package_progress, course_progress cascade;
    drop function find_certificate cascade;`);
}
