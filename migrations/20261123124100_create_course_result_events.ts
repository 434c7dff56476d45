import type { Knex } from 'knex';

/**
 * What other systems say of courses: who began one, and who finished it with which score. Rows are only added. The
 * attempts of a learner at a course are derived from all of them. Beside what was sent stand the enrolments that were
 * open when the first result came: those have `enrolled_on`, and an id that no sender can give, since it begins with a
 * space.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table course_result_events (
      company_id uuid not null,
      event_id text not null check (char_length(event_id) between 1 and 200),
      learner_id uuid not null,
      course_id uuid not null,
      course_owner_id uuid not null,
      started_at timestamptz(3) check (isfinite(started_at)),
      finished_at timestamptz(3) check (isfinite(finished_at)),
      score numeric(5, 2) check (score between 0 and 100),
      enrolled_on date,
      started_on date,
      received_at timestamptz(3) not null default now(),
      primary key (company_id, event_id),
      constraint course_result_events_learner foreign key (company_id, learner_id) references learners on delete cascade,
      constraint course_result_events_course foreign key (course_owner_id, course_id) references courses,
      check (course_owner_id in (managed_catalogue(), company_id)),
      check (started_at is not null or finished_at is not null),
      check (finished_at >= started_at),
      check ((finished_at is null) = (score is null)),
      check ((enrolled_on is null) = (event_id not like ' %'))
    );
    comment on column course_result_events.enrolled_on is 'Of an enrolment that was open when the first result came: its day';
    comment on column course_result_events.started_on is 'Of such an enrolment: the day on which it was begun';
    create index course_result_events_pair on course_result_events (company_id, learner_id, course_id);

    alter table course_result_events enable row level security;
    create policy own_company on course_result_events to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on course_result_events to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table course_result_events');
}
