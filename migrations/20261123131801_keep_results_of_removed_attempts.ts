import type { Knex } from 'knex';

/**
 * The service takes an open attempt back by an update, which puts the attempt before in its place. The release before
 * knows no attempts and deletes the row, and the result with it: for its role the deletion becomes the same update. It
 * is told by row-level security, which holds neither the cascade from learners nor the owner of the tables.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function take_attempt_back() returns trigger
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
    revoke all on function take_attempt_back() from public;
    create trigger enrollments_taken_back before delete on enrollments
      for each row when (old.attempt > 1 and old.finish_date is null) execute function take_attempt_back();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop trigger enrollments_taken_back on enrollments; drop function take_attempt_back()');
}
