import type { Knex } from 'knex';

/** What other systems say of their simulations: the names that they have there, and what was seen of each recipient. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table simulations add column external_id text;
    create unique index simulations_external_id on simulations (company_id, external_id);
    grant insert, update (external_id, name, status, delivery_method, start_date, end_date)
      on simulations to awareness_service;

    create table simulation_events (
      company_id uuid not null,
      event_id text not null check (char_length(event_id) between 1 and 200),
      simulation_id uuid not null,
      learner_id uuid not null,
      type text not null check (type in ('scheduled', 'sent', 'opened', 'visited', 'compromised', 'reported')),
      occurred_at timestamptz(3) not null check (isfinite(occurred_at)),
      evidence jsonb not null,
      address text generated always as (evidence ->> 'address') stored,
      signals text[] not null default '{}',
      verdict text not null default 'unsure' check (verdict in ('human', 'automated', 'unsure')),
      reasons text[] not null default '{}',
      received_at timestamptz(3) not null default now(),
      primary key (company_id, event_id),
      constraint simulation_events_recipient foreign key (company_id, simulation_id, learner_id)
        references simulation_recipients on delete cascade
    );
    comment on table simulation_events is
      'What was seen of a message, and what it was taken for. The milestones of recipients are derived from it.';
    comment on column simulation_events.signals is 'What events of other recipients, or of the same address, say of this one';
    create index simulation_events_recipient on simulation_events (company_id, simulation_id, learner_id);
    create index simulation_events_address on simulation_events (company_id, address, occurred_at);

    alter table simulation_events enable row level security;
    create policy own_company on simulation_events to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update (signals, verdict, reasons) on simulation_events to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table simulation_events;
    revoke insert, update (external_id, name, status, delivery_method, start_date, end_date)
      on simulations from awareness_service;
    alter table simulations drop column external_id;
  `);
}
