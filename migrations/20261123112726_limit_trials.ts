import type { Knex } from 'knex';

/**
 * A free trial has a limit. Those without one get that of new trials, or the learners that they have; so do those that the
 * release before creates, which knew no limit of new trials.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    update companies c
       set learner_limit = greatest(25, (select s.active from company_seats s where s.company_id = c.id))
     where c.plan_name = 'freeTrial' and c.learner_limit is null;
    alter table companies
      add constraint companies_trial_limit check (plan_name <> 'freeTrial' or learner_limit is not null);

    create function limit_new_trial() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      new.learner_limit := 25;
      return new;
    end $$;
    revoke all on function limit_new_trial() from public;
    create trigger new_trial_limited before insert on companies
      for each row when (new.plan_name = 'freeTrial' and new.learner_limit is null) execute function limit_new_trial();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger new_trial_limited on companies;
    drop function limit_new_trial();
    alter table companies drop constraint companies_trial_limit;
  `);
}
