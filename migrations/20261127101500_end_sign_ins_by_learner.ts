import type { Knex } from 'knex';

/**
 * Replaces the function that ends the sign-ins of many learners at once.
 * @param update removes the sign-in tokens from their queued messages
 */
async function replaceFunction(knex: Knex, update: string): Promise<void> {
  await knex.raw(`
    create or replace function end_sign_ins_of_learners() returns trigger language plpgsql
    set search_path = public, pg_temp as $$
      declare
        company uuid;
        ids uuid[];
        one uuid;
      begin
        for company, ids in
          select company_id, array_agg(id)
            from (select company_id, id, email_key, inactive from added
                  except select company_id, id, email_key, inactive from removed) as changed
           group by company_id
        loop
          delete from sign_in_links where company_id = company and learner_id = any(ids);
          delete from person_sessions where company_id = company and learner_id = any(ids);
          delete from known_devices where company_id = company and learner_id = any(ids);
          ${update}
        end loop;
        return null;
      end $$;
  `);
}

/**
 * Updates the messages of one learner at a time. The subquery hides the company while Postgres plans: for a company that is
 * missing from its statistics it expects no messages, and then compares all of them with each learner.
 */
export async function up(knex: Knex): Promise<void> {
  await replaceFunction(
    knex,
    `foreach one in array ids loop
            update messages set setup_token = null
             where company_id = (select company) and learner_id = one and status = 'queued' and setup_token is not null;
          end loop;`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await replaceFunction(
    knex,
    `update messages set setup_token = null
           where company_id = company and learner_id = any(ids) and status = 'queued' and setup_token is not null;`,
  );
}
