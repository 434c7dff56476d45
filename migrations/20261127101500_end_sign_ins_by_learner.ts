import type { Knex } from 'knex';

/**
 * What ends the sign-ins of many learners at once.
 * @param hidden how its statements name the company. A subquery hides it while Postgres plans: of a company that its
 *   statistics do not know it expects no rows, and then may compare all messages of the company with each learner.
 */
async function replaceFunction(knex: Knex, hidden: string): Promise<void> {
  const theirs = `company_id = ${hidden} and learner_id = any(ids)`;
  await knex.raw(`
    create or replace function end_sign_ins_of_learners() returns trigger language plpgsql
    set search_path = public, pg_temp as $$
      declare
        company uuid;
        ids uuid[];
      begin
        for company, ids in
          select company_id, array_agg(id)
            from (select company_id, id, email_key, inactive from added
                  except select company_id, id, email_key, inactive from removed) as changed
           group by company_id
        loop
          delete from sign_in_links where ${theirs};
          delete from person_sessions where ${theirs};
          delete from known_devices where ${theirs};
          update messages set setup_token = null where ${theirs}
           and status = 'queued' and setup_token is not null;
        end loop;
        return null;
      end $$;
  `);
}

export async function up(knex: Knex): Promise<void> {
  await replaceFunction(knex, '(select company)');
}

export async function down(knex: Knex): Promise<void> {
  await replaceFunction(knex, 'company');
}
