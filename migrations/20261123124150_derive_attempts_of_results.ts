import type { Knex } from 'knex';

/**
 * Attempts may be derived anew from the results that were sent: an update that sets `derived_at` gives an enrolment
 * another attempt or number, and an earlier start. A finish stays also then. Any other update goes on as before.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table enrollments add column finish_event_id text, add column derived_at timestamptz(3);
    alter table enrollment_attempts add column finish_event_id text;
    comment on column enrollments.finish_event_id is 'The result that finished it; null when it was finished by another way';
    grant update (attempt, enroll_date, start_date) on enrollment_attempts to awareness_service;
    ${keepResults('new.derived_at is not null and new.derived_at is distinct from old.derived_at')}
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${keepResults('false')}
    revoke update (attempt, enroll_date, start_date) on enrollment_attempts from awareness_service;
    alter table enrollment_attempts drop column finish_event_id;
    alter table enrollments drop column finish_event_id, drop column derived_at;
  `);
}

/** @param isDerived when an update may give an enrolment another attempt */
function keepResults(isDerived: string): string {
  return `
    create or replace function keep_results() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      if tg_op = 'UPDATE' then
        if (old.company_id, old.learner_id, old.course_id) <> (new.company_id, new.learner_id, new.course_id) then
          raise exception 'a result stays whose it is'
            using errcode = 'check_violation', constraint = 'enrollments_forward';
        end if;
        if ${isDerived} then
          if old.finish_date is not null and new.attempt_id = old.attempt_id then
            new.finish_date := old.finish_date;
            new.score := old.score;
            new.passed := old.passed;
            return new;
          end if;
        elsif new.attempt_id <> old.attempt_id or new.attempt <> old.attempt then
          if new.attempt_id = old.attempt_id
             or new.attempt - old.attempt <> (case when old.finish_date is null then -1 else 1 end)
             or (old.finish_date is null) <> (new.finish_date is not null)
             or (new.finish_date is null and new.start_date is not null) then
            raise exception 'an attempt is followed by an open one, or preceded by a finished one'
              using errcode = 'check_violation', constraint = 'enrollments_forward';
          end if;
          return new;
        else
          if (old.start_date is not null and new.start_date is null)
             or (old.finish_date is not null and new.finish_date is null) then
            raise exception 'a result that is reached stays'
              using errcode = 'check_violation', constraint = 'enrollments_forward';
          end if;
          -- The first time counts: a fact that comes again, or late, changes nothing.
          new.start_date := coalesce(old.start_date, new.start_date);
          if old.finish_date is not null then
            new.finish_date := old.finish_date;
            new.score := old.score;
            new.passed := old.passed;
            return new;
          end if;
        end if;
      end if;
      new.passed := case when new.finish_date is not null then new.score >= (
        select pass_mark from courses c where c.owner_id = new.course_owner_id and c.id = new.course_id) end;
      return new;
    end $$;`;
}
