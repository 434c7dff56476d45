import type { Knex } from 'knex';

/**
 * Results move forward only, whoever writes, as simulations do: what an attempt has reached stays, and whether it is
 * passed follows from the score and the course's pass mark when it is finished. An enrolment goes on to the next attempt
 * from a finished one, and back to a finished one from an open one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function keep_results() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      if tg_op = 'UPDATE' then
        if (old.company_id, old.learner_id, old.course_id) <> (new.company_id, new.learner_id, new.course_id) then
          raise exception 'a result stays whose it is'
            using errcode = 'check_violation', constraint = 'enrollments_forward';
        end if;
        if new.attempt_id <> old.attempt_id or new.attempt <> old.attempt then
          if new.attempt_id = old.attempt_id
             or new.attempt - old.attempt <> (case when old.finish_date is null then -1 else 1 end)
             or (old.finish_date is null) <> (new.finish_date is not null)
             or (new.finish_date is null and new.start_date is not null) then
            raise exception 'an attempt is followed by an open one, or preceded by a finished one'
              using errcode = 'check_violation', constraint = 'enrollments_forward';
          end if;
          return new;
        end if;
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
      new.passed := case when new.finish_date is not null then new.score >= (
        select pass_mark from courses c where c.owner_id = new.course_owner_id and c.id = new.course_id) end;
      return new;
    end $$;
    create trigger enrollments_begin before insert on enrollments
      for each row when (new.finish_date is not null or new.passed is not null) execute function keep_results();
    create trigger enrollments_forward
      before update of company_id, learner_id, course_id, attempt_id, attempt, start_date, finish_date, score, passed
      on enrollments for each row execute function keep_results();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger enrollments_begin on enrollments; drop trigger enrollments_forward on enrollments');
  await knex.raw('drop function keep_results()');
}
