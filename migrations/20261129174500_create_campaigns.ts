import type { Knex } from 'knex';

/**
 * Creates campaigns and their assignments. A campaign states who must finish or sign what by when. The worker compares
 * that with the learners, and writes the assignments (src/resources/campaigns/evaluate-campaigns.ts).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table campaigns (
      company_id uuid not null references companies (id),
      id uuid not null,
      external_id text,
      name text not null,
      status text not null check (status in ('draft', 'scheduled', 'running', 'paused', 'ended')),
      everyone boolean not null,
      includes_newcomers boolean not null,
      -- Whether open assignments stay open when their learner leaves the audience.
      keeps_open boolean not null,
      start_at timestamptz(3) not null,
      due_days smallint check (due_days between 1 and 3650),
      due_date date,
      -- The company's day on which the campaign started; the first day of later rounds follows from it.
      started_on date,
      repeat_months smallint check (repeat_months between 1 and 120),
      repeats_yearly boolean not null,
      -- Days before and after the due date on which learners are reminded.
      remind_before smallint[] not null default '{7,1}',
      remind_after smallint[] not null default '{1,7,14}',
      -- Text that messages add, and the name of a person for questions.
      message text check (char_length(message) between 1 and 500),
      reply_name text check (char_length(reply_name) between 1 and 200),
      -- Days after the due date until managers start to get messages.
      escalate_after smallint check (escalate_after between 1 and 365),
      -- Time at which everyone in the audience had an assignment for the first time.
      assigned_at timestamptz(3),
      -- Time at which the worker compares the campaign with all learners again; null if it does not.
      evaluate_at timestamptz(3),
      -- The last learner of the comparison that is running; null between two comparisons.
      evaluated_learner_id uuid,
      ended_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      primary key (company_id, id),
      constraint campaigns_external_id unique (external_id, company_id),
      constraint campaigns_name_length check (char_length(name) between 1 and 200),
      check ((due_days is null) <> (due_date is null)),
      check (repeat_months is null or not repeats_yearly)
    );
    create index campaigns_active on campaigns (company_id, status) where status in ('scheduled', 'running');
    create index campaigns_to_evaluate on campaigns (evaluate_at, company_id) where evaluate_at is not null;
    alter table campaigns enable row level security;
    create policy own_company on campaigns to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on campaigns to awareness_service;

    -- Conditions of an audience. A learner meets a condition if every list that is not null has a match.
    create table campaign_conditions (
      company_id uuid not null,
      campaign_id uuid not null,
      position smallint not null,
      -- Whether learners who meet the condition are excluded from the audience.
      excludes boolean not null,
      group_ids uuid[],
      learner_ids uuid[],
      manager_ids uuid[],
      departments text[],
      locations text[],
      countries text[],
      risk_levels text[],
      failed_simulation_ids uuid[],
      primary key (company_id, campaign_id, position),
      constraint campaign_conditions_campaign foreign key (company_id, campaign_id) references campaigns on delete cascade
    );
    alter table campaign_conditions enable row level security;
    create policy own_company on campaign_conditions to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, delete on campaign_conditions to awareness_service;

    -- The courses and policies of a campaign. The row of an item that was removed from the campaign is kept, with its
    -- assignments.
    create table campaign_items (
      company_id uuid not null,
      campaign_id uuid not null,
      -- The id of the course or policy.
      item_id uuid not null,
      position smallint not null,
      course_owner_id uuid,
      course_id uuid,
      policy_id uuid,
      removed_at timestamptz(3),
      primary key (company_id, campaign_id, item_id),
      constraint campaign_items_campaign foreign key (company_id, campaign_id) references campaigns on delete cascade,
      constraint campaign_items_course foreign key (course_owner_id, course_id) references courses,
      constraint campaign_items_policy foreign key (company_id, policy_id) references policies on delete cascade,
      check (item_id = coalesce(course_id, policy_id) and (course_id is null) <> (policy_id is null)),
      check ((course_id is null) = (course_owner_id is null)),
      check (course_owner_id = managed_catalogue() or course_owner_id = company_id)
    );
    create index campaign_items_of_policy on campaign_items (policy_id, company_id) where policy_id is not null;
    alter table campaign_items enable row level security;
    create policy own_company on campaign_items to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on campaign_items to awareness_service;

    -- A course or policy that a campaign asks a learner to finish or sign in one round. An assignment is open while it has none of the times completed_at,
    -- waived_at and ended_at.
    create table campaign_assignments (
      company_id uuid not null,
      id uuid not null default new_id(),
      campaign_id uuid not null,
      item_id uuid not null,
      learner_id uuid not null,
      round smallint not null check (round > 0),
      -- The position of the condition that the learner met; null if the audience is everyone.
      condition smallint,
      assigned_at timestamptz(3) not null default now(),
      -- The last day on which the assignment is not overdue, in the learner's time zone.
      due_on date not null,
      due_because text not null default 'days' check (due_because in ('days', 'date', 'newcomer', 'return')),
      -- The last day after an extension; null if there is none.
      extended_until date,
      -- Time at which the last day ends.
      due_at timestamptz(3) not null,
      -- Only results from this day on complete the assignment of a course, and only signatures from this time on that of
      -- a policy.
      results_from date,
      signatures_from timestamptz(3),
      completed_at timestamptz(3),
      waived_at timestamptz(3),
      waived_because text check (char_length(waived_because) between 1 and 500),
      ended_at timestamptz(3),
      ended_because text
        check (ended_because in ('left_audience', 'item_removed', 'next_round', 'campaign_ended')),
      -- Whether the assignment enrolled the learner or assigned the policy. If so, the enrolment or the request to sign
      -- ends with the assignment.
      enrolled boolean not null default false,
      -- Times at which the events about the due date were written.
      due_soon_at timestamptz(3),
      overdue_at timestamptz(3),
      -- Time of the next message about the assignment; null if none follows.
      mail_at timestamptz(3),
      -- Time at which an admin last asked for a reminder; null if nobody has.
      reminded_at timestamptz(3),
      primary key (company_id, id),
      constraint campaign_assignments_round unique (company_id, campaign_id, learner_id, item_id, round),
      constraint campaign_assignments_item foreign key (company_id, campaign_id, item_id)
        references campaign_items on delete cascade,
      constraint campaign_assignments_learner foreign key (company_id, learner_id) references learners on delete cascade,
      check ((results_from is null) <> (signatures_from is null)),
      check ((waived_at is null) = (waived_because is null)),
      check ((ended_at is null) = (ended_because is null))
    );
    create index campaign_assignments_of_learner on campaign_assignments (learner_id, company_id, item_id);
    create index campaign_assignments_of_item on campaign_assignments (item_id, company_id, campaign_id, learner_id);
    create index campaign_assignments_of_campaign on campaign_assignments (campaign_id, company_id, id);
    -- With the time, so that a page of the learners with overdue assignments is read from the index.
    create index campaign_assignments_open on campaign_assignments (company_id, learner_id, due_at)
      where completed_at is null and waived_at is null and ended_at is null;
    create index campaign_assignments_due_soon on campaign_assignments (due_at, company_id)
      where due_soon_at is null and completed_at is null and waived_at is null and ended_at is null;
    create index campaign_assignments_overdue on campaign_assignments (due_at, company_id)
      where overdue_at is null and completed_at is null and waived_at is null and ended_at is null;
    create index campaign_assignments_to_mail on campaign_assignments (company_id, mail_at) where mail_at is not null;
    alter table campaign_assignments enable row level security;
    create policy own_company on campaign_assignments to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update on campaign_assignments to awareness_service;

    create trigger campaign_assignments_learner before update of learner_id on campaign_assignments
      for each row when (new.learner_id is distinct from old.learner_id) execute function guard_learner_of_row();

    -- Learners with a change on which an audience can depend. The worker compares them with the running campaigns and
    -- deletes the rows. Rows are only added, so that a change never waits for the worker.
    create table campaign_changes (
      company_id uuid not null references companies (id),
      id uuid not null default new_id(),
      learner_id uuid not null,
      primary key (company_id, id)
    );
    alter table campaign_changes enable row level security;
    create policy own_company on campaign_changes to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on campaign_changes to awareness_service;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table campaign_changes, campaign_assignments, campaign_items, campaign_conditions, campaigns cascade;`);
}
