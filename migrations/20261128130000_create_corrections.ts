import type { Knex } from 'knex';

/** Creates the corrections of records. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The service only adds rows. Whether a record currently counts is stored with the record. A reason might name a
    -- person, so corrections are deleted with the learner.
    create table corrections (
      company_id uuid not null,
      id uuid not null default new_id(),
      kind text not null check (kind in ('course_result', 'policy_signature')),
      event_id text not null,
      learner_id uuid not null,
      action text not null check (action in ('void', 'replace', 'restore')),
      replacement_event_id text,
      reason text not null check (char_length(reason) between 1 and 500),
      -- The attempt that the record had finished before it was voided. It gets its id back if the record is restored.
      attempt_id uuid,
      -- Time of the policy's assignment, if it came from the voided signature. The policy is assigned again if the
      -- signature is restored.
      assigned_at timestamptz(3),
      corrected_at timestamptz(3) not null default now(),
      primary key (company_id, id),
      constraint corrections_learner foreign key (company_id, learner_id) references learners on delete cascade,
      check ((replacement_event_id is not null) = (action = 'replace'))
    );
    create index corrections_record on corrections (company_id, kind, event_id, id);
    create index corrections_of_learner on corrections (company_id, learner_id, id);
    alter table corrections enable row level security;
    create policy own_company on corrections to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on corrections to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table corrections');
}
