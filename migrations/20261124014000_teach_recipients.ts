import type { Knex } from 'knex';
import { createIndexConcurrently, dropIndexConcurrently } from '../src/db/migration-steps.ts';

export const config = { transaction: false };

/** Who fell for a simulation of ours is enrolled in its course, once what they did is settled. */
export async function up(knex: Knex): Promise<void> {
  await createIndexConcurrently(knex, {
    name: 'simulation_recipients_to_teach',
    on: `simulation_recipients (company_id, simulation_id, visited_at)
         where template_id is not null and visited_at is not null and taught_at is null`,
  });
  await createIndexConcurrently(knex, {
    name: 'simulations_that_teach',
    on: 'simulations (company_id, id) where is_own and training_course_id is not null',
  });
  await knex.raw(`
    create or replace function due_lessons(minutes integer, most integer) returns table (company_id uuid)
    language plpgsql volatile security definer set search_path = public, pg_temp as $$
    begin
      return query
        select s.company_id from simulations s
         where s.is_own and s.training_course_id is not null
           and exists (select from simulation_recipients r
                        where r.company_id = s.company_id and r.simulation_id = s.id and r.template_id is not null
                          and r.visited_at is not null and r.taught_at is null
                          and coalesce(r.compromised_at, r.visited_at) < now() - minutes * interval '1 minute')
         group by s.company_id order by random() limit most;
    end $$;
    comment on function due_lessons(integer, integer) is 'The companies with recipients who are to be enrolled in a course';
    revoke all on function due_lessons(integer, integer) from public;
    grant execute on function due_lessons(integer, integer) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function if exists due_lessons(integer, integer)');
  await dropIndexConcurrently(knex, 'simulations_that_teach');
  await dropIndexConcurrently(knex, 'simulation_recipients_to_teach');
}
