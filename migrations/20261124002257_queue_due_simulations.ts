import type { Knex } from 'knex';
import { createIndexConcurrently, dropIndexConcurrently } from '../src/db/migration-steps.ts';

export const config = { transaction: false };

/** What the rounds of the role `simulate` go by: which messages are due, and when the next one of a company may go. */
export async function up(knex: Knex): Promise<void> {
  await createIndexConcurrently(knex, {
    name: 'simulation_recipients_due',
    on: `simulation_recipients (company_id, simulation_id, scheduled_at)
         where template_id is not null and message_id is null and failed_at is null and sent_at is null`,
  });
  await createIndexConcurrently(knex, {
    name: 'simulations_to_send',
    on: `simulations (company_id, status) where is_own and status in ('scheduled', 'running')`,
  });
  await knex.raw(`
    alter table simulation_settings add column if not exists paced_until timestamptz(3);
    comment on column simulation_settings.paced_until is 'Until when the pace of its messages is used up';

    create or replace function due_simulations(most integer) returns table (company_id uuid)
    language plpgsql volatile security definer set search_path = public, pg_temp as $$
    begin
      return query
        select s.company_id
          from simulations s left join simulation_settings c on c.company_id = s.company_id
         where s.is_own
           and (s.status = 'scheduled' and s.start_date <= now()
                and (s.blocked_because is null or s.updated_at < now() - interval '1 minute' or s.end_date <= now())
             or s.status = 'running'
                and (s.end_date <= now()
                  or c.stopped_at is null and coalesce(c.paced_until, '-infinity') <= now()
                     and exists (select from simulation_recipients r
                                  where r.company_id = s.company_id and r.simulation_id = s.id and r.scheduled_at <= now()
                                    and r.template_id is not null and r.message_id is null and r.failed_at is null
                                    and r.sent_at is null)))
         group by s.company_id
         -- Some wait for their hours, and must not keep the others from their turns.
         order by random() limit most;
    end $$;
    comment on function due_simulations(integer) is 'The companies whose simulations have something to send, or to become';
    revoke all on function due_simulations(integer) from public;
    grant execute on function due_simulations(integer) to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function if exists due_simulations(integer);
    alter table simulation_settings drop column if exists paced_until;
  `);
  await dropIndexConcurrently(knex, 'simulations_to_send');
  await dropIndexConcurrently(knex, 'simulation_recipients_due');
}
