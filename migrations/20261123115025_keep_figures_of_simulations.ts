import type { Knex } from 'knex';

/**
 * What deleted learners did in simulations stays in the figures, without anything that leads to them. A message that was
 * not sent stays only where its simulation is over: the others are not sent any more.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table former_recipients (
      company_id uuid not null,
      simulation_id uuid not null,
      id uuid not null,
      sent_at timestamptz(3),
      opened_at timestamptz(3),
      visited_at timestamptz(3),
      compromised_at timestamptz(3),
      reported_at timestamptz(3),
      primary key (company_id, simulation_id, id),
      constraint former_recipients_simulation foreign key (company_id, simulation_id) references simulations
        on delete cascade
    );
    alter table former_recipients enable row level security;
    create policy own_company on former_recipients to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on former_recipients to awareness_service;

    create function keep_figures() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
      begin
        insert into former_recipients (company_id, simulation_id, id, sent_at, opened_at, visited_at, compromised_at,
                                       reported_at)
        select r.company_id, r.simulation_id, gen_random_uuid(), r.sent_at, r.opened_at, r.visited_at, r.compromised_at,
               r.reported_at
          from simulation_recipients r
          join simulations s on s.company_id = r.company_id and s.id = r.simulation_id
         where r.company_id = old.company_id and r.learner_id = old.id
           and (r.sent_at is not null or s.status in ('completed', 'cancelled'));
        return old;
      end $$;
    revoke all on function keep_figures() from public;
    create trigger learners_leave_figures before delete on learners for each row execute function keep_figures();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger learners_leave_figures on learners;
    drop function keep_figures();
    drop table former_recipients;
  `);
}
