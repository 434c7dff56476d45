import type { Knex } from 'knex';

type Operation = 'insert' | 'update' | 'delete';

interface CampaignTrigger {
  table: string;
  on: Operation;
  /** Query that selects the company and the learner of the rows that matter, `added` after and `removed` before. */
  learners: string;
  /** The function that takes the company and its learners. */
  then: 'record_campaign_changes' | 'complete_assignments';
}

const ROWS: Record<Operation, string> = {
  insert: 'new table as added',
  update: 'old table as removed new table as added',
  delete: 'old table as removed',
};
const ADDED = 'select company_id, learner_id from added';
const REMOVED = 'select company_id, learner_id from removed';

/** Columns that an audience or a due date depends on. */
const OF_LEARNER = 'id, company_id, inactive, department_key, location_key, country, manager_id, time_zone, risk_level';

const differs = (columns: string) => `
  select company_id, learner_id from (
    select company_id, learner_id, ${columns} from added except select company_id, learner_id, ${columns} from removed
  ) as changed`;

const changes = (table: string, on: Operation, learners: string): CampaignTrigger => ({
  ...{ table, on, learners },
  then: 'record_campaign_changes',
});
const results = (table: string, on: Operation, learners: string): CampaignTrigger => ({
  ...{ table, on, learners },
  then: 'complete_assignments',
});

const TRIGGERS: CampaignTrigger[] = [
  changes('learners', 'insert', 'select company_id, id from added'),
  changes(
    'learners',
    'update',
    `select company_id, id from (select ${OF_LEARNER} from added except select ${OF_LEARNER} from removed) as changed`,
  ),
  changes('group_learners', 'insert', ADDED),
  changes('group_learners', 'delete', REMOVED),
  changes('simulation_recipients', 'insert', `${ADDED} where coalesce(visited_at, compromised_at) is not null`),
  changes('simulation_recipients', 'update', differs('coalesce(visited_at, compromised_at) is not null')),
  results('enrollments', 'insert', `${ADDED} where finish_date is not null`),
  results('enrollments', 'update', differs('attempt_id, finish_date, passed')),
  results('enrollments', 'delete', `${REMOVED} where finish_date is not null`),
  results('enrollment_attempts', 'update', differs('attempt_id, finish_date, passed')),
  results('signatures', 'insert', ADDED),
  results('signatures', 'update', differs('policy_id, signed, voided_at')),
];

const EVENT = `jsonb_build_object(
  'assignmentId', a.id, 'campaignId', a.campaign_id, 'learnerId', a.learner_id,
  'item', jsonb_build_object('type', case when a.results_from is null then 'policy' else 'course' end, 'id', a.item_id),
  'round', a.round, 'dueAt', to_char(a.due_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/** Events of assignments `a` that were inserted, or changed from `r`. A return to the audience is a new assignment. */
const EVENTS: Record<'insert' | 'update', string> = {
  insert: `select a.company_id, 'assignment.created', ${EVENT} from added a`,
  update: `
    select a.company_id, e.type, ${EVENT}
      from added a join removed r on r.company_id = a.company_id and r.id = a.id
     cross join lateral (
       select 'assignment.created' where a.ended_at is null and r.ended_at is not null
       union all
       select 'assignment.completed' where a.completed_at is not null and r.completed_at is null
       union all
       select 'assignment.waived' where a.waived_at is not null and r.waived_at is null
       union all
       select 'assignment.ended' where a.ended_at is not null and r.ended_at is null
       union all
       select 'assignment.reopened'
        where (a.completed_at is null and r.completed_at is not null) or (a.waived_at is null and r.waived_at is not null)
       union all
       select 'assignment.due_soon' where a.due_soon_at is not null and r.due_soon_at is null
       union all
       select 'assignment.overdue' where a.overdue_at is not null and r.overdue_at is null) as e (type)`,
};

/** Creates a trigger that writes events as those of migration create_event_triggers do. */
const emitEvents = (on: 'insert' | 'update') => `
    create function emit_campaign_assignments_${on}() returns trigger
      language plpgsql ${on === 'update' ? 'set enable_nestloop = off set jit = off' : ''} as $$
    declare
      company uuid;
      types text[];
      facts jsonb[];
    begin
      for company in select distinct company_id from added loop
        if public.events_are_read(company) then
          select array_agg(e.type), array_agg(e.data) into types, facts
            from (${EVENTS[on]}) as e (company_id, type, data) where e.company_id = company;
          perform public.write_events(company, types, facts);
        end if;
      end loop;
      return null;
    end $$;
    revoke all on function emit_campaign_assignments_${on} from public;
    create trigger campaign_assignments_emit_${on} after ${on} on campaign_assignments referencing ${ROWS[on]}
      for each statement execute function emit_campaign_assignments_${on}();`;

function createTrigger({ table, on, learners, then }: CampaignTrigger): string {
  return `
    create function campaigns_${table}_${on}() returns trigger
      language plpgsql as $$
    declare
      company uuid;
      ids uuid[];
    begin
      for company, ids in
        select c.company_id, array_agg(distinct c.learner_id) from (${learners}) as c (company_id, learner_id)
         group by c.company_id
      loop
        perform public.${then}(company, ids);
      end loop;
      return null;
    end $$;
    revoke all on function campaigns_${table}_${on} from public;
    create trigger ${table}_campaigns_${on} after ${on} on ${table} referencing ${ROWS[on]}
      for each statement execute function campaigns_${table}_${on}();`;
}

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
      -- Days after the due date from which on managers get messages.
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
    create index campaigns_running on campaigns (company_id) where status = 'running';
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

    -- The courses and policies of a campaign. An item that was removed from the campaign stays, with its assignments.
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

    -- What a campaign asks of a learner in one round. An assignment is open while it has none of the times completed_at,
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
      -- The last day after an extension; null without one.
      extended_until date,
      -- The end of the last day.
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
      -- Whether the assignment enrolled the learner or assigned the policy, which ends with it.
      enrolled boolean not null default false,
      -- Times at which the events about the due date were written.
      due_soon_at timestamptz(3),
      overdue_at timestamptz(3),
      -- Time of the next message about the assignment; null if none follows.
      mail_at timestamptz(3),
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
    create index campaign_assignments_of_campaign on campaign_assignments (company_id, campaign_id, id);
    create index campaign_assignments_open on campaign_assignments (company_id, due_at, id)
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

    -- Learners of whom something has changed that an audience can depend on. The worker compares them with the running
    -- campaigns and deletes the rows. Rows are only added, so that a change never waits for the worker.
    create table campaign_changes (
      company_id uuid not null,
      id uuid not null default new_id(),
      learner_id uuid not null,
      primary key (company_id, id)
    );
    alter table campaign_changes enable row level security;
    create policy own_company on campaign_changes to awareness_service
      using (company_id = current_company()) with check (company_id = current_company());
    grant select, insert, update, delete on campaign_changes to awareness_service;

    -- Completes the open assignments of learners that have a result or signature, and opens those whose result or
    -- signature was voided. The worker then plans messages about them. The company's time zone decides the day of a result.
    create function complete_assignments(company uuid, learners uuid[]) returns void
      language plpgsql set search_path = public, pg_temp as $$
    declare
      opened uuid[];
    begin
      if not exists (select from campaign_assignments a where a.company_id = company) then return; end if;
      with changed as (
        update campaign_assignments a
           set completed_at = d.done_at, mail_at = case when d.done_at is null then a.mail_at end
        from (
          select o.id, case
                   when o.results_from is not null then (
                     select case when f.day = (now() at time zone z.name)::date then now()
                                 else f.day::timestamp at time zone z.name end
                       from (select min(t.finish_date) as day from (
                               select e.finish_date, e.passed from enrollments e
                                where e.company_id = company and e.learner_id = o.learner_id and e.course_id = o.item_id
                               union all
                               select k.finish_date, k.passed from enrollments e join enrollment_attempts k
                                   on k.company_id = company and k.learner_id = o.learner_id and k.course_id = o.item_id
                                  and k.attempt < e.attempt
                                where e.company_id = company and e.learner_id = o.learner_id and e.course_id = o.item_id
                             ) as t where t.finish_date >= o.results_from and t.passed is distinct from false) as f)
                   else (select min(s.signed) from signatures s
                          where s.company_id = company and s.learner_id = o.learner_id and s.policy_id = o.item_id
                            and s.voided_at is null and s.signed >= o.signatures_from)
                 end as done_at
            from (select coalesce((select c.time_zone from company_settings c where c.company_id = company), 'UTC') as name
                 ) as z
           cross join unnest(learners) as asked (learner_id)
           cross join lateral (
             select distinct on (n.campaign_id, n.item_id) n.* from campaign_assignments n
              where n.company_id = company and n.learner_id = asked.learner_id
              order by n.campaign_id, n.item_id, n.round desc
             offset 0) as o
           where o.waived_at is null and o.ended_at is null
        ) as d
       where a.company_id = company and a.id = d.id and (a.completed_at is null) <> (d.done_at is null)
        returning a.learner_id, a.completed_at)
      select array_agg(distinct learner_id) filter (where completed_at is null) into opened from changed;
      if opened is not null then perform record_campaign_changes(company, opened); end if;
    end $$;

    create function campaigns_are_running(company uuid) returns boolean
      language plpgsql stable set search_path = public, pg_temp as $$
    begin
      return exists (select from campaigns c where c.company_id = company and c.status = 'running');
    end $$;

    create function record_campaign_changes(company uuid, learners uuid[]) returns void
      language plpgsql set search_path = public, pg_temp as $$
    begin
      if campaigns_are_running(company) then
        insert into campaign_changes (company_id, learner_id)
        select company, learner_id from unnest(learners) as changed (learner_id);
      end if;
    end $$;

    -- Returns companies whose campaigns have something to do.
    create function due_campaigns(max_rows integer) returns table(company_id uuid)
      language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      perform require_at_least('max_rows', max_rows, 1);
      return query
        select d.company_id from (
          select c.company_id from campaigns c where c.evaluate_at <= now()
          union
          select c.company_id from campaigns c
           where c.status = 'running' and exists (select from campaign_changes d where d.company_id = c.company_id)
          union
          select a.company_id from campaign_assignments a
           where a.due_soon_at is null and a.due_at <= now() + interval '7 days'
             and a.completed_at is null and a.waived_at is null and a.ended_at is null
          union
          select a.company_id from campaign_assignments a
           where a.overdue_at is null and a.due_at <= now()
             and a.completed_at is null and a.waived_at is null and a.ended_at is null
          union
          select g.company_id from campaign_digests g where g.next_at <= now()
          union
          select c.company_id from campaigns c
           where c.status = 'running'
             and exists (select from campaign_assignments a where a.company_id = c.company_id and a.mail_at <= now())) as d
         order by random() limit max_rows;
    end $$;
    revoke all on function complete_assignments, record_campaign_changes, due_campaigns, campaigns_are_running
      from public;
    grant execute on function complete_assignments, record_campaign_changes, due_campaigns, campaigns_are_running to awareness_service;
    ${TRIGGERS.map(createTrigger).join('')}
    ${emitEvents('insert')}
    ${emitEvents('update')}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ${TRIGGERS.map(({ table, on }) => `drop function campaigns_${table}_${on} cascade;`).join('\n    ')}
    drop function emit_campaign_assignments_insert, emit_campaign_assignments_update cascade;
    drop table campaign_changes, campaign_assignments, campaign_items, campaign_conditions, campaigns cascade;
    drop function record_campaign_changes, complete_assignments, due_campaigns, campaigns_are_running cascade;`);
}
