import type { Knex } from 'knex';

/** A free trial has a limit. Those without one get that of new trials, or the learners that they have. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    update companies c
       set learner_limit = greatest(25, (select s.active from company_seats s where s.company_id = c.id))
     where c.plan_name = 'freeTrial' and c.learner_limit is null;
    alter table companies
      add constraint companies_trial_limit check (plan_name <> 'freeTrial' or learner_limit is not null);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table companies drop constraint companies_trial_limit');
}
