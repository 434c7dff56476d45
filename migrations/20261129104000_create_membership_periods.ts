import type { Knex } from 'knex';

/** Creates the periods of group memberships that another system has recorded. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- No foreign key to groups, because a report shows a group even if it was deleted later.
    create table membership_periods (
      company_id uuid not null,
      id uuid not null default new_id(),
      group_id uuid not null,
      learner_id uuid not null,
      -- Both days belong to the period.
      first_day date not null,
      last_day date not null,
      recorded_at timestamptz(3) not null default now(),
      -- Time at which the period was removed; null while it counts.
      superseded_at timestamptz(3),
      primary key (company_id, id),
      constraint membership_periods_learner foreign key (company_id, learner_id) references learners on delete cascade,
      check (first_day <= last_day),
      check (recorded_at <= superseded_at)
    );
    create index membership_periods_of_group on membership_periods (company_id, group_id, learner_id, first_day, id);
    create index membership_periods_of_learner on membership_periods (company_id, learner_id, first_day);
    alter table membership_periods enable row level security;
    create policy own_company on membership_periods to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert on membership_periods to awareness_service;
    grant update (learner_id, superseded_at) on membership_periods to awareness_service;
    create trigger membership_periods_learner before update of learner_id on membership_periods
      for each row when (new.learner_id is distinct from old.learner_id) execute function guard_learner_of_row();`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table membership_periods');
}
