import type { Knex } from 'knex';

/**
 * Phishing simulations and what became of each of their messages.
 *
 * Whoever delivers them writes these tables; this service reads. Statuses and milestones move forward only, whoever
 * writes: a milestone that is reached stays, and brings those before it along.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table simulations (
      company_id uuid not null references companies (id),
      id uuid not null,
      name text not null,
      status text not null check (status in ('draft', 'scheduled', 'running', 'completed', 'cancelled')),
      delivery_method text not null check (delivery_method in ('email', 'qr_code', 'attachment')),
      start_date timestamptz(3),
      end_date timestamptz(3),
      created_at timestamptz(3) not null default now(),
      primary key (company_id, id),
      check (isfinite(start_date) and isfinite(end_date)),
      check (end_date >= start_date),
      check (status in ('draft', 'cancelled') or start_date is not null)
    );

    create function keep_simulation_moving_forward() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      if old.status in ('completed', 'cancelled')
         or array_position('{draft,scheduled,running,completed,cancelled}', new.status)
            < array_position('{draft,scheduled,running,completed,cancelled}', old.status) then
        raise exception 'a simulation that is % does not become %', old.status, new.status
          using errcode = 'check_violation', constraint = 'simulations_status_forward';
      end if;
      return new;
    end $$;
    create trigger simulations_status_forward before update of status on simulations
      for each row when (old.status <> new.status) execute function keep_simulation_moving_forward();

    create table simulation_recipients (
      company_id uuid not null,
      simulation_id uuid not null,
      learner_id uuid not null,
      id uuid not null default new_id(),
      scheduled_at timestamptz(3),
      sent_at timestamptz(3),
      opened_at timestamptz(3),
      visited_at timestamptz(3),
      compromised_at timestamptz(3),
      reported_at timestamptz(3),
      primary key (company_id, simulation_id, learner_id),
      unique (company_id, id),
      constraint simulation_recipients_simulation
        foreign key (company_id, simulation_id) references simulations on delete cascade,
      constraint simulation_recipients_learner
        foreign key (company_id, learner_id) references learners on delete cascade,
      check (isfinite(scheduled_at) and isfinite(sent_at) and isfinite(opened_at) and isfinite(visited_at)
             and isfinite(compromised_at) and isfinite(reported_at)),
      check (opened_at >= sent_at and visited_at >= opened_at and compromised_at >= visited_at
             and reported_at >= sent_at),
      check (sent_at is not null or coalesce(opened_at, visited_at, compromised_at, reported_at) is null),
      check (opened_at is not null or visited_at is null),
      check (visited_at is not null or compromised_at is null)
    );
    create index simulation_recipients_learner on simulation_recipients (company_id, learner_id);

    create function keep_milestones() returns trigger
      language plpgsql set search_path = public, pg_temp as $$
    begin
      if tg_op = 'UPDATE' then
        if (old.company_id, old.simulation_id, old.learner_id, old.id)
           <> (new.company_id, new.simulation_id, new.learner_id, new.id) then
          raise exception 'a message stays whose it is'
            using errcode = 'check_violation', constraint = 'simulation_recipients_forward';
        end if;
        if (old.scheduled_at is not null and new.scheduled_at is null)
           or (old.sent_at is not null and new.sent_at is null)
           or (old.opened_at is not null and new.opened_at is null)
           or (old.visited_at is not null and new.visited_at is null)
           or (old.compromised_at is not null and new.compromised_at is null)
           or (old.reported_at is not null and new.reported_at is null) then
          raise exception 'a milestone that is reached stays'
            using errcode = 'check_violation', constraint = 'simulation_recipients_forward';
        end if;
        if old.sent_at is not null then new.scheduled_at := old.scheduled_at; end if;
        -- The first time counts: an event that comes again, or late, changes nothing.
        new.sent_at := coalesce(old.sent_at, new.sent_at);
        new.opened_at := coalesce(old.opened_at, new.opened_at);
        new.visited_at := coalesce(old.visited_at, new.visited_at);
        new.compromised_at := coalesce(old.compromised_at, new.compromised_at);
        new.reported_at := coalesce(old.reported_at, new.reported_at);
      end if;
      -- Who gave data away was on the page, and who was on the page has seen the message.
      new.visited_at := coalesce(new.visited_at, new.compromised_at);
      new.opened_at := coalesce(new.opened_at, new.visited_at);
      return new;
    end $$;
    create trigger simulation_recipients_milestones before insert or update on simulation_recipients
      for each row execute function keep_milestones();
  `);
  for (const table of TENANT_TABLES) {
    await knex.raw(`
      alter table ${table} enable row level security;
      create policy own_company on ${table} to awareness_service
        using (company_id = current_company()) with check (company_id = current_company());
      grant select on ${table} to awareness_service;
    `);
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table ${TENANT_TABLES.toReversed().join(', ')};
    drop function keep_simulation_moving_forward(), keep_milestones();
  `);
}

const TENANT_TABLES = ['simulations', 'simulation_recipients'];
