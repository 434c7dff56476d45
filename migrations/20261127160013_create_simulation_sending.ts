import type { Knex } from 'knex';

/**
 * Creates the settings for simulations that the service sends itself: proved domains, exclusions, company settings, and
 * the operator's switch.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table simulation_domains (
      company_id uuid not null references companies (id),
      id uuid not null,
      domain text not null check (domain = lower(domain)),
      -- The text that a DNS record of the domain must contain.
      challenge text not null,
      created_at timestamptz(3) not null default now(),
      -- Time at which a check first found the record; null if the last check did not find it.
      proved_at timestamptz(3),
      checked_at timestamptz(3),
      primary key (company_id, id),
      constraint simulation_domains_domain unique (company_id, domain),
      check (proved_at is null or checked_at is not null)
    );
    alter table simulation_domains enable row level security;
    create policy own_company on simulation_domains to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on simulation_domains to awareness_service;

    -- Learners and groups that receive no simulation messages, and days on which nobody does.
    create table simulation_exclusions (
      company_id uuid not null references companies (id),
      id uuid not null,
      learner_id uuid,
      group_id uuid,
      from_date date,
      to_date date,
      note text,
      created_at timestamptz(3) not null default now(),
      primary key (company_id, id),
      constraint simulation_exclusions_group foreign key (company_id, group_id) references groups on delete cascade,
      constraint simulation_exclusions_learner foreign key (company_id, learner_id)
        references learners on delete cascade,
      check (num_nonnulls(learner_id, group_id, from_date) = 1),
      check ((from_date is null) = (to_date is null) and to_date >= from_date),
      check (isfinite(from_date) and isfinite(to_date))
    );
    create index simulation_exclusions_learner on simulation_exclusions (company_id, learner_id);
    create index simulation_exclusions_group on simulation_exclusions (company_id, group_id);
    alter table simulation_exclusions enable row level security;
    create policy own_company on simulation_exclusions to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on simulation_exclusions to awareness_service;

    create table simulation_settings (
      company_id uuid primary key references companies (id),
      -- The secret value of the header by which the company's mail team recognises the service's messages.
      header_secret text not null,
      -- Time at which the company stopped all sending; null while sending is allowed.
      stopped_at timestamptz(3),
      -- Earliest time for the next message; until then, the rate is used up.
      next_send_at timestamptz(3),
      scanner_networks text[] not null default '{}'
    );
    alter table simulation_settings enable row level security;
    create policy own_company on simulation_settings to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update on simulation_settings to awareness_service;

    -- Holds the time at which the operator stopped all sending; null while companies can send.
    create table simulation_switch (
      singleton boolean default true primary key check (singleton),
      stopped_at timestamptz(3)
    );
    insert into simulation_switch default values;
    grant select on simulation_switch to awareness_service;

    -- Returns companies whose simulations have messages to send or a status to change.
    create function due_simulations(max_rows integer) returns table(company_id uuid)
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      perform require_at_least('max_rows', max_rows, 1);
      return query
        select s.company_id
          from simulations s left join simulation_settings c on c.company_id = s.company_id
         where s.is_own
           and (s.status = 'scheduled' and s.start_date <= now()
                and (s.blocked_because is null or s.updated_at < now() - interval '1 minute' or s.end_date <= now())
             or s.status = 'running'
                and (s.end_date <= now()
                  or c.stopped_at is null and coalesce(c.next_send_at, '-infinity') <= now()
                     and exists (select from simulation_recipients r
                                  where r.company_id = s.company_id and r.simulation_id = s.id and r.scheduled_at <= now()
                                    and r.template_id is not null and r.message_id is null and r.failed_at is null
                                    and r.sent_at is null)))
         group by s.company_id
         -- The order is random: simulations that wait for their working hours remain due, and must not starve the
         -- others.
         order by random() limit max_rows;
    end $$;

    -- Returns companies with recipients to enrol in follow-up training.
    create function due_follow_up_training(minutes integer, max_rows integer) returns table(company_id uuid)
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      perform require_at_least('minutes', minutes, 0);
      perform require_at_least('max_rows', max_rows, 1);
      return query
        select s.company_id from simulations s
         where s.is_own and s.training_course_id is not null
           and exists (select from simulation_recipients r
                        where r.company_id = s.company_id and r.simulation_id = s.id and r.template_id is not null
                          and r.visited_at is not null and r.training_assigned_at is null
                          and coalesce(r.compromised_at, r.visited_at) < now() - minutes * interval '1 minute')
         group by s.company_id order by random() limit max_rows;
    end $$;

    revoke all on function due_simulations, due_follow_up_training from public;
    grant execute on function due_simulations, due_follow_up_training to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table simulation_switch, simulation_settings, simulation_exclusions, simulation_domains cascade;
    drop function due_follow_up_training, due_simulations cascade;`);
}
