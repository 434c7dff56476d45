import type { Knex } from 'knex';

/**
 * Creates the tables with the days of campaign messages to learners, and with the times of campaign messages to
 * managers.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The last message to a learner about assignments. A learner gets at most one such message a day.
    create table campaign_mail_days (
      company_id uuid not null,
      learner_id uuid not null,
      -- Day in the learner's time zone on which the last message was queued, and the time; null before the first.
      mailed_on date,
      mailed_at timestamptz(3),
      -- Day of the next attempt, if a due message could not be sent.
      waits_until date,
      -- The Monday of the last message about overdue assignments of learners whom the learner manages.
      notified_on date,
      primary key (company_id, learner_id),
      constraint campaign_mail_days_learner foreign key (company_id, learner_id) references learners on delete cascade
    );
    alter table campaign_mail_days enable row level security;
    create policy own_company on campaign_mail_days to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update on campaign_mail_days to awareness_service;

    -- The time of the next messages to the managers in a time zone about overdue assignments.
    create table campaign_digests (
      company_id uuid not null references companies (id),
      time_zone text not null,
      next_at timestamptz(3) not null,
      primary key (company_id, time_zone)
    );
    create index campaign_digests_next on campaign_digests (next_at, company_id);
    alter table campaign_digests enable row level security;
    create policy own_company on campaign_digests to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on campaign_digests to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table campaign_digests, campaign_mail_days cascade');
}
