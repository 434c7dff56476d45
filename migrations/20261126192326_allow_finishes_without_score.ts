import type { Knex } from 'knex';
import { addConstraint } from '../src/db/migration-steps.ts';

export const config = { transaction: false };

/**
 * A finish can lack a score: a course without a test has none, and none is invented. Whether such an attempt is passed is
 * what its sender reported, null without a report: the attempt is finished, and not graded. A grade that is reported later
 * completes a finish that has none; a grade that is recorded stays.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table course_result_events add column if not exists passed boolean');
  await addConstraint(knex, 'course_result_events', 'course_result_events_grade_check', FACT_GRADE);
  await addConstraint(knex, 'enrollments', 'enrollments_grade_check', ENROLLMENT_GRADE);
  await addConstraint(knex, 'enrollment_attempts', 'enrollment_attempts_grade_check', ATTEMPT_GRADE);
  await knex.raw(`
    alter table course_result_events drop constraint if exists course_result_events_check3;
    alter table enrollments drop constraint if exists enrollments_check2;
    alter table enrollment_attempts alter column score drop not null, alter column passed drop not null;
    grant update (score, passed, finish_event_id) on enrollment_attempts to awareness_service;
    comment on column course_result_events.passed is 'Of a finish without a score: what its sender reported';
    create or replace function keep_attempt_grades() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
      begin
        new.score := old.score;
        new.passed := old.passed;
        new.finish_event_id := old.finish_event_id;
        return new;
      end $$;
    create or replace trigger enrollment_attempts_forward
      before update of score, passed, finish_event_id on enrollment_attempts
      for each row when (old.passed is not null) execute function keep_attempt_grades();
    ${keepResults({
      isGraded: 'old.passed is not null',
      passed: `case when new.finish_date is null then null when new.score is null then new.passed else new.score >= (
        select pass_mark from courses c where c.owner_id = new.course_owner_id and c.id = new.course_id) end`,
    })}
    ${tellOfUpdates(`(r.finish_date is null or (r.passed is null and a.passed is not null))`)}
  `);
}

/** Fails while a finish without a score is on record: the release before cannot read one. */
export async function down(knex: Knex): Promise<void> {
  await addConstraint(knex, 'course_result_events', 'course_result_events_check3', WITH_SCORE);
  await addConstraint(knex, 'enrollments', 'enrollments_check2', WITH_RESULT);
  await knex.raw(`
    ${tellOfUpdates('r.finish_date is null')}
    ${keepResults({
      isGraded: 'true',
      passed: `case when new.finish_date is not null then new.score >= (
        select pass_mark from courses c where c.owner_id = new.course_owner_id and c.id = new.course_id) end`,
    })}
    drop trigger if exists enrollment_attempts_forward on enrollment_attempts;
    drop function if exists keep_attempt_grades();
    revoke update (score, passed, finish_event_id) on enrollment_attempts from awareness_service;
    alter table enrollment_attempts alter column score set not null, alter column passed set not null;
    alter table enrollment_attempts drop constraint if exists enrollment_attempts_grade_check;
    alter table enrollments drop constraint if exists enrollments_grade_check;
    alter table course_result_events drop constraint if exists course_result_events_grade_check;
    alter table course_result_events drop column if exists passed;
  `);
}

const WITH_SCORE = 'check ((finished_at is null) = (score is null))';
const WITH_RESULT = 'check ((finish_date is null) = (score is null) and (finish_date is null) = (passed is null))';

/** A score decides by the pass mark, so only a finish without one has a grade of its own. */
const FACT_GRADE = `check (num_nonnulls(score, passed) <= (finished_at is not null)::integer)`;
const ATTEMPT_GRADE = 'check (score is null or passed is not null)';
const ENROLLMENT_GRADE = `check (
  (score is null or passed is not null) and (finish_date is not null or passed is null))`;

/**
 * @param isGraded when the result of a finished attempt stays, although its attempt is derived again
 * @param passed whether an attempt is passed
 */
function keepResults({ isGraded, passed }: { isGraded: string; passed: string }): string {
  const stays = isGraded === 'true' ? '' : ` and ${isGraded}`;
  return `
    create or replace function keep_results() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      if tg_op = 'UPDATE' then
        if (old.company_id, old.learner_id, old.course_id) <> (new.company_id, new.learner_id, new.course_id) then
          raise exception 'a result stays whose it is'
            using errcode = 'check_violation', constraint = 'enrollments_forward';
        end if;
        if new.derived_at is not null and new.derived_at is distinct from old.derived_at then
          if old.finish_date is not null and new.attempt_id = old.attempt_id${stays} then
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
      new.passed := ${passed};
      return new;
    end $$;`;
}

const json = (attempt: string, facts = '') =>
  `jsonb_build_object('attemptId', ${attempt}.attempt_id, 'learnerId', ${attempt}.learner_id, 'courseId', ${attempt}.course_id${facts})`;

/** @param isCompleted when an attempt that stays is told of as completed */
function tellOfUpdates(isCompleted: string): string {
  return `
    create or replace function tell_of_enrollments_update() returns trigger
      language plpgsql set enable_nestloop = off set jit = off as $$
      declare
        session uuid := public.current_company();
        company uuid;
        types text[];
        facts jsonb[];
      begin
        if session is not null and not public.events_are_read(session) then return null; end if;
        for company in
          select session where session is not null
          union all
          select c.company_id from (select distinct company_id from added
                                     where session is null) as c
           where public.events_are_read(c.company_id)
        loop
          select array_agg(e.type), array_agg(e.data) into types, facts
            from (
      select a.company_id, e.type, e.data
        from added a join removed r on r.company_id = a.company_id and r.learner_id = a.learner_id
         and r.course_id = a.course_id
       cross join lateral (
         select a.attempt_id <> r.attempt_id and a.attempt >= r.attempt, a.attempt_id <> r.attempt_id and a.attempt < r.attempt
       ) as now (is_new, is_back)
       cross join lateral (
         select 'enrollment.removed', ${json('r')} where now.is_back
         union all
         select 'enrollment.created', ${json('a', `, 'enrollDate', a.enroll_date`)} where now.is_new
         union all
         select 'enrollment.started', ${json('a', `, 'startDate', a.start_date`)}
          where a.start_date is not null and (now.is_new or (not now.is_back and r.start_date is null))
         union all
         select 'enrollment.completed', ${json('a', `, 'finishDate', a.finish_date, 'passed', a.passed`)}
          where a.finish_date is not null and (now.is_new or (not now.is_back and ${isCompleted}))) as e (type, data)) as e (company_id, type, data) where e.company_id = company;
          perform public.write_events(company, types, facts);
        end loop;
        return null;
      end $$;`;
}
