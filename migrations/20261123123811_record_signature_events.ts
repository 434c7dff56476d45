import type { Knex } from 'knex';

/**
 * Who told of a signature that was made elsewhere, under which id of theirs, with which note. It stands beside the
 * evidence, and may name a person: so it goes with the learner. It goes with the signature too, by the function that
 * ends signatures: a foreign key between two new tables is slow until they are analyzed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table signature_events (
      company_id uuid not null,
      event_id text not null check (char_length(event_id) between 1 and 200),
      learner_id uuid not null,
      policy_id uuid not null,
      signed timestamptz(3) not null,
      version_id uuid not null,
      offline boolean not null,
      note text,
      received_at timestamptz(3) not null default now(),
      primary key (company_id, event_id),
      constraint signature_events_learner foreign key (company_id, learner_id) references learners on delete cascade
    );
    comment on table signature_events is
      'What other systems told of signatures. Several may tell of the same one: their offline counts when all say so';
    create index signature_events_signature
      on signature_events (company_id, learner_id, policy_id, signed, version_id);

    alter table signature_events enable row level security;
    create policy own_company on signature_events to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on signature_events to awareness_service;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table signature_events');
}
