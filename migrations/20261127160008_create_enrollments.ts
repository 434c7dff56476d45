import type { Knex } from 'knex';

/**
 * Creates enrolments and results. `enrollments` holds a learner's newest attempt at a course, and `enrollment_attempts`
 * the finished attempts before it. Results that systems report are stored as events, and attempts are derived from
 * them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table enrollments (
      company_id uuid not null,
      learner_id uuid not null,
      course_id uuid not null,
      course_owner_id uuid not null,
      enroll_date date not null,
      start_date date,
      finish_date date,
      score numeric(5,2) check (score between 0 and 100),
      passed boolean,
      reminded_at timestamptz(3),
      attempt smallint not null default 1,
      attempt_id uuid not null default new_id(),
      asked_at timestamptz(3),
      reminder_sent_at timestamptz(3),
      mail_failed_at timestamptz(3),
      -- The event id of the result that finished the attempt; null if it was finished in another way.
      finish_event_id text,
      derived_at timestamptz(3),
      primary key (company_id, learner_id, course_id),
      constraint enrollments_course foreign key (course_owner_id, course_id) references courses,
      constraint enrollments_learner foreign key (company_id, learner_id) references learners on delete cascade,
      check (course_owner_id = managed_catalogue() or course_owner_id = company_id),
      check (start_date >= enroll_date and finish_date >= start_date),
      check (finish_date is null or start_date is not null),
      constraint enrollments_grade_check check (
        (score is null or passed is not null) and (finish_date is not null or passed is null))
    );
    -- The index begins with the course and covers all rows. With a narrower index, and statistics from before a company
    -- grew, a report read all enrolments of the company for each learner.
    create index enrollments_course_learner on enrollments (company_id, course_id, learner_id);
    alter table enrollments enable row level security;
    create policy own_company on enrollments to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on enrollments to awareness_service;

    -- Finished attempts. The service deletes them only in a correction of results. The statement that begins a new
    -- attempt copies the previous one here. If an open attempt is removed, the previous attempt becomes the newest
    -- again, and its copy stays here as well. Earlier attempts are therefore only the attempts with a lower number than
    -- the newest.
    create table enrollment_attempts (
      company_id uuid not null,
      learner_id uuid not null,
      course_id uuid not null,
      attempt_id uuid not null,
      attempt smallint not null,
      course_owner_id uuid not null,
      enroll_date date not null,
      start_date date not null,
      finish_date date not null,
      score numeric(5,2) check (score between 0 and 100),
      passed boolean,
      reminded_at timestamptz(3),
      asked_at timestamptz(3),
      reminder_sent_at timestamptz(3),
      mail_failed_at timestamptz(3),
      finish_event_id text,
      primary key (company_id, learner_id, course_id, attempt_id),
      constraint enrollment_attempts_course foreign key (course_owner_id, course_id) references courses,
      constraint enrollment_attempts_learner foreign key (company_id, learner_id)
        references learners on delete cascade,
      check (course_owner_id = managed_catalogue() or course_owner_id = company_id),
      check (start_date >= enroll_date and finish_date >= start_date),
      constraint enrollment_attempts_grade_check check (score is null or passed is not null)
    );
    create index enrollment_attempts_course on enrollment_attempts (company_id, course_id, learner_id);
    alter table enrollment_attempts enable row level security;
    create policy own_company on enrollment_attempts to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on enrollment_attempts to awareness_service;
    grant update (attempt, enroll_date, start_date, finish_date, score, passed, finish_event_id) on
      enrollment_attempts to awareness_service;

    -- Course results that other systems report. Attempts are derived from all of them that are not voided. An enrolment
    -- that was open when its first result arrived is also a row here. That row has enrolled_on, and an id that begins
    -- with a space, which no sender can use.
    create table course_result_events (
      company_id uuid not null,
      event_id text not null check (char_length(event_id) between 1 and 200),
      learner_id uuid not null,
      course_id uuid not null,
      course_owner_id uuid not null,
      started_at timestamptz(3) check (isfinite(started_at)),
      finished_at timestamptz(3) check (isfinite(finished_at)),
      score numeric(5,2) check (score between 0 and 100),
      -- The day of an enrolment that was open when its first result arrived; null for reported results.
      enrolled_on date,
      -- The day on which the learner started the course in that enrolment; null if the learner had not started it.
      started_on date,
      received_at timestamptz(3) not null default now(),
      -- The grade that the sender stated.
      passed boolean,
      -- The pass mark that the sender stated for the score.
      pass_mark numeric(5,2) check (pass_mark between 0 and 100),
      -- The grade of the finish, from what the sender stated, or from the score and the course's pass mark at the time
      -- of recording. Null if the grade is unknown.
      is_passed boolean,
      -- Time at which the result was voided or replaced; null if it counts.
      voided_at timestamptz(3),
      primary key (company_id, event_id),
      constraint course_result_events_course foreign key (course_owner_id, course_id) references courses,
      constraint course_result_events_learner foreign key (company_id, learner_id)
        references learners on delete cascade,
      check (course_owner_id = managed_catalogue() or course_owner_id = company_id),
      check (started_at is not null or finished_at is not null),
      check (finished_at >= started_at),
      check ((enrolled_on is null) = (event_id not like ' %')),
      constraint course_result_events_grade_check check (
        (finished_at is not null or num_nonnulls(score, passed) = 0)
        and (score is not null or (pass_mark is null and is_passed is not distinct from passed))
        and (score is null or (is_passed is not null and (passed is null or passed = is_passed))))
    );
    create index course_result_events_pair on course_result_events (company_id, learner_id, course_id, event_id);
    alter table course_result_events enable row level security;
    create policy own_company on course_result_events to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update (voided_at) on course_result_events to awareness_service;

    create function is_voided_result(company uuid, event text) returns boolean
      language sql stable set search_path = public, pg_temp
      return exists (select from course_result_events r
                      where r.company_id = company and r.event_id = event and r.voided_at is not null);

    -- Lets results only move forward, whoever writes them: an attempt keeps the dates that it has reached, and passed
    -- follows from the score and the pass mark. An update that sets derived_at replaces attempts with the ones derived
    -- from the reported results, including their grades. Even then, a graded finish is kept unless its result was
    -- voided.
    create function guard_results() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    declare
      earlier enrollment_attempts;
    begin
      if tg_op = 'UPDATE' then
        if (old.company_id, old.learner_id, old.course_id) <> (new.company_id, new.learner_id, new.course_id) then
          raise exception 'the company, learner and course of an enrolment cannot be changed'
            using errcode = 'check_violation', constraint = 'enrollments_forward';
        end if;
        if new.derived_at is not null and new.derived_at is distinct from old.derived_at then
          if new.attempt_id = old.attempt_id and old.passed is not null
             and not is_voided_result(old.company_id, old.finish_event_id) then
            new.finish_date := old.finish_date;
            new.score := old.score;
            new.passed := old.passed;
            return new;
          end if;
          if new.attempt_id <> old.attempt_id and new.finish_date is not null then
            -- An earlier attempt is the newest again.
            select * into earlier from enrollment_attempts a
             where a.company_id = new.company_id and a.learner_id = new.learner_id and a.course_id = new.course_id
               and a.attempt_id = new.attempt_id;
            new.reminded_at := earlier.reminded_at;
            new.asked_at := earlier.asked_at;
            new.reminder_sent_at := earlier.reminder_sent_at;
            new.mail_failed_at := earlier.mail_failed_at;
          end if;
          return new;
        elsif new.attempt_id <> old.attempt_id or new.attempt <> old.attempt then
          if new.attempt_id = old.attempt_id
             or new.attempt - old.attempt <> (case when old.finish_date is null then -1 else 1 end)
             or (old.finish_date is null) <> (new.finish_date is not null)
             or (new.finish_date is null and new.start_date is not null) then
            raise exception 'an enrolment can only move on to an open attempt or back to a finished one'
              using errcode = 'check_violation', constraint = 'enrollments_forward';
          end if;
          return new;
        else
          if (old.start_date is not null and new.start_date is null)
             or (old.finish_date is not null and new.finish_date is null) then
            raise exception 'start_date and finish_date cannot be removed once they are set'
              using errcode = 'check_violation', constraint = 'enrollments_forward';
          end if;
          -- The first date counts, so a repeated or late fact changes nothing.
          new.start_date := coalesce(old.start_date, new.start_date);
          if old.finish_date is not null then
            new.finish_date := old.finish_date;
            new.score := old.score;
            new.passed := old.passed;
            return new;
          end if;
        end if;
      elsif new.derived_at is not null then
        return new;
      end if;
      new.passed := case
        when new.finish_date is null then null
        when new.score is null then new.passed
        else new.score >= (select pass_mark from courses c
                            where c.owner_id = new.course_owner_id and c.id = new.course_id) end;
      return new;
    end $$;
    create trigger enrollments_begin before insert on enrollments
      for each row when (new.finish_date is not null or new.passed is not null) execute function guard_results();
    create trigger enrollments_forward before update of company_id, learner_id, course_id, attempt_id, attempt,
      start_date, finish_date, score, passed on enrollments
      for each row execute function guard_results();

    -- Restores the previous attempt if the service deletes an open one. Row-level security is active only for the
    -- service, so cascades from learners, and deletions by the owner of the tables, restore nothing.
    create function restore_previous_attempt() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      if not row_security_active(tg_relid) then return old; end if;
      update enrollments r
         set attempt = a.attempt, attempt_id = a.attempt_id, enroll_date = a.enroll_date, start_date = a.start_date,
             finish_date = a.finish_date, score = a.score, passed = a.passed, reminded_at = a.reminded_at,
             asked_at = a.asked_at, reminder_sent_at = a.reminder_sent_at, mail_failed_at = a.mail_failed_at,
             finish_event_id = a.finish_event_id
        from enrollment_attempts a
       where r.company_id = old.company_id and r.learner_id = old.learner_id and r.course_id = old.course_id
         and a.company_id = old.company_id and a.learner_id = old.learner_id and a.course_id = old.course_id
         and a.attempt = old.attempt - 1;
      if found then return null; end if;
      return old;
    end $$;
    create trigger enrollments_restore_previous before delete on enrollments
      for each row when (old.attempt > 1 and old.finish_date is null) execute function restore_previous_attempt();

    -- Keeps a recorded grade unless its result was voided. A grade that is reported later is only added to a finish
    -- without a grade.
    create function guard_attempt_grades() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      if is_voided_result(old.company_id, old.finish_event_id) then
        return new;
      end if;
      new.finish_date := old.finish_date;
      new.score := old.score;
      new.passed := old.passed;
      new.finish_event_id := old.finish_event_id;
      return new;
    end $$;
    create trigger enrollment_attempts_forward before update of finish_date, score, passed, finish_event_id on
      enrollment_attempts
      for each row when (old.passed is not null) execute function guard_attempt_grades();

    -- Keeps the service from deleting attempts that no result finished, because no correction can concern them.
    -- Row-level security is active only for the service.
    create function guard_attempts() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      if row_security_active(tg_relid) then
        raise exception 'an attempt that no result finished cannot be deleted'
          using errcode = 'check_violation', constraint = 'enrollments_forward';
      end if;
      return old;
    end $$;
    create trigger enrollment_attempts_kept before delete on enrollment_attempts
      for each row when (old.finish_event_id is null) execute function guard_attempts();

    -- Marks messages as failed that have been queued for more than a day and have no job with attempts left, for
    -- example because recording their outcome failed repeatedly.
    create function settle_orphaned_messages() returns void
      language sql security definer set search_path = public, pg_temp as $$
      with given_up as (
        update messages set status = 'failed', reason = 'given up', setup_token = null, settled_at = now()
         where status = 'queued' and created_at < now() - interval '1 day'
           and id::text not in (select payload ->> 'messageId' from graphile_worker._private_jobs
                                 where payload ->> 'messageId' is not null and attempts < max_attempts)
        returning company_id, learner_id, kind, subject_ids, settled_at
      )
      update enrollments e set mail_failed_at = g.settled_at from given_up g
       where e.company_id = g.company_id and e.learner_id = g.learner_id and e.course_id = any(g.subject_ids)
         and g.kind like 'course%' and e.finish_date is null
    $$;

    revoke all on function restore_previous_attempt, settle_orphaned_messages from public;
    grant execute on function settle_orphaned_messages to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table course_result_events, enrollment_attempts, enrollments cascade;
    drop function settle_orphaned_messages, guard_attempts, guard_attempt_grades, restore_previous_attempt,
      guard_results cascade;`);
}
