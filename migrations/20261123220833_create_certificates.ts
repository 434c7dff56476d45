import type { Knex } from 'knex';

/**
 * Certificates of courses that learners have passed. One says what it said when it was made, but whose it is: that follows
 * the learner, and goes with them. Its number is found in all companies, so the index of it has no company and is not unique:
 * 100 random bits need no constraint.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table certificates (
      company_id uuid not null references companies (id),
      learner_id uuid not null,
      attempt_id uuid not null,
      number text not null check (number ~ '^[0-9A-HJKMNP-TV-Z]{20}$'),
      course_name text not null,
      finish_date date not null,
      issued_at timestamptz(3) not null default now(),
      primary key (company_id, learner_id, attempt_id),
      constraint certificates_learner foreign key (company_id, learner_id) references learners (company_id, id)
        on delete cascade
    );
    create index certificates_number on certificates (number);
    alter table certificates enable row level security;
    create policy own_company on certificates to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on certificates to awareness_service;

    create function find_certificate(asked text)
      returns table (company_name text, course_name text, finish_date date, holder text)
      language plpgsql stable security definer set search_path = public, pg_temp as $$
      begin
        return query
          select k.name, c.course_name, c.finish_date, l.first_name || ' ' || l.last_name
            from certificates c
            join companies k on k.id = c.company_id
            join learners l on l.company_id = c.company_id and l.id = c.learner_id
           where c.number = asked;
      end $$;
    revoke all on function find_certificate(text) from public;
    grant execute on function find_certificate(text) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function find_certificate(text); drop table certificates');
}
